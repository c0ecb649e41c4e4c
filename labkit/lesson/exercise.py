"""Exercises that answer back: what failed, what was expected, and which thought leads there."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labkit.lesson.predict import exercises_of
from labkit.lesson.progress import load_progress, save_progress
from labkit.lesson.reply import Reply, listed


@dataclass(frozen=True)
class Failure:
    """Why an answer does not pass: the case, what it should have given, and the thought that leads to the answer."""

    case: str
    expected: str
    thought: str


STEP_LOST = "a step may be left out or come twice"
OTHER_FORM = "any kind of value can be judged; only one of the form that the statement asks for"

Grade = Callable[[Any, random.Random], Failure | None]
"""Judges an answer on cases drawn anew from the generator; None when all pass."""


@dataclass(frozen=True)
class Wrong:
    """A usual wrong answer, kept as test data, and the thought that its failure must name."""

    answer: Any
    thought: str


@dataclass(frozen=True)
class Exercise:
    """One exercise: the rule it drills, its judge, three hints from gentle to plain, its usual wrong answers."""

    rule: str
    grade: Grade
    hints: tuple[str, str, str]
    wrong: tuple[Wrong, ...]


class Unanswered(Exception):
    """The dots of the stub still stand where the answer goes."""


class Raised(Exception):
    """The learner's function raised; `failure` says on which case."""

    def __init__(self, failure: Failure):
        super().__init__(failure.case)
        self.failure = failure


def call(answer: Any, *arguments: Any, case: str) -> Any:
    """What the learner's function returns; Unanswered for dots, Raised when it raises or is no function."""
    if not callable(answer):
        raise Raised(Failure(case, "a function", f"a {type(answer).__name__} can be called"))
    try:
        returned = answer(*arguments)
    except (Exception, SystemExit) as error:  # a learner's code may raise anything, and the lesson goes on
        if "ellipsis" in str(error).lower():  # the dots were used as a value
            raise Unanswered from error
        raise Raised(Failure(case, "a value", f"{type(error).__name__} cannot happen here")) from error
    if returned is ... or (isinstance(returned, str) and "Ellipsis" in returned):  # dots in an f-string
        raise Unanswered
    return as_list(returned)


def made_of(make: Callable[[], Any], otherwise: Failure) -> Any:
    """What the lab's own code makes of a learner's value; Raised with this failure when it can make nothing of it."""
    try:
        return make()
    except Exception as error:  # sqlite3, json and the lab each refuse a strange value in their own way
        raise Raised(otherwise) from error


def as_list(answer: Any) -> Any:
    """A tuple as the list that a learner might as well have written; all else as it is."""
    return list(answer) if type(answer) is tuple else answer  # a named tuple is more than its parts


def in_order(steps: Sequence[str], before: Sequence[tuple[str, str, str]]) -> Grade:
    """Judges a list or tuple of all the steps: in each (first, then, thought) the first must stand before the other.

    The stub holds the steps in the order of the alphabet.
    """

    def grade(answer: Any, _rng: random.Random) -> Failure | None:
        if not is_each_once(answer, steps):
            return Failure("the list", f"each of the {len(steps)} steps once", STEP_LOST)
        if answer == sorted(steps):
            raise Unanswered
        for first, then, thought in before:
            if answer.index(first) > answer.index(then):
                return Failure(f'"{first}" and "{then}"', f'"{first}" before "{then}"', thought)
        return None

    return grade


def is_each_once(answer: Any, names: Iterable[str]) -> bool:
    """Whether the answer is a list that holds each of the names once, in any order."""
    return (
        isinstance(answer, list) and all(isinstance(name, str) for name in answer) and sorted(answer) == sorted(names)
    )


def is_like(answer: Any, stub: Mapping[str, Any]) -> bool:
    """Whether the answer is a dictionary of the stub's fields, each of the type that stands there; True is no int."""
    return isinstance(answer, dict) and _types(answer) == _types(stub)


def _types(fields: Mapping[str, Any]) -> dict[str, type]:
    return {name: type(value) for name, value in fields.items()}


def find_exercise(id_: str) -> Exercise:
    """The exercise of that id; LookupError that lists the lesson's own."""
    exercises: Mapping[str, Exercise] = exercises_of(id_).EXERCISES
    if id_ not in exercises:
        raise LookupError(f'no exercise "{id_}"; this lesson has {listed(list(exercises))}')
    return exercises[id_]


def judge(exercise: Exercise, answer: Any, rng: random.Random) -> Failure | None:
    """None when the answer passes on the cases that `rng` draws; Unanswered while the dots are there.

    A grade never sees a tuple, as answer or as what a learner's function returns: it is judged as a list.
    """
    if answer is ...:
        raise Unanswered
    try:
        return exercise.grade(as_list(answer), rng)
    except Raised as raised:
        return raised.failure


def check(id_: str, answer: Any) -> Reply:
    """Judge an answer; a pass is kept in the progress file.

    A value so strange that looking at it raises has another form than was asked for, and is told so.
    """
    exercise = find_exercise(id_)
    try:
        failure = judge(exercise, answer, random.Random())
    except Unanswered:
        return Reply(f"{id_} not answered", ("Write your answer into the cell, then run it again.",))
    except Exception:  # noqa: BLE001 - a value of a learner's own class may raise anything when it is compared
        failure = Failure("your answer", "a value of the form that the statement asks for", OTHER_FORM)
    if failure is None:
        progress = load_progress()
        progress.passed[id_] = exercise.rule
        unkept = save_progress(progress)
        return Reply(f"{id_} passed", tuple(filter(None, [f"Rule: {exercise.rule}.", unkept])))
    return Reply(
        f"{id_} not yet",
        (
            f"Case: {failure.case}.",
            f"Expected: {failure.expected}.",
            f"A common thought behind this answer: {failure.thought}.",
        ),
    )


def hint(id_: str, step: int) -> Reply:
    """Hint 1, 2 or 3 of an exercise, each plainer than the one before."""
    hints = find_exercise(id_).hints
    if isinstance(step, bool) or step not in (1, 2, 3):
        raise LookupError(f"hints of {id_} are numbered 1, 2 and 3")
    return Reply(f"{id_} hint {step} of 3", (hints[step - 1],))
