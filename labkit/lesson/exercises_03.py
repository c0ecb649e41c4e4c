"""Predictions and exercises of 03_search."""

import math
import random
import re
from contextlib import closing
from typing import Any

from labkit.corpus import Corpus, corpus_of, document, load_corpus
from labkit.errors import Refusal
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction
from labkit.search import Hit, build_index

PREDICTIONS = {
    "03.A": Prediction(
        "a query is one term",
        {
            "nothing": "no summary holds these three words in a row; FTS5 never looked for three words",
            "one passage": "every word has to stand in the passage; so it is when a space joins two words, "
            "and `OR` is no word to FTS5",
            "every passage": "`OR` is an operator, wherever it comes from; it is",
        },
    ),
    "03.B": Prediction(
        "the lowest score is the best",
        {
            "json-text": "the same count weighs more in a shorter text; it does",
            "path-write": "a longer text has more to say; to BM25 the same count in more words weighs less",
            "neither, a tie": "a score counts how often the term stands there, and no more; the length counts too",
        },
    ),
    "03.C": Prediction(
        "a score depends on every passage",
        {
            "nothing moves": "a score is about one passage and one term; "
            "but the average length and the rarity of the term are counted over all passages",
            "the scores move": "something is counted over the whole snapshot; it is",
            "the order moves": "another passage may come to the top; "
            "that can happen when the average length moves far, and one short document does not do it",
        },
    ),
    "03.D": Prediction(
        "no threshold on a score",
        {
            "all four": "a passage that holds the word is relevant and scores so; "
            "but the score also says how common the word is",
            "the best of them": "a threshold separates good matches from weak ones; "
            "it separates rare words from common ones long before that",
            "none": "the word is common here, and its weight is next to nothing; it is",
        },
    ),
}

MANY = "a word about one subject stands in one summary; FTS5 counts words and knows no subject"
NOBODY = "a word that fits the subject is found; this index knows the words that stand there, and no others"
PROGRAM = "a query may combine words; here it is one term, or it is refused"
LINE_FEED = "`$` is the end of the text; it also fits before a last line feed"
ANY_SCRIPT = "a letter is a letter in any script; the index takes ASCII, so that each term has one spelling"
LOWERED = "lower case first, then look; but the Kelvin sign becomes a plain k on the way"
UNDERSCORE = r"`\w` means letters and digits; it means the underscore as well"
EMPTY = "no letters at all are fine too; but a term has at least one"
LENGTH = "the length of a term does not matter; a bound keeps hostile text away from the index"
OPERATOR = "an operator cannot be a word; once it is quoted it is one like others"
CASE = "a capital has to be refused; it is put in lower case after the check"
THRESHOLD = "a good match has a good score; how good depends on how common the word is, and on every other passage"
HIGHEST = "the highest score is the best; SQLite's are below zero, and the lowest is"
UNSORTED = "hits come best first; these come in any order"
TIES = "equal scores have no order; then two machines give two answers"
NO_HALVES = "the halves make no difference; they keep the weight finite where no passage, or every one, holds the term"
BELOW_ZERO = (
    "a weight may fall to zero and below; then a passage that holds the word would rank behind one that does not"
)
EXACTLY_HALF = "the floor begins below zero; at exactly zero a match would weigh nothing, so it begins there"


