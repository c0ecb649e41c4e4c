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

NO_COUNT = "any value is a number of words; it is a whole number, and in this exercise 1000 at most"
SHORT_OR_LONG = "a document without the word does not count; its length moves the average"
ALL_TEXTS = "how rare a word is may be counted over everything; then a hidden text with the word shows"
ALL_AVERAGE = "the average may be taken over everything; then the length of a hidden text shows"
ALL_COUNT = "how many passages there are is no secret; it is a figure of the score like the others"
EACH_TIME = "a word counts as often as it stands there; a passage holds it or does not"
CUT_OFF = "an average is a whole number; it may have a fraction, which moves a score like the rest"
NOT_OWN = "the figure may come from elsewhere; it is counted anew each time, from the texts of `own`"
NO_FIGURES = "it is enough to work the figures out; the three of them have to be returned, in their order"
NOT_RETURNED = "it is enough to work the names out; they have to be returned"
NO_SET = "a list of names will do; in it a name can stand twice, in a set it cannot"
NAMES_ONLY = "only what came or went has moved; a place or a score may move, too"
SCORES_ONLY = "only scores move; a place may move while the score stays"
GONE = "what is no longer there needs no mention; that it went is a move"
CAME = "what was not there before cannot have moved; that it came is a move"
ALL_MOVED = "whatever stands in an answer has moved; most of it may have stayed where it was"
NO_NUMBER = "any value can be a number of passages; it is a whole number, `count` at most"
NOT_WHOLE = "a fraction of a passage may hold a word; the number is whole, and rounding gives it"
NO_ROUNDING = "`int` gives the nearest whole number; it cuts off, and 4.999 becomes 4"
NO_HALVES = "the halves make no difference; for few passages they decide"
NOT_INVERTED = "the formula is its own inverse; to undo a logarithm takes `exp`"
NOT_SOLVED = "another formula will do; put its n into the one above, and the weight must come out"
RETURNED = "what `statistics` returns"


def grade_luck(answer: Any, _rng: random.Random) -> Failure | None:
    if type(answer) is not int or not 1 <= answer <= 1000:
        return Failure("`mine`", "a whole number of words from 1 to 1000", NO_COUNT)
    if answer == 10:
        raise Unanswered
    corpus = load_corpus()
    hidden = document("hidden", "3.12", "https://hidden.invalid/", " ".join(["word"] * answer))
    scores = []
    for snapshot in (corpus, corpus_of([*corpus.documents, hidden])):
        index = build_index(snapshot)
        scores.append(index.search("file", sources={"json-text"}, version="3.12", k=1)[0].native_score)
        index.close()
    return None if scores[0] == scores[1] else Failure("the two scores", "the same digits", SHORT_OR_LONG)


def grade_statistics(answer: Any, rng: random.Random) -> Failure | None:
    names = ("how many passages", "their average length", "how many hold the word")
    *words, other = rng.sample(["file", "json", "path", "text"], k=4)
    for word, count, holding in zip(words, (3, 4, 2), (1, 2, 1), strict=True):
        own = [[word] * 5 + [other] * rng.randint(1, 8) for _ in range(holding)]
        own += [[other] * rng.randint(1, 8) for _ in range(count - holding)]
        own[0] += [other] * (sum(map(len, own)) % count == 0)  # so that the average has a fraction
        allowed = {f"own {place}": words for place, words in enumerate(own)}
        texts = allowed | {"hidden": [word] * rng.randint(20, 30)}
        got = call(answer, {name: list(each) for name, each in texts.items()}, set(allowed), word, case=RETURNED)
        if type(got) is not list or len(got) != 3 or not all(type(figure) in (int, float) for figure in got):
            return Failure(RETURNED, "three figures", NO_FIGURES)
        for place, wanted in enumerate((count, sum(map(len, own)) / count, holding)):
            if not _close(got[place], wanted):
                case, thought = f"{names[place]}, with one hidden text", _of_figure(place, got[place], texts, own, word)
                return Failure(f"{case} that holds the word", "counted over the caller's own texts", thought)
    return None


def _of_figure(place: int, got: float, texts: Mapping[str, list[str]], own: list[list[str]], word: str) -> str:
    """The thought behind a figure that is not the one of the caller's own texts."""
    average, over_all = (sum(map(len, texts)) / len(texts) for texts in (own, texts.values()))
    times, all_holding = sum(words.count(word) for words in own), sum(word in words for words in texts.values())
    thoughts: list[dict[float, str]] = [
        {len(texts): ALL_COUNT},
        {over_all: ALL_AVERAGE, int(average): CUT_OFF, round(average): CUT_OFF, round(average, 1): CUT_OFF},
        {times: EACH_TIME, all_holding: ALL_TEXTS},
    ]
    return next((thought for figure, thought in thoughts[place].items() if _close(got, figure)), NOT_OWN)


