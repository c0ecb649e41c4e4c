"""What a score tells: BM25 worked out by hand, and what moves in a caller's answer when a document elsewhere does.

Taught in 07_ranking.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from labkit.corpus import Passage
from labkit.search import Hit, term_of, tokens

K1, B = 1.2, 0.75
"""FTS5's own constants: how soon a repeated word stops counting, how much a long passage loses."""
FLOOR = 1e-6
"""FTS5's weight for a word that half of the passages or more hold; the formula would give 0 or less."""


class Worked(NamedTuple):
    """The figures that BM25 is worked out from for one passage and one word, and the score."""

    count: int
    length: int
    average: float
    passages: int
    holding: int
    weight: float
    score: float


class Move(NamedTuple):
    """One passage of a caller's answer before and after a change; None where it is not in the answer."""

    passage_id: str
    rank_before: int | None
    rank_after: int | None
    score_before: float | None
    score_after: float | None


def word_weight(passages: int, holding: int) -> float:
    """How much a word counts when `holding` of the passages hold it: the rarer the more, and never below `FLOOR`."""
    rarity = math.log((passages - holding + 0.5) / (holding + 0.5))
    return rarity if rarity > 0 else FLOOR


def bm25(*, count: int, length: int, average: float, passages: int, holding: int) -> float:
    """The score of a passage of `length` words that holds the word `count` times; below 0, and lower is better.

    `average` is the mean length of all `passages`, and `holding` is how many of them hold the word.
    """
    damped = count * (K1 + 1.0) / (count + K1 * (1 - B + B * length / average))
    return -1.0 * (word_weight(passages, holding) * damped)


def worked(passages: Sequence[Passage], passage: Passage, query: str) -> Worked:
    """BM25 by hand for one of the passages, from the texts alone, with the statistics of all of them."""
    cut = {each.passage_id: tokens(each.text) for each in passages}
    words, term = cut[passage.passage_id], term_of(query)
    count, length = words.count(term), len(words)
    average = sum(map(len, cut.values())) / len(cut)
    holding = sum(term in each for each in cut.values())
    score = bm25(count=count, length=length, average=average, passages=len(cut), holding=holding)
    return Worked(count, length, average, len(cut), holding, word_weight(len(cut), holding), score)


def moves(before: Sequence[Hit], after: Sequence[Hit]) -> tuple[Move, ...]:
    """What of a caller's answer moved: every passage whose rank or score is another now; () when none is."""
    old, new = _placed(before), _placed(after)
    every = [Move(key, *_pair(old, new, key)) for key in dict.fromkeys([*old, *new])]
    return tuple(move for move in every if old.get(move.passage_id) != new.get(move.passage_id))


def _placed(hits: Sequence[Hit]) -> dict[str, tuple[int, float]]:
    return {hit.passage.passage_id: (rank, hit.native_score) for rank, hit in enumerate(hits, start=1)}


def _pair(
    old: dict[str, tuple[int, float]], new: dict[str, tuple[int, float]], key: str
) -> tuple[int | None, int | None, float | None, float | None]:
    (rank_before, score_before), (rank_after, score_after) = old.get(key, (None, None)), new.get(key, (None, None))
    return rank_before, rank_after, score_before, score_after
