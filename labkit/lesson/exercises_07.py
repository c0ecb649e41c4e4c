"""Predictions and exercises of 07_ranking."""

import math
import random
from collections.abc import Mapping
from typing import Any

from labkit.corpus import corpus_of, document, load_corpus
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction
from labkit.search import build_index

PREDICTIONS = {
    "07.A": Prediction(
        "a score counts over all passages",
        {
            "that passage": "a score says how well a passage fits; it says so compared with the others",
            "all of version 3.12": "only what could be found takes part; the index counts all that it holds",
            "all four": "everything in the snapshot takes part, hidden or old",
        },
    ),
    "07.B": Prediction(
        "a hidden document moves a score",
        {
            "nothing": "what is filtered out takes no part; it takes part in the average and in the rarity",
            "the score": "the average length has changed",
            "the passages": "the new document comes up; the filter keeps it away",
        },
    ),
    "07.C": Prediction(
        "statistics of one's own",
        {
            "nothing": "no figure comes from what the caller may not see",
            "the score": "every index counts all documents; this one is built of the eligible passages only",
            "the passages": "another contract finds other passages; both find the same, with other scores",
        },
    ),
    "07.D": Prediction(
        "the snapshot's id tells that something changed",
        {
            "yes": "nothing that the reader may see has moved; but the reply also names the snapshot",
            "no, ids move": "a handle is bound to its snapshot, and says so",
            "no, results move": "a score moves; under this contract none does",
        },
    ),
}

SHORT_OR_LONG = "a document without the word does not count; its length moves the average"
ALL_TEXTS = "how rare a word is may be counted over everything; then a hidden text with the word shows"
ALL_AVERAGE = "the average may be taken over everything; then the length of a hidden text shows"
ALL_COUNT = "how many passages there are is no secret; it is a figure of the score like the others"
EACH_TIME = "a word counts as often as it stands there; a passage holds it or does not"
NOT_RETURNED = "it is enough to work the names out; they have to be returned"
NAMES_ONLY = "only what came or went has moved; a place or a score may move, too"
SCORES_ONLY = "only scores move; a place may move while the score stays"
GONE = "what is no longer there needs no mention; that it went is a move"
NOT_WHOLE = "a fraction of a passage may hold a word; the number is whole, and rounding gives it"
NO_HALVES = "the halves make no difference; for few passages they decide"
NOT_INVERTED = "the formula is its own inverse; to undo a logarithm takes `exp`"