def grade_moved(answer: Any, rng: random.Random) -> Failure | None:
    a, b, c, d = rng.sample("abcdefgh", k=4)
    cases: list[tuple[str, list[tuple[str, float]], list[tuple[str, float]], set[str], str]] = [
        ("nothing moved", [(a, -2.0), (b, -1.0)], [(a, -2.0), (b, -1.0)], set(), ALL_MOVED),
        ("one came", [(a, -2.0)], [(a, -2.0), (b, -1.0)], {b}, CAME),
        ("one went", [(a, -2.0), (c, -1.0)], [(a, -2.0)], {c}, GONE),
        ("a score moved", [(a, -2.0), (d, -1.0)], [(a, -2.0), (d, -1.5)], {d}, NAMES_ONLY),
        ("a score moved the other way", [(a, -2.0)], [(a, -1.0)], {a}, NAMES_ONLY),
        ("one came on top", [(a, -2.0)], [(b, -3.0), (a, -2.0)], {a, b}, SCORES_ONLY),
        ("two of one score changed places", [(a, -2.0), (c, -2.0)], [(c, -2.0), (a, -2.0)], {a, c}, SCORES_ONLY),
    ]
    for case, before, after, wanted, thought in cases:
        got = call(answer, list(before), list(after), case=case)
        expected = f"a set of {' and '.join(sorted(wanted))}" if wanted else "an empty set"
        if type(got) not in (set, frozenset):
            return Failure(case, expected, NOT_RETURNED if got is None else NO_SET)
        if got != wanted:
            return Failure(f"{case}: {before}, then {after}", expected, ALL_MOVED if got - wanted else thought)
    return None


def grade_how_many(answer: Any, rng: random.Random) -> Failure | None:
    for _ in range(40):
        count = rng.randint(12, 400)
        holding = rng.randint(1, count // 3)
        weight = math.log((count - holding + 0.5) / (holding + 0.5))
        case = f"a weight of {weight:.3f}, {count} passages"
        got = call(answer, weight, count, case=case)
        if type(got) not in (int, float) or not _finite(got):
            return Failure(case, f"{holding}", NO_NUMBER)
        if got != holding or type(got) is float:
            return Failure(case, f"{holding}, as a whole number", _of_number(got, holding, weight, count))
    return None


def _of_number(got: float, holding: int, weight: float, count: int) -> str:
    """The thought behind a number of passages that is not the one."""
    if abs(got - holding) < 0.5:
        return NOT_WHOLE
    again = math.log((count - weight + 0.5) / (weight + 0.5))
    thoughts = {NO_ROUNDING: int(_solved(weight, count)), NO_HALVES: count / math.exp(weight), NOT_INVERTED: again}
    return next((thought for thought, number in thoughts.items() if got in (number, round(number))), NOT_SOLVED)


def _solved(weight: float, count: int) -> float:
    return (count + 0.5 - 0.5 * math.exp(weight)) / (1 + math.exp(weight))


def _close(got: float, wanted: float) -> bool:
    return _finite(got) and math.isclose(got, wanted)


def _finite(number: float) -> bool:
    return abs(number) < 1e300  # an int may be too large to become a float; NaN is below nothing


def _statistics(
    texts: Any, counted: Any, measured: Any, looked_at: Any, word: str, holds: Any = list.__contains__
) -> Any:
    average = sum(len(texts[name]) for name in measured) / len(measured)
    return len(counted), average, sum(holds(texts[name], word) for name in looked_at)


EXERCISES = {
    "07.1": Exercise(
        "a score counts over all passages",
        grade_luck,
        (
            "The word is so common here that its weight lies on the floor. Which other figure does the document move?",
            "The average length of all passages stays when the new one has exactly that length.",
            "The table of figures at the top of this lesson holds the average.",
        ),
        (Wrong(36, SHORT_OR_LONG), Wrong(1, SHORT_OR_LONG), Wrong(33, SHORT_OR_LONG), Wrong(34.0, NO_COUNT)),
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
            Wrong(lambda texts, may, word: _statistics(texts, may, may, texts, word), ALL_TEXTS),
            Wrong(lambda texts, may, word: _statistics(texts, may, texts, may, word), ALL_AVERAGE),
            Wrong(lambda texts, may, word: _statistics(texts, texts, may, may, word), ALL_COUNT),
            Wrong(lambda texts, may, word: _statistics(texts, may, may, may, word, list.count), EACH_TIME),
            Wrong(lambda texts, may, _: _statistics(texts, may, may, may, "file"), NOT_OWN),
            Wrong(lambda *_: (3, 6.5, 1), NOT_OWN),
            Wrong(lambda *_: None, NO_FIGURES),
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
            Wrong(lambda before, after: {n for n, _ in before} | {n for n, _ in after}, ALL_MOVED),
            Wrong(lambda before, after: {n for n, _ in set(before) - set(after)}, CAME),
            Wrong(lambda before, after: [n for n, _ in set(before) ^ set(after)], NO_SET),
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
            Wrong(_solved, NOT_WHOLE),
            Wrong(lambda weight, count: int(_solved(weight, count)), NO_ROUNDING),
            Wrong(lambda weight, count: round(count / math.exp(weight)), NO_HALVES),
            Wrong(lambda weight, count: round(math.log((count - weight + 0.5) / (weight + 0.5))), NOT_INVERTED),
            Wrong(lambda weight, count: round(count / (1 + weight)), NOT_SOLVED),
        ),
    ),
}
