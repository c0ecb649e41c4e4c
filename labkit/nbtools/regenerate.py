"""Run lessons anew and record what came out: the whole of a notebook, or nothing of it."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nbformat import NotebookNode

from labkit.nbtools.homes import HomeOf, kernel_homes
from labkit.nbtools.kernels import CELL_SECONDS, CellFailed, execute, run_kernels
from labkit.nbtools.notebook import Lesson, lesson_of, node_of, spelled, write_lesson
from labkit.nbtools.recorded import WIDGET_VIEW, differences, machine_facts, recorded, shown


@dataclass(frozen=True)
class Regenerated:
    """What became of one lesson: what changed, or why it failed; neither when all is as recorded."""

    lesson: Lesson
    seconds: float
    changes: tuple[str, ...] = ()
    failure: str = ""
    failed_run: Path | None = None


class Watcher(Protocol):
    """Whoever looks on."""

    def cell_done(self) -> None:
        """One more cell has run."""

    def lesson_done(self, result: Regenerated) -> None:
        """A lesson is through, well or badly."""


class Shelf(Protocol):
    """Where runs go."""

    def keep(self, lesson: Lesson, text: str) -> str:
        """Take a good run as the text to be recorded; why it was not taken, or nothing."""

    def keep_failed(self, lesson: Lesson, cells: Sequence[NotebookNode]) -> Path | None:
        """Take a run that failed, as far as it came; where it can be looked at."""


@dataclass(frozen=True)
class InPlace:
    """Good runs take the place of the lesson's file; failed ones go to a folder of their own."""

    failed_runs: Path

    def keep(self, lesson: Lesson, text: str) -> str:
        """Write the lesson's file in one step, unless somebody edited it during the run."""
        if lesson.path.read_bytes() != lesson.text.encode("utf-8"):
            return "the file was changed while it ran; it is left as it is now"
        if text != lesson.text:
            write_lesson(lesson.path, text)
        (self.failed_runs / lesson.path.name).unlink(missing_ok=True)
        return ""

    def keep_failed(self, lesson: Lesson, cells: Sequence[NotebookNode]) -> Path:
        """Write the run as it stopped, tracebacks and all."""
        self.failed_runs.mkdir(parents=True, exist_ok=True)
        path = self.failed_runs / lesson.path.name
        write_lesson(path, spelled(node_of({**lesson.node, "cells": list(cells)})))
        return path


class LookOnly:
    """Nothing is written anywhere."""

    def keep(self, lesson: Lesson, text: str) -> str:  # noqa: ARG002 - what every shelf takes
        """Let it go."""
        return ""

    def keep_failed(self, lesson: Lesson, cells: Sequence[NotebookNode]) -> None:
        """Let it go."""


def regenerate(
    lessons: Sequence[Lesson], *, shelf: Shelf, watcher: Watcher, jobs: int = 2, cell_seconds: int = CELL_SECONDS
) -> tuple[Regenerated, ...]:
    """Run each lesson in a kernel of its own, `jobs` at once, and shelve each as it ends; results in the given order.

    NoKernel when none can be started. KeyboardInterrupt leaves no kernel behind and each file whole.
    """
    with kernel_homes("kernel") as home_of:
        runs = _Runs(shelf, watcher, home_of, cell_seconds, asyncio.Semaphore(jobs))
        return run_kernels(runs.all(lessons))


def reformat(lessons: Sequence[Lesson], *, shelf: Shelf, watcher: Watcher) -> tuple[Regenerated, ...]:
    """Put right what an editor's save did to each lesson; the outputs stay and nothing is run."""
    results: list[Regenerated] = []
    for lesson in lessons:
        started = time.perf_counter()
        after = lesson_of(lesson.path, recorded(lesson))
        results.append(_kept(lesson, after, shelf, started))
        watcher.lesson_done(results[-1])
    return tuple(results)


@dataclass(frozen=True)
class _Runs:
    shelf: Shelf
    watcher: Watcher
    home_of: HomeOf
    cell_seconds: int
    free: asyncio.Semaphore

    async def all(self, lessons: Sequence[Lesson]) -> tuple[Regenerated, ...]:
        return tuple(await asyncio.gather(*map(self.one, lessons)))

    async def one(self, lesson: Lesson) -> Regenerated:
        async with self.free:
            started = time.perf_counter()
            try:
                after = await self.run(lesson)
            except CellFailed as failed:
                run = self.shelf.keep_failed(lesson, failed.cells)
                result = Regenerated(lesson, time.perf_counter() - started, failure=str(failed), failed_run=run)
            else:
                result = _kept(lesson, after, self.shelf, started)
        self.watcher.lesson_done(result)
        return result

    async def run(self, lesson: Lesson) -> Lesson:
        cells = await execute(
            lesson.cells,
            lesson.path.parent,
            home=self.home_of(lesson),
            cell_seconds=self.cell_seconds,
            after_cell=self.watcher.cell_done,
        )
        after = lesson_of(lesson.path, recorded(lesson, cells))
        for cell in after.code_cells:
            for problem in _of_this_run_only(cell):
                raise CellFailed(cell.id, problem, cells)
        return after


def _kept(lesson: Lesson, after: Lesson, shelf: Shelf, started: float) -> Regenerated:
    refused = shelf.keep(lesson, after.text)
    return Regenerated(lesson, time.perf_counter() - started, differences(lesson, after), refused)


def _of_this_run_only(cell: NotebookNode) -> Iterator[str]:
    for text in shown(cell):
        if facts := dict(machine_facts(text)):
            found = "; ".join(f"{what}, {fact}" for what, fact in facts.items())
            yield f"shows {found}: the next run or another machine would not"
    if any(WIDGET_VIEW in output.get("data", ()) for output in cell.outputs):
        yield "shows a live widget that has no text/plain"
