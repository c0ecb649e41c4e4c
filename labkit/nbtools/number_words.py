"""Numbers that prose writes as words, from two up: `four`, `sixty-four`, `a hundred thousand`.

`one` alone is no number here: it is a pronoun as often. Nor are ordinals, plurals, `both`, `half` and `twice`.
"""

import re
from collections.abc import Iterable

ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = {"thousand": 1_000, "million": 1_000_000}
SMALL = {word: number for number, word in enumerate(ONES + TEENS, 1)} | {
    word: number for number, word in zip(range(20, 100, 10), TENS, strict=True)
}


def _any(words: Iterable[str]) -> str:
    return rf"(?:{'|'.join(words)})\b"


_ORDINAL = r"-(?:first|second|third|[a-z]+th)\b"
_UNDER_100 = rf"(?:{_any(TENS)}(?!{_ORDINAL})(?:[- ]{_any(ONES)})?|{_any(TEENS)}|{_any(ONES)})"
_UNDER_1000 = rf"(?:(?:(?:a|{_UNDER_100})[- ])?hundred\b(?: (?:and )?{_UNDER_100})?|{_UNDER_100})"
_SCALED = rf"(?:(?:a|{_UNDER_1000})[- ])?{_any(SCALES)}"
_ONE_ALONE = rf"one\b(?![- ](?:hundred\b|{_any(SCALES)}))"

PHRASE = rf"(?<!\w)(?!{_ONE_ALONE})(?:{_SCALED}(?: (?:and )?{_SCALED})*(?: (?:and )?{_UNDER_1000})?|{_UNDER_1000})"
"""One number, as far as it goes, in any case; `and` joins only what follows a hundred, a thousand or a million."""


def worth(phrase: str) -> int:
    """The number that a text matched by PHRASE says."""
    total = group = 0
    for word in re.findall(r"[a-z]+", phrase.lower()):
        if word == "hundred":
            group = max(group, 1) * 100
        elif word in SCALES:
            total, group = total + max(group, 1) * SCALES[word], 0
        else:
            group += SMALL.get(word, 0)
    return total + group