def grade_finds_one(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == "file":
        raise Unanswered
    with closing(build_index(load_corpus())) as index:
        try:
            found = len(index.ranked(answer))
        except Refusal:
            return Failure("your query", "a term, which the index does not refuse", PROGRAM)
    if found != 1:
        return Failure(f"your query finds {found or 'no'} passages", "one passage", MANY if found else NOBODY)
    return None


def grade_is_term(answer: Any, rng: random.Random) -> Failure | None:
    word = "".join(rng.choices("bcdfghjklm", k=6))
    for text, wanted, thought in [
        (word, True, PROGRAM),
        (word.upper() + str(rng.randint(0, 99)), True, CASE),
        (rng.choice(["AND", "OR", "NOT", "NEAR"]), True, OPERATOR),
        (word + "\n", False, LINE_FEED),
        *((word + sign, False, ANY_SCRIPT) for sign in rng.sample("\u00e9\u00b2\uff4a\u0661", 4)),
        (word + "_" + word, False, UNDERSCORE),
        ("\u212a" + word, False, LOWERED),
        (word + rng.choice(' *"-:'), False, PROGRAM),
        ("", False, EMPTY),
        ("a" * 64, True, LENGTH),
        ("a" * 65, False, LENGTH),
    ]:
        told = ascii(text) if len(text) < 64 else f"{len(text)} letters"
        if bool(call(answer, text, case=f"is_term({told})")) is not wanted:
            return Failure(f"is_term({told})", f"{wanted}", thought)
    return None


def grade_best(answer: Any, rng: random.Random) -> Failure | None:
    common = _hits(load_corpus(), "file")
    tied = _hits(_texts(*[f"word {rng.randint(10, 99)}"] * 5), "word")
    mixed = [*common[2:], *rng.sample(common[:2], 2)]
    for given, wanted, told, thought in [
        (common, common[:2], "the four hits for `file`, best first", THRESHOLD),
        (mixed, common[:2], "the four hits for `file`, in another order", UNSORTED),
        (tied[::-1], tied[:2], "five hits with one score, the last passage id first", TIES),
    ]:
        got = call(answer, list(given), case=told)
        if got != wanted:
            worst = given is common and isinstance(got, list) and set(got) == set(common[2:])
            return Failure(told, "the two best, best first, ties by passage id", HIGHEST if worst else thought)
    return None


def grade_weight(answer: Any, rng: random.Random) -> Failure | None:
    half = rng.randint(3, 12)
    for n, df, thought in [
        (2 * half + 1, rng.randint(1, half - 1), NO_HALVES),
        (2 * half + 1, rng.randint(half + 1, 2 * half), BELOW_ZERO),
        (2 * half, half, EXACTLY_HALF),
    ]:
        told = f"weight({n}, {df})"
        # Passages of one word each: then the score is the weight, with a minus.
        wanted = -_hits(_texts(*["term"] * df, *["other"] * (n - df)), "term")[0].native_score
        got = call(answer, n, df, case=told)
        if not isinstance(got, int | float) or not math.isclose(got, wanted, rel_tol=1e-9):
            return Failure(told, "what SQLite gives for such a snapshot", thought)
    return None


def _texts(*texts: str) -> Corpus:
    return corpus_of(document(f"t{n}", "3.12", "https://t.invalid", text) for n, text in enumerate(texts))


def _hits(corpus: Corpus, query: str) -> list[Hit]:
    with closing(build_index(corpus)) as index:
        return list(index.ranked(query))


def _idf(n: int, df: int) -> float:
    return math.log((n - df + 0.5) / (df + 0.5))


EXERCISES = {
    "03.1": Exercise(
        "a query is one term",
        grade_finds_one,
        (
            "A word that many summaries hold finds many. Which words stand in one of them?",
            "`tokens(passage.text)` lists the words of a passage as the index has them.",
            "One of the summaries is about JSON, and no other names it.",
        ),
        (
            Wrong("string", MANY),
            Wrong("pathlib", NOBODY),
            Wrong("json OR dumps", PROGRAM),
            Wrong("json*", PROGRAM),
        ),
    ),
    "03.2": Exercise(
        "a query is one term",
        grade_is_term,
        (
            'Try your function on "json\\n", on a word with a "²", and on sixty-five letters.',
            "`re.fullmatch` wants the whole text; a class of characters in brackets says exactly which ones.",
            "Three ranges in one pair of brackets, then the least and the greatest number in braces.",
        ),
        (
            Wrong(lambda text: bool(re.match(r"[A-Za-z0-9]{1,64}$", text)), LINE_FEED),
            Wrong(lambda text: text.isalnum() and len(text) <= 64, ANY_SCRIPT),
            Wrong(lambda text: bool(re.fullmatch(r"\w{1,64}", text)), ANY_SCRIPT),
            Wrong(lambda text: bool(re.fullmatch(r"[A-Za-z\d]{1,64}", text)), ANY_SCRIPT),
            Wrong(lambda text: bool(re.fullmatch("[a-z0-9]{1,64}", text, re.IGNORECASE)), LOWERED),
            Wrong(lambda text: bool(re.fullmatch(r"\w{1,64}", text, re.ASCII)), UNDERSCORE),
            Wrong(lambda text: bool(re.fullmatch("[a-z0-9]{1,64}", text.lower())), LOWERED),
            Wrong(lambda text: bool(re.fullmatch("[a-z0-9]{1,64}", text)), CASE),
            Wrong(lambda text: text.isascii() and text.isalnum(), LENGTH),
            Wrong(lambda text: bool(re.fullmatch("[A-Za-z0-9]{,64}", text)), EMPTY),
        ),
    ),
    "03.3": Exercise(
        "no threshold on a score",
        grade_best,
        (
            "Run `best` on what the index finds for `file`. How many are left, and how many hold the word?",
            "A rank needs no number to compare with. Which end of the sorted list is the good one?",
            "Sort by score, then by passage id, and take two from the front.",
        ),
        (
            Wrong(lambda hits: [hit for hit in hits if hit.native_score < -0.5], THRESHOLD),
            Wrong(lambda hits: [hit for hit in hits if hit.native_score <= hits[0].native_score / 2], THRESHOLD),
            Wrong(lambda hits: hits[:2], UNSORTED),
            Wrong(lambda hits: sorted(hits, key=lambda hit: -hit.native_score)[:2], HIGHEST),
            Wrong(lambda hits: sorted(hits, key=lambda hit: hit.native_score)[:2], TIES),
        ),
    ),
    "03.4": Exercise(
        "a common word weighs a millionth",
        grade_weight,
        (
            "First the formula as it stands; then try it on a term that most passages hold.",
            "`log` of a fraction below one is below zero. What should stand there instead?",
            "Keep the logarithm in a name, and return it when it is above zero, the floor otherwise.",
        ),
        (
            Wrong(_idf, BELOW_ZERO),
            Wrong(lambda n, df: abs(_idf(n, df)), BELOW_ZERO),
            Wrong(lambda n, df: max(_idf(n, df), 0), BELOW_ZERO),
            Wrong(lambda n, df: 1e-6 if _idf(n, df) < 0 else _idf(n, df), EXACTLY_HALF),
            Wrong(lambda n, df: max(math.log(n / df), 1e-6), NO_HALVES),
        ),
    ),
}
