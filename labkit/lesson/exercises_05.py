"""Predictions and exercises of 05_eligible."""

import random
from contextlib import closing
from typing import Any

from labkit.corpus import load_corpus
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, is_like, made_of
from labkit.lesson.predict import Prediction
from labkit.search import build_index

PREDICTIONS = {
    "05.A": Prediction(
        "eligible first, then the cut",
        {
            "k = 1": "the reader's passage is the best one; a passage that the reader may not see is better",
            "k = 2": "one hidden passage stands above it",
            "k = 4": "all have to be fetched to be safe; that is safe, and then the cut does nothing",
        },
    ),
    "05.B": Prediction(
        "eligible first, then the cut",
        {
            "9 of 10": "ten times as many is plenty; of a hundred, one document of fifty has two or so",
            "4 of 10": "a hundred candidates hold some of the caller's passages, and far from all",
            "1 of 10": "one document of fifty leaves nothing; few passages of it hold the word, and some are found",
        },
    ),
    "05.C": Prediction(
        "the plan is part of the result",
        {
            "one match, then the filter": "the database filters what the match gave; it does, with the other statement",
            "a match for each eligible row": "a row id looks like a fast way in, and is taken once a row",
            "the filter, and no match": "the row ids alone name the result; they say nothing about the word",
        },
    ),
    "05.D": Prediction(
        "a version is exact",
        {
            "3.12": "3.12 begins with 3.1; a version is a name here, and names are equal or they are not",
            "3.9": "the nearest older version answers; it says something else about the same function",
            "none": "no passage is of exactly that version",
        },
    ),
}

ANOTHER_WORD = "another word finds it; the word finds both versions, and the version is the question"
MORE_PLACES = "more places bring it in; what is of another version is not eligible, however many places there are"
FIELDS = "a request may hold anything; a search takes one word, a version as text and a k from 1 up"
NEAR_VERSION = "a version near it will do; only exactly that version is eligible"
MORE = "a larger factor is safe; there is always a caller whose passages stand further down"
ANY_ORDER = "the order of the list does not matter; it comes best first"
NO_FILTER = "the best are wanted, whoever asks; only the allowed names may be handed out"
NO_CUT = "all that is allowed is wanted; the caller asked for k"
PRECISION = "it is the share of what was found that is right; that is precision, and it hides what is missing"
COUNTS = "the two lengths are enough; what was found may be something else"
NOTHING_WANTED = "nothing found is nothing achieved; but where nothing was wanted nothing was missed"
ONE_ONLY = "the first allowed name is enough; k of them are asked for"
GUESSED = "a fixed number, or a share of the list, is enough; the names of this caller may stand anywhere"
FEWER = "k allowed names are always there; a caller may have fewer"


def grade_version(answer: Any, _rng: random.Random) -> Failure | None:
    asked = {"query": "file", "version": "3.12", "k": 1}
    if repr(answer) == repr(asked):  # `True` is no 1 here
        raise Unanswered
    strange = Failure("`mine`", "a query, a version and a k that a search takes", FIELDS)
    if not is_like(answer, asked) or answer["k"] < 1:
        return strange
    corpus = load_corpus()
    with closing(build_index(corpus)) as index:
        hits = made_of(lambda: index.search(sources=corpus.sources, **answer), strange)
    if not hits:
        return Failure("the search", "one passage", ANOTHER_WORD if answer["version"] == "3.12" else NEAR_VERSION)
    if len(hits) > 1:
        return Failure("the search", "one passage", MORE_PLACES)
    found = hits[0].passage
    if (found.source_id, found.version) != ("path-write", "3.9"):
        return Failure("the passage found", "the one that says nothing of `newline`", ANOTHER_WORD)
    return None


