"""Running a lesson for the gate: once from the top, then every section on its own and again, in one kernel each."""

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from nbformat import NotebookNode
from nbformat.v4 import nbjson, new_code_cell

from labkit.nbtools.cell_code import calls
from labkit.nbtools.kernels import CellFailed, kernel
from labkit.nbtools.nbval_run import Complaint
from labkit.nbtools.notebook import Lesson, tags
from labkit.nbtools.recorded import recorded

ANSWER_SEEDS = 12
"""On how many sets of cases each solution is judged."""

FORGET = "%reset -f"


@dataclass(frozen=True)
class Pass:
    """Cells as one kernel left them, and how long each took; one that ended badly is the last, `reason` says why."""

    cells: tuple[NotebookNode, ...]
    reason: str = ""
    seconds: tuple[float, ...] = ()


@dataclass(frozen=True)
class Step:
    """One cell of the sections' run: which cell of the lesson it repeats, and the how-manieth time; None for ours."""

    cell: NotebookNode
    origin: int | None = None
    time: int = 1
    judges: str = ""


@dataclass(frozen=True)
class Executed:
    """What running gave: the whole lesson, what nbval says, and the sections with the plan they followed."""

    whole: Pass
    complaints: tuple[Complaint, ...] = ()
    sections: Pass = Pass(())
    plan: tuple[Step, ...] = ()
    no_nbval: str = ""


async def run_through(cells: Sequence[NotebookNode], folder: Path, home: Path) -> Pass:
    """The cells in one fresh kernel, in order, up to the first that does not end well."""
    done: list[NotebookNode] = []
    seconds: list[float] = []
    async with kernel(folder, home=home) as running:
        for cell in cells:
            began = perf_counter()
            try:
                done.append(await running.run(cell))
            except CellFailed as failed:
                return Pass((*done, *failed.cells), failed.reason, tuple(seconds))
            seconds.append(perf_counter() - began)
    return Pass(tuple(done), seconds=tuple(seconds))


def section_plan(lesson: Lesson) -> tuple[Step, ...]:
    """For each section: forget everything, set-up and section, then set-up and section again."""
    steps: list[Step] = []
    setup = lesson.setup
    for section in lesson.sections():
        cells = [cell for cell in section.code_cells if cell is not setup]
        if cells:
            block = [setup, *cells] if setup is not None else cells
            steps.append(Step(new_code_cell(FORGET)))
            steps += [Step(cell, _index(lesson, cell), 1) for cell in block]
            steps += [step for cell in block for step in (Step(cell, _index(lesson, cell), 2), *_judging(cell))]
    return tuple(steps)


async def run_whole(lesson: Lesson, home: Path) -> Pass:
    """The lesson from the top, as it would be recorded."""
    return _as_recorded(lesson, await run_through(lesson.cells, lesson.path.parent, home))


async def run_sections(lesson: Lesson, plan: Sequence[Step], home: Path) -> Pass:
    """The steps of the plan in one kernel, as they would be recorded; no kernel for none."""
    if not plan:
        return Pass(())
    return _as_recorded(lesson, await run_through([step.cell for step in plan], lesson.path.parent, home))


def executed_copy(lesson: Lesson, whole: Pass) -> str:
    """The text of the notebook as it came out, to be looked at; cells that did not run keep what was recorded."""
    return recorded(lesson, [*whole.cells, *lesson.cells[len(whole.cells) :]])


def _as_recorded(lesson: Lesson, run: Pass) -> Pass:
    cells = nbjson.to_notebook(json.loads(recorded(lesson, run.cells))).cells
    return replace(run, cells=tuple(cells))


def _judging(cell: NotebookNode) -> list[Step]:
    """A cell of ours behind a solution, which has the same answer judged on many sets of cases."""
    checks = [call for call in calls(cell, "check") if len(call.args) == 2] if "solution" in tags(cell) else []
    return [Step(new_code_cell(_judging_code(*call.args)), judges=ast.unparse(call.args[0])) for call in checks]


def _judging_code(id_: ast.expr, answer: ast.expr) -> str:
    return (
        "from random import Random as _Random\n"
        "from labkit.lesson.exercise import find_exercise as _find, judge as _judge\n"
        f"[failure for failure in (_judge(_find({ast.unparse(id_)}), {ast.unparse(answer)}, _Random(seed))"
        f" for seed in range({ANSWER_SEEDS})) if failure is not None]"
    )


def _index(lesson: Lesson, cell: NotebookNode) -> int:
    return next(at for at, own in enumerate(lesson.cells) if own is cell)
