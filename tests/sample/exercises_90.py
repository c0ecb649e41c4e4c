"""Predictions and exercises of the sample lesson, which the tests of the gate spoil in many ways."""

import random
from typing import Any

from labkit.lesson.exercise import Exercise, Failure, Wrong, call
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    f"90.{letter}": Prediction(
        "one spelling",
        {
            "two": "capitals make another word; they do, for a computer",
            "one": "a computer reads as we do; it compares signs",
            "refused": "a word in capitals is an error; it is text like others",
        },
    )
    for letter in "ABC"
}

CAPITALS = "capitals make another word"
EMPTY = "there is always a word"
SHORTEST = "the first is the longest"


def grade_folded(answer: Any, rng: random.Random) -> Failure | None:
    word = rng.choice(["json", "file", "path"])
    if call(answer, word.upper(), case="a word in capitals") != word:
        return Failure("a word in capitals", "the same word in small letters", CAPITALS)
    return None


def grade_number(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == 2:
        return None
    return Failure("the number of words", "the number of different words", CAPITALS if answer == 3 else EMPTY)


def grade_longest(answer: Any, rng: random.Random) -> Failure | None:
    words = ["a", "bb", "c" * rng.randint(3, 5)]
    if call(answer, words, case=f"longest({words})") != words[-1]:
        return Failure(f"longest({words})", "the longest word", SHORTEST)
    if call(answer, [], case="longest([])") != "":
        return Failure("longest([])", "an empty text", EMPTY)
    return None


HINTS = ("Read the rule again.", "Small letters first.", "Write `word.lower()`.")
EXERCISES = {
    "90.1": Exercise("one spelling", grade_number, HINTS, (Wrong(3, CAPITALS), Wrong(0, EMPTY))),
    "90.2": Exercise(
        "one spelling", grade_folded, HINTS, (Wrong(lambda word: word, CAPITALS), Wrong(str.title, CAPITALS))
    ),
    "90.3": Exercise(
        "one spelling",
        grade_longest,
        HINTS,
        (Wrong(lambda words: words[0] if words else "", SHORTEST), Wrong(lambda words: (words or ["none"])[-1], EMPTY)),
    ),
}