def grade_luck(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == 10:
        raise Unanswered
    if not isinstance(answer, int) or isinstance(answer, bool) or not 1 <= answer <= 1000:
        return Failure("`mine`", "a number of words from 1 to 1000", "any number will do")
    corpus = load_corpus()
    hidden = document("hidden", "3.12", "https://hidden.invalid/", " ".join(["word"] * answer))
    scores = []
    for snapshot in (corpus, corpus_of([*corpus.documents, hidden])):
        index = build_index(snapshot)
        scores.append(index.search("file", sources={"json-text"}, version="3.12", k=1)[0].native_score)
        index.close()
    return None if scores[0] == scores[1] else Failure("the two scores", "the same digits", SHORT_OR_LONG)


def grade_statistics(answer: Any, rng: random.Random) -> Failure | None:
    texts = {
        "own": ["file"] * 3 + ["word"] * (2 * rng.randint(1, 4)),
        "mine": ["word"] * (2 * rng.randint(1, 4)),  # the sum is odd, so that their average has a half
        "hidden": ["file"] * rng.randint(20, 30),
    }
    wanted = [2, (len(texts["own"]) + len(texts["mine"])) / 2, 1]
    got = call(
        answer, {name: list(words) for name, words in texts.items()}, {"own", "mine"}, "file", case="two of three"
    )
    if got == wanted:
        return None
    if not isinstance(got, list) or len(got) != 3:
        return Failure("what comes back", "three figures", ALL_COUNT)
    wrong = next(place for place in range(3) if got[place] != wanted[place])
    thought = (ALL_COUNT, ALL_AVERAGE, EACH_TIME if got[2] == 3 else ALL_TEXTS)[wrong]
    name = ("how many passages", "their average length", "how many hold the word")[wrong]
    return Failure(f"{name}, with one hidden text that holds the word", "counted over the caller's own texts", thought)


def grade_moved(answer: Any, rng: random.Random) -> Failure | None:
    a, b, c, d = rng.sample("abcdefgh", k=4)
    cases: list[tuple[str, list[tuple[str, float]], list[tuple[str, float]], set[str], str]] = [
        ("nothing moved", [(a, -2.0), (b, -1.0)], [(a, -2.0), (b, -1.0)], set(), NAMES_ONLY),
        ("one came", [(a, -2.0)], [(a, -2.0), (b, -1.0)], {b}, GONE),
        ("one went", [(a, -2.0), (c, -1.0)], [(a, -2.0)], {c}, GONE),
        ("a score moved", [(a, -2.0), (d, -1.0)], [(a, -2.0), (d, -1.5)], {d}, NAMES_ONLY),
        ("a score moved the other way", [(a, -2.0)], [(a, -1.0)], {a}, NAMES_ONLY),
        ("one came on top", [(a, -2.0)], [(b, -3.0), (a, -2.0)], {a, b}, SCORES_ONLY),
        ("two of one score changed places", [(a, -2.0), (c, -2.0)], [(c, -2.0), (a, -2.0)], {a, c}, SCORES_ONLY),
    ]
    for case, before, after, wanted, thought in cases:
        got = call(answer, list(before), list(after), case=case)
        if not isinstance(got, (set, frozenset)):
            return Failure(case, "a set of names", NOT_RETURNED)
        if got != wanted:
            return Failure(case, f"{len(wanted)} names", thought)
    return None


def grade_how_many(answer: Any, rng: random.Random) -> Failure | None:
    for _ in range(40):
        count = rng.randint(12, 400)
        holding = rng.randint(1, count // 3)
        weight = math.log((count - holding + 0.5) / (holding + 0.5))
        case = f"{holding} of {count}"
        got = call(answer, weight, count, case=case)
        if not isinstance(got, int | float) or abs(got - holding) > 0.6:
            plain = round(count / math.exp(weight))  # as if n of N weighed ln(N / n)
            return Failure(case, f"{holding}", NO_HALVES if got == plain else NOT_INVERTED)
        if got != holding or not isinstance(got, int):
            return Failure(case, f"{holding}, as a whole number", NOT_WHOLE)
    return None


def _statistics(texts: Mapping[str, list[str]], own: list[str], counted: list[str], holders: list[str]) -> Any:
    average = sum(len(texts[name]) for name in own) / len(own)
    return len(counted), average, sum("file" in texts[name] for name in holders)


EXERCISES = {
    "07.1": Exercise(
        "a score counts over all passages",
        grade_luck,
        (
            "The word is so common here that its weight lies on the floor. Which other figure does the document move?",
            "The average length of all passages stays when the new one has exactly that length.",
            "The table of figures at the top of this lesson holds the average.",
        ),
        (Wrong(36, SHORT_OR_LONG), Wrong(1, SHORT_OR_LONG), Wrong(33, SHORT_OR_LONG)),
    ),
    "07.2": Exercise(
        "statistics of one's own",
        grade_statistics,
        (
            "Add a hidden text that holds the word, and look at each of the three figures.",
            "Two of the figures are made from `own`.",
            "Count the holders in `own`, too.",
        ),
        (
            Wrong(lambda texts, may, _: _statistics(texts, sorted(may), sorted(may), sorted(texts)), ALL_TEXTS),
            Wrong(lambda texts, may, _: _statistics(texts, sorted(texts), sorted(may), sorted(may)), ALL_AVERAGE),
            Wrong(lambda texts, may, _: _statistics(texts, sorted(may), sorted(texts), sorted(may)), ALL_COUNT),
            Wrong(
                lambda texts, may, word: (
                    *_statistics(texts, sorted(may), sorted(may), [])[:2],
                    sum(texts[name].count(word) for name in may),
                ),
                EACH_TIME,
            ),
        ),
    ),
    "07.3": Exercise(
        "a hidden document moves a score",
        grade_moved,
        (
            "Give each name its place and its score, before and after.",
            "Walk through the names of both lists, so that what went is seen as well.",
            "Make a dictionary from name to place and score for each list, and compare what `get` gives.",
        ),
        (
            Wrong(lambda before, after: {n for n, _ in before} ^ {n for n, _ in after}, NAMES_ONLY),
            Wrong(lambda before, after: {n for n, _ in set(before) ^ set(after)}, SCORES_ONLY),
            Wrong(lambda _before, _after: None, NOT_RETURNED),
            Wrong(
                lambda before, after: {n for place, (n, s) in enumerate(after) if (n, s) not in before[place:][:1]},
                GONE,
            ),
        ),
    ),
    "07.4": Exercise(
        "a hidden document moves a score",
        grade_how_many,
        (
            "Undo the logarithm first: what is `exp(weight)` equal to?",
            "With q for that: q · (n + ½) = N - n + ½. Solve for n.",
            "n is (N + ½ - ½ q) / (1 + q), rounded to a whole number.",
        ),
        (
            Wrong(lambda weight, count: (count + 0.5 - 0.5 * math.exp(weight)) / (1 + math.exp(weight)), NOT_WHOLE),
            Wrong(lambda weight, count: round(count / math.exp(weight)), NO_HALVES),
            Wrong(lambda weight, count: round(math.log((count - weight + 0.5) / (weight + 0.5))), NOT_INVERTED),
        ),
    ),
}
