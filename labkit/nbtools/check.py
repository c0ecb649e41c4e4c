"""The gate: every notebook is read, run, run again by nbval, and run section by section; then the rules look."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from labkit.nbtools.executed import Executed, executed_copy, run_sections, run_whole, section_plan
from labkit.nbtools.finding import Finding, Problem, placed
from labkit.nbtools.homes import HomeOf, kernel_homes
from labkit.nbtools.kernels import NoKernel, run_kernels
from labkit.nbtools.nbval_run import NoNbval, nbval
from labkit.nbtools.notebook import Lesson, NotANotebook, read_lesson
from labkit.nbtools.report import Checked, Report
from labkit.nbtools.rules import level_of, look_at_file, look_at_run
from labkit.nbtools.series import Series

JOBS = 2
"""Notebooks at once: a kernel keeps about one core busy."""


def check(
    paths: Sequence[Path],
    *,
    series: Series,
    jobs: int = JOBS,
    after_notebook: Callable[[Checked], None] = lambda _: None,
) -> Report:
    """Everything the rules have against these notebooks, in order; executed copies are left in build/executed.

    Rules for lessons hold for notebooks of the series only. KeyboardInterrupt leaves no kernel behind.
    """
    copies = series.root / "build" / "executed"
    with kernel_homes("kernel", "nbval") as home_of:
        checked = run_kernels(_all(paths, series, home_of, copies, jobs, after_notebook))
    return Report(tuple(checked))


async def _all(
    paths: Sequence[Path], series: Series, home_of: HomeOf, copies: Path, jobs: int, after: Callable[[Checked], None]
) -> list[Checked]:
    room = asyncio.Semaphore(jobs)

    async def one(path: Path) -> Checked:
        checked = await _one(path, series, home_of, copies, room)
        after(checked)
        return checked

    largest_first = sorted(paths, key=_size, reverse=True)  # a long one begun last would run on alone
    checked = dict(zip(largest_first, await asyncio.gather(*map(one, largest_first)), strict=True))
    return [checked[path] for path in paths]


async def _one(path: Path, series: Series, home_of: HomeOf, copies: Path, room: asyncio.Semaphore) -> Checked:
    shown = _shown(path)
    try:
        lesson = read_lesson(path)
    except NotANotebook as error:
        return Checked(shown, (Finding("notebook-form", "error", shown, 1, "", str(error)),))
    own = series if series.holds(path) else None
    found = [*look_at_file(lesson, own)]  # outside the room: meanwhile the zygotes import
    try:
        async with room:
            run = await _run(lesson, own, home_of(lesson), copies)
        found += look_at_run(lesson, own, run)
        found += [("nbval-missing", Problem(run.no_nbval))] if run.no_nbval else []
    except NoKernel as error:
        found.append(("kernel-missing", Problem(str(error))))
    return Checked(shown, tuple(_findings(found, lesson, shown)))


async def _run(lesson: Lesson, series: Series | None, home: Path, copies: Path) -> Executed:
    """The whole, nbval, the sections of a lesson; the last two only when every cell ends well."""
    run = Executed(await run_whole(lesson, home))
    copies.mkdir(parents=True, exist_ok=True)
    (copies / lesson.path.name).write_text(executed_copy(lesson, run.whole), encoding="utf-8")
    if run.whole.reason:
        return run
    plan = section_plan(lesson) if series else ()
    try:
        async with asyncio.TaskGroup() as together:  # each waits for its kernel half of the time
            said = together.create_task(_nbval(lesson, home))
            sections = together.create_task(run_sections(lesson, plan, home))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    return replace(run, plan=plan, sections=sections.result(), **said.result())


async def _nbval(lesson: Lesson, home: Path) -> dict[str, Any]:
    try:
        return {"complaints": await nbval(lesson.path, home)}
    except NoNbval as error:
        return {"no_nbval": str(error)}


def _findings(found: Sequence[tuple[str, Problem]], lesson: Lesson, shown: str) -> Iterator[Finding]:
    for rule, problem in found:
        yield placed(problem, rule=rule, level=level_of(rule), lesson=lesson, path=shown)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _shown(path: Path) -> str:
    """The path from where one stands, with forward slashes; the whole of it for a notebook elsewhere."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
