"""What a person sees while notebooks run: a bar on a terminal, and one line a notebook anywhere."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from labkit.nbtools.notebook import Lesson
from labkit.nbtools.regenerate import Regenerated

CHANGES_SHOWN = 8
"""Lines of changes under a notebook: enough to see what an edit did; a first recording changes every cell."""


def bar(console: Console) -> Progress:
    """A bar with a count and a clock, gone at its end; nothing at all where no terminal shows it."""
    columns = TextColumn("{task.description}"), BarColumn(bar_width=40), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


class Onlooker:
    """Counts cells on a bar and says a line for each notebook as it ends; `changed` is the word for a changed one."""

    def __init__(self, console: Console, lessons: Sequence[Lesson], *, changed: str):
        self._console = console
        self._changed = changed
        self._width = max((len(lesson.stem) for lesson in lessons), default=0)
        self._bar = bar(console)
        self._cells = self._bar.add_task("cells", total=sum(len(lesson.cells) for lesson in lessons))

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def cell_done(self) -> None:
        """Move the bar."""
        self._bar.advance(self._cells)

    def lesson_done(self, result: Regenerated) -> None:
        """Say the notebook's line, and what changed in it."""
        verdict = "failed" if result.failure else self._changed if result.changes else "same"
        self._say(f"{result.lesson.stem:<{self._width}}  {verdict:<{len(self._changed)}}  {result.seconds:5.1f} s")
        if not result.failure:
            for change in result.changes[:CHANGES_SHOWN]:
                self._say(f"    {change}")
            if more := result.changes[CHANGES_SHOWN:]:
                self._say(f"    and {len(more)} more")

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
