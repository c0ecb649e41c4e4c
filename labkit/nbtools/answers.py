"""Whether exercises judge well: a stub is open, its solution passes, and each usual wrong answer fails as it should."""

import random
from collections.abc import Iterator

from nbformat import NotebookNode

from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, judge
from labkit.nbtools.cell_code import first_arguments
from labkit.nbtools.executed import Executed
from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson, tags
from labkit.nbtools.output_fields import shown_text
from labkit.nbtools.practice import kept_for
from labkit.nbtools.series import Series

SEEDS = range(8)
LEAST_WRONG = 2


def stub_open(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """A stub runs as it is and does not pass: the reader still has something to do."""
    for cell, id_, reply in _replies(lesson, run, "stub"):
        if reply.startswith(f"{id_} passed"):
            yield Problem(f"the stub of {id_} is already solved", cell, "not answered, or not yet", reply)


def solution_passes(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """A solution passes its own check."""
    for cell, id_, reply in _replies(lesson, run, "solution"):
        if not reply.startswith(f"{id_} passed"):
            yield Problem(f"the solution of {id_} does not pass", cell, f"{id_} passed", reply)


def wrong_answers(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """At least two usual wrong answers are kept for each exercise; each fails always, for the reason kept with it."""
    exercises: dict[str, Exercise] = getattr(kept_for(lesson), "EXERCISES", {})
    for id_, exercise in exercises.items():
        if len(exercise.wrong) < LEAST_WRONG:
            yield Problem(
                f"too few wrong answers are kept for {id_}", None, f"at least {LEAST_WRONG}", str(len(exercise.wrong))
            )
        for number, wrong in enumerate(exercise.wrong, 1):
            said = {_said(exercise, wrong, seed) for seed in SEEDS} - {wrong.thought}
            if said:
                yield Problem(
                    f"wrong answer {number} of {id_} does not fail as it should", None, wrong.thought, min(said)
                )


def hints(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Each exercise has three hints, each with something of its own to say."""
    exercises: dict[str, Exercise] = getattr(kept_for(lesson), "EXERCISES", {})
    for id_, exercise in exercises.items():
        told = {hint.strip() for hint in exercise.hints} - {""}
        if len(exercise.hints) != 3 or len(told) != 3:
            yield Problem(f"the hints of {id_} are not three", None, "3 hints", str(len(told)))


def _said(exercise: Exercise, wrong: Wrong, seed: int) -> str:
    try:
        failure: Failure | None = judge(exercise, wrong.answer, random.Random(seed))
    except Unanswered:
        return "not answered"
    except Exception as error:  # noqa: BLE001 - an exercise's judge is under test here, and may raise anything
        return f"the judge raised {type(error).__name__}: {error}"
    return failure.thought if failure else "it passes"


def _replies(lesson: Lesson, run: Executed, tag: str) -> Iterator[tuple[NotebookNode, str, str]]:
    ended = run.whole.cells[:-1] if run.whole.reason else run.whole.cells
    for cell, now in zip(lesson.cells, ended, strict=False):
        if tag in tags(cell):
            for id_ in first_arguments(cell, "check")[-1:]:
                yield cell, id_, shown_text(now)
