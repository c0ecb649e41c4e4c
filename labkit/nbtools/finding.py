"""What the gate says: a rule finds a problem; the report shows it as a finding with a place in a file."""

import re
from dataclasses import dataclass
from typing import Literal

from nbformat import NotebookNode

from labkit.nbtools.notebook import Lesson

Level = Literal["error", "warning", "notice"]
"""An error fails the gate; the other two are only told. The words are those of GitHub's annotations."""


@dataclass(frozen=True)
class Problem:
    """What one rule has against one notebook; without a cell it is about the whole of it."""

    message: str
    cell: NotebookNode | None = None
    expected: str = ""
    got: str = ""


@dataclass(frozen=True)
class Finding:
    """A problem with the name of its rule and its place, ready to be shown; `line` counts from 1."""

    rule: str
    level: Level
    path: str
    line: int
    cell: str
    message: str
    expected: str = ""
    got: str = ""


def placed(problem: Problem, *, rule: str, level: Level, lesson: Lesson, path: str) -> Finding:
    """The problem as a finding; a cell is named by its id, or by its place when it has none."""
    index = next((at for at, cell in enumerate(lesson.cells) if cell is problem.cell), None)
    cell = "" if index is None else lesson.cells[index].get("id") or f"cell {index + 1}"
    return Finding(rule, level, path, _line(lesson.text, index), cell, problem.message, problem.expected, problem.got)


def _line(text: str, index: int | None) -> int:
    # Ids may be missing or doubled; every cell has exactly one line with its type.
    lines = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r'\s*"cell_type":', line)]
    return lines[index] if index is not None and index < len(lines) else 1
