"""Whether a reader may start anywhere: set-up and one section give the same alone, and once more."""

from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode

from labkit.nbtools.executed import Executed, Step
from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson


def section_alone(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Set-up and one section, run with nothing else before them, give the recorded outputs."""
    yield from _differing(lesson, run, 1, "run alone after the set-up, the section gives something else")


def section_twice(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Set-up and one section, run a second time in the same kernel, give the recorded outputs again."""
    yield from _differing(lesson, run, 2, "run a second time, the section gives something else")


def solution_varied(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """A solution passes on many sets of cases, not by luck on one."""
    for at, (step, now) in enumerate(_steps(run)):
        if step.judges:
            before = run.plan[at - 1].origin
            cell = lesson.cells[before] if before is not None else None
            if _failed_here(run, now):
                yield Problem(f"the solution of {step.judges} cannot be judged", cell, "a verdict", run.sections.reason)
            elif (text := str(now.outputs[0].data["text/plain"]) if now.outputs else "no verdict") != "[]":
                yield Problem(f"the solution of {step.judges} fails on some cases", cell, "no failure", text)


def _differing(lesson: Lesson, run: Executed, time: int, message: str) -> Iterator[Problem]:
    for step, now in _steps(run):
        if step.origin is None or step.time != time:
            continue
        cell, first = lesson.cells[step.origin], run.whole.cells[step.origin]
        if _failed_here(run, now):
            yield Problem(message, cell, _shown(first), run.sections.reason)
        elif _meaning(first) != _meaning(now):
            yield Problem(message, cell, _shown(first), _shown(now))


def _steps(run: Executed) -> Iterator[tuple[Step, NotebookNode]]:
    yield from zip(run.plan, run.sections.cells, strict=False)


def _failed_here(run: Executed, now: NotebookNode) -> bool:
    return bool(run.sections.reason) and now is run.sections.cells[-1]


def _meaning(cell: NotebookNode) -> list[dict[str, Any]]:
    """The outputs without what differs from run to run: counters and the wording of tracebacks."""
    return [
        {key: value for key, value in out.items() if key not in ("execution_count", "traceback", "metadata")}
        for out in cell.outputs
    ]


def _shown(cell: NotebookNode) -> str:
    texts = (
        str(out.get("data", {}).get("text/plain", "") or out.get("text", "") or out.get("evalue", ""))
        for out in cell.outputs
    )
    return "\n".join(texts) or "no output"