def grade_best(answer: Any, rng: random.Random) -> Failure | None:
    for count in (500, 50_000):  # the stub fails on the first, whatever k is
        ranked = [f"n{number}" for number in range(count)]
        rng.shuffle(ranked)  # the order of the names is not that of the list
        allowed = {ranked[-1 - place] for place in rng.sample(range(count // 4), k=4)}
        k = rng.randint(2, 3)
        case = f"the allowed names stand in the last quarter of {count}"
        got = call(answer, list(ranked), set(allowed), k, case=case)
        wanted = [name for name in ranked if name in allowed][:k]
        if got != wanted:
            return Failure(case, "the k best of the allowed names, best first", _why(got, k, allowed))
    return None


def grade_share(answer: Any, rng: random.Random) -> Failure | None:
    names = rng.sample("abcdefghij", k=8)
    # By hand: half of the four wanted are found, and twice as many that nobody wanted.
    cases: list[tuple[list[str], list[str], float, str]] = [
        (names[:2] + names[4:8], names[:4], 0.5, PRECISION),
        (names[4:8], names[:4], 0.0, COUNTS),
        (names[:4], names[:4], 1.0, PRECISION),
        ([], [], 1.0, NOTHING_WANTED),
        (names[:2], [], 1.0, NOTHING_WANTED),
        ([], names[:3], 0.0, COUNTS),
    ]
    for found, wanted, share, thought in cases:
        case = f"{len(found)} found, {len(wanted)} wanted, {len({*found} & {*wanted})} in both"
        got = call(answer, list(found), list(wanted), case=case)
        if got != share:
            return Failure(case, f"{share}", _why_share(got, found, wanted, thought))
    return None


def grade_needed(answer: Any, rng: random.Random) -> Failure | None:
    ranked = [f"n{number}" for number in range(60)]
    low, high = rng.randint(5, 20), rng.randint(30, 50)
    cases = [
        ({ranked[low], ranked[high], ranked[59]}, 2, high + 1, ONE_ONLY),
        ({ranked[0], ranked[1]}, 2, 2, GUESSED),
        ({ranked[low]}, 3, low + 1, FEWER),
        (set(), 2, 0, FEWER),
    ]
    for allowed, k, number, thought in cases:
        places = sorted(ranked.index(name) + 1 for name in allowed)
        case = f"allowed at places {places}, k = {k}"
        got = call(answer, list(ranked), set(allowed), k, case=case)
        if got != number:
            first_only = bool(places) and got == places[0]
            return Failure(case, f"{number}", ONE_ONLY if first_only else GUESSED if got == 60 else thought)
    return None


def _why(got: Any, k: int, allowed: set[str]) -> str:
    if isinstance(got, list) and not allowed.issuperset(got):
        return NO_FILTER
    if isinstance(got, list) and len(got) > k:
        return NO_CUT
    return ANY_ORDER if isinstance(got, list) and len(got) == k else MORE


def _why_share(got: Any, found: list[str], wanted: list[str], thought: str) -> str:
    both = len({*found} & {*wanted})
    if found and got == both / len(found):
        return PRECISION
    return COUNTS if wanted and got in (len(found) / len(wanted), 1.0) else thought


def _share_by_count(found: list[str], wanted: list[str]) -> float:
    return min(1.0, len(found) / len(wanted)) if wanted else 1.0


def _precision(found: list[str], wanted: list[str]) -> float:
    return sum(name in wanted for name in found) / len(found) if found else float(not wanted)


def _first_place(ranked: list[str], allowed: set[str], _k: int) -> int:
    return next((place for place, name in enumerate(ranked, start=1) if name in allowed), 0)


def _kth_or_all(ranked: list[str], allowed: set[str], k: int) -> int:
    places = [place for place, name in enumerate(ranked, start=1) if name in allowed]
    return places[k - 1] if len(places) >= k else len(ranked) - 1


EXERCISES = {
    "05.1": Exercise(
        "a version is exact",
        grade_version,
        (
            "The summary that says nothing of `newline` is of an older version of the same function.",
            "The corpus holds two versions; which value of `mine` names one?",
            'The other version is "3.9".',
        ),
        (
            Wrong({"query": "file", "version": "3.12", "k": 4}, MORE_PLACES),
            Wrong({"query": "newline", "version": "3.12", "k": 1}, ANOTHER_WORD),
            Wrong({"query": "older", "version": "3.12", "k": 1}, ANOTHER_WORD),
            Wrong({"query": "file", "version": "3.1", "k": 1}, NEAR_VERSION),
            Wrong({"query": "file", "version": 3.9, "k": 1}, FIELDS),
            Wrong({"query": "file", "version": "3.12", "k": None}, FIELDS),
            Wrong({"query": "path-write", "version": "3.12", "k": 1}, FIELDS),
        ),
    ),
    "05.2": Exercise(
        "eligible first, then the cut",
        grade_best,
        (
            "Think of a caller whose names stand at the very end of a long list.",
            "Any number of candidates is too small for somebody.",
            "Filter the whole list, and cut what is left.",
        ),
        (
            Wrong(lambda ranked, allowed, k: [name for name in ranked[: 10 * k] if name in allowed][:k], MORE),
            Wrong(lambda ranked, allowed, k: [name for name in ranked[: 1000 * k] if name in allowed][:k], MORE),
            Wrong(lambda ranked, allowed, _k: [name for name in ranked if name in allowed], NO_CUT),
            Wrong(lambda ranked, _allowed, k: ranked[:k], NO_FILTER),
            Wrong(lambda ranked, allowed, k: [name for name in reversed(ranked) if name in allowed][:k], ANY_ORDER),
        ),
    ),
    "05.3": Exercise(
        "recall is the share of the wanted",
        grade_share,
        (
            "Which of the two lists do you walk through, and which do you look into?",
            "Divide by how many were wanted; and think of the case in which none was.",
            "Count the wanted names that are in `found`, divide by the number of wanted ones; 1.0 when there are none.",
        ),
        (
            Wrong(_precision, PRECISION),
            Wrong(_share_by_count, COUNTS),
            Wrong(lambda found, wanted: len(found) / len(wanted) if wanted else 1.0, COUNTS),
            Wrong(lambda found, wanted: sum(name in found for name in wanted) / max(1, len(wanted)), NOTHING_WANTED),
        ),
    ),
    "05.4": Exercise(
        "eligible first, then the cut",
        grade_needed,
        (
            "Write down the places, from one, at which allowed names stand.",
            "Of these places, which is the last that matters for k?",
            "It is the last of the first k places; and nought when there is no allowed name at all.",
        ),
        (
            Wrong(_first_place, ONE_ONLY),
            Wrong(lambda ranked, _allowed, _k: len(ranked), GUESSED),
            Wrong(_kth_or_all, FEWER),
        ),
    ),
}
