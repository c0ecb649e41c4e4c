"""How a lesson makes its reader work: predict before running, exercises with a stub, hints and a folded solution."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from nbformat import NotebookNode

from labkit.nbtools.cell_code import calls, first_arguments, last_value
from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson, Section, headings, tags
from labkit.nbtools.series import Series

KINDS = ("change one value", "fill a hole", "order the steps", "find the bug", "write one")
TITLE = re.compile(r"(?P<id>\d\d\.\d+) (?P<title>.+) \((?P<kind>[a-z ]+)\)")
PREDICTIONS = 3
FOLDED = "# A solution: unfold the cell to read it.\n"
"""JupyterLab shows the first line of what it folds."""


def kept_for(lesson: Lesson) -> ModuleType | None:
    """The module `exercises_NN` of the lesson, or None when there is none."""
    try:
        return import_module(f"labkit.lesson.exercises_{lesson.number}")
    except ModuleNotFoundError:
        return None


def predictions(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """At least three predictions, each kept in `exercises_NN`, asked once, and compared later in its section."""
    known = getattr(kept_for(lesson), "PREDICTIONS", {})
    asked = [id_ for cell in lesson.code_cells for id_ in first_arguments(cell, "predict")]
    if len(asked) < PREDICTIONS:
        yield Problem("too few predictions", None, f"at least {PREDICTIONS}", str(len(asked)))
    for id_ in [id_ for id_ in known if asked.count(id_) != 1]:
        yield Problem(f"the prediction {id_} is not asked once", None, "once", str(asked.count(id_)))
    for section in lesson.sections():
        yield from _pairs(section, known)


def asked_first(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A prediction stands open: `predict` with dots, in a cell tagged `predict`, under prose that asks."""
    for before, cell in zip(lesson.cells, lesson.cells[1:], strict=False):
        asks = list(calls(cell, "predict")) if cell.cell_type == "code" else []
        if bool(asks) != ("predict" in tags(cell)):
            yield Problem("`predict` and the tag predict go together", cell, "both or neither", "one")
        if asks and before.cell_type != "markdown":
            yield Problem("nothing is asked before the prediction", cell, "prose above", "code")
        if any(len(call.args) != 2 or getattr(call.args[1], "value", None) is not ... for call in asks):
            yield Problem("the prediction is already made", cell, "dots", "an answer")


def outcomes(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """An outcome is computed, and shown by cells tagged `outcome` alone, from the prediction up to its comparison."""
    for section in lesson.sections():
        waiting: set[str] = set()
        for cell in section.code_cells:
            compared = first_arguments(cell, "compare")
            shows = bool(compared) or bool(waiting and cell.outputs and not first_arguments(cell, "predict"))
            if shows and "outcome" not in tags(cell):
                yield Problem("the cell gives an outcome away", cell, "the tag outcome", "none")
            if compared and not _ends_in(cell, "compare"):
                yield Problem("the comparison is not the cell's value", cell, "compare(…) as last line")
            if any(isinstance(call.args[-1], ast.Constant) for call in calls(cell, "compare") if call.args[1:]):
                yield Problem("the outcome is written down", cell, "what the code gives", "a text")
            waiting = (waiting | set(first_arguments(cell, "predict"))) - set(compared)


def explained(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """After an outcome comes prose that says why and names the function in backticks."""
    for at, cell in enumerate(lesson.cells):
        if cell.cell_type == "code" and first_arguments(cell, "compare"):
            following = next((after for after in lesson.cells[at + 1 :]), None)
            if following is None or following.cell_type != "markdown" or "`" not in following.source:
                yield Problem("the outcome is not explained", cell, "prose after it that names a function in backticks")


def exercise_kinds(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Three to five exercises of at least three kinds, those kept in `exercises_NN`, in their order."""
    titles = [title for section in _exercises(lesson) for title in _titles(section)]
    found = [TITLE.fullmatch(title) for title in titles]
    ids = [match["id"] for match in found if match]
    kinds = {match["kind"] for match in found if match}
    if None in found or kinds - set(KINDS):
        yield Problem(
            "an exercise's heading has another form",
            None,
            f"`### {lesson.number}.1 Title (kind)`, a kind of {', '.join(KINDS)}",
            "; ".join(titles),
        )
    if not 3 <= len(titles) <= 5 or len(kinds) < 3:
        yield Problem(
            "too few or too many exercises or kinds", None, "3 to 5, of 3 kinds", f"{len(titles)}, of {len(kinds)}"
        )
    known = sorted(getattr(kept_for(lesson), "EXERCISES", {}))
    if ids != known:
        yield Problem("the exercises are not those kept for the lesson", None, ", ".join(known), ", ".join(ids))


def exercise_cells(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """An exercise is a statement that says where its hints are, a stub and a solution; both end in `check`."""
    for section in _exercises(lesson):
        starts = [at for at, cell in enumerate(section.cells) if _heading(cell)]
        for start, end in zip(starts, [*starts[1:], len(section.cells)], strict=True):
            yield from _cells_of_one(section.cells[start:end])


def _cells_of_one(cells: tuple[NotebookNode, ...]) -> Iterator[Problem]:
    id_ = (_heading(cells[0]) or "").split(" ")[0]
    kinds = [next((tag for tag in ("stub", "solution") if tag in tags(cell)), cell.cell_type) for cell in cells]
    if kinds not in (["markdown", "stub", "solution"], ["markdown", "stub", "markdown", "solution"]):
        yield Problem(f"exercise {id_} has other cells", cells[0], "statement, stub, solution", ", ".join(kinds))
        return
    if f'Stuck? Run `hint("{id_}", 1)`' not in cells[0].source:
        yield Problem(f"exercise {id_} does not say where its hints are", cells[0], f'Stuck? Run `hint("{id_}", 1)`')
    for cell in (cells[1], cells[-1]):
        if not _ends_in(cell, "check") or first_arguments(cell, "check") != [id_]:
            yield Problem(f"the cell of exercise {id_} does not end in its check", cell, f'check("{id_}", …)')
    if not cells[-1].source.startswith(FOLDED):
        yield Problem(f"the folded solution of {id_} shows its first line", cells[-1], FOLDED.strip())
    if cells[1].source == cells[-1].source:
        yield Problem(f"the stub of {id_} is its solution", cells[1])


def _pairs(section: Section, known: dict[str, Any]) -> Iterator[Problem]:
    open_: dict[str, NotebookNode] = {}
    for cell in section.code_cells:
        for id_ in first_arguments(cell, "compare"):
            if open_.pop(id_, None) is None:
                yield Problem(f"{id_} is compared without a prediction before it in the section", cell)
        for id_ in first_arguments(cell, "predict"):
            open_[id_] = cell
            if id_ not in known:
                yield Problem(
                    f"the prediction {id_} is not kept in the lesson's exercises", cell, ", ".join(known), id_
                )
    for id_, cell in open_.items():
        yield Problem(f"the prediction {id_} is never compared in its section", cell)


def _ends_in(cell: NotebookNode, name: str) -> bool:
    return last_value(cell) in list(calls(cell, name))


def _exercises(lesson: Lesson) -> list[Section]:
    return [section for section in lesson.sections() if section.title == "Exercises"]


def _titles(section: Section) -> list[str]:
    return [title for title in map(_heading, section.cells) if title]


def _heading(cell: NotebookNode) -> str | None:
    found = headings(cell.source) if cell.cell_type == "markdown" else ()
    return next((title for level, title in found if level == 3), None)
