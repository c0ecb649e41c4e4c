"""The gate: every notebook is read, run, run again by nbval, and run section by section; then the rules look."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from labkit.nbtools.executed import Executed, executed_copy, run_sections, run_whole, section_plan
from labkit.nbtools.finding import Finding, Problem, placed
from labkit.nbtools.kernels import NoKernel, run_kernels
from labkit.nbtools.nbval_run import NoNbval, nbval
from labkit.nbtools.notebook import Lesson, NotANotebook, read_lesson
from labkit.nbtools.report import Checked, Report
from labkit.nbtools.rules import level_of, look_at_file, look_at_run
from labkit.nbtools.series import Series
from labkit.nbtools.surroundings import kernel_home

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
    with kernel_home() as home:
        checked = run_kernels(_all(paths, series, home, copies, jobs, after_notebook))
    return Report(tuple(checked))


async def _all(
    paths: Sequence[Path], series: Series, home: Path, copies: Path, jobs: int, after: Callable[[Checked], None]
) -> list[Checked]:
    room = asyncio.Semaphore(jobs)

    async def one(path: Path) -> Checked:
        async with room:
            checked = await _one(path, series, home, copies)
        after(checked)
        return checked

    return await asyncio.gather(*map(one, paths))


async def _one(path: Path, series: Series, home: Path, copies: Path) -> Checked:
    shown = _shown(path)
    try:
        lesson = read_lesson(path)
    except NotANotebook as error:
        return Checked(shown, (Finding("notebook-form", "error", shown, 1, "", str(error)),))
    own = series if series.holds(path) else None
    found = [*look_at_file(lesson, own)]
    try:
        run = await _run(lesson, own, home, copies)
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
    try:
        run = replace(run, complaints=await nbval(lesson.path, home))
    except NoNbval as error:
        run = replace(run, no_nbval=str(error))
    plan = section_plan(lesson) if series else ()
    return replace(run, plan=plan, sections=await run_sections(lesson, plan, home)) if plan else run


def _findings(found: Sequence[tuple[str, Problem]], lesson: Lesson, shown: str) -> Iterator[Finding]:
    for rule, problem in found:
        yield placed(problem, rule=rule, level=level_of(rule), lesson=lesson, path=shown)


def _shown(path: Path) -> str:
    """The path from where one stands, with forward slashes; the whole of it for a notebook elsewhere."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
