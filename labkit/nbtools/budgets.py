"""How much a lesson may ask of a reader: cells, lines a cell, code without a word between."""

from collections.abc import Iterator
from itertools import groupby
from statistics import median

from labkit.nbtools.cell_code import code_lines
from labkit.nbtools.executed import Executed
from labkit.nbtools.finding import Problem
from labkit.nbtools.markdown import words
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.series import Series

CELLS = range(25, 46)
MEDIAN_LINES = 5
MOST_LINES = 12
MOST_LINES_SHARE = 0.9
LONGEST = 30
CODE_IN_A_ROW = 2
WORDS_PER_LINE = (12, 22)
CELL_SECONDS = 3
NOTEBOOK_SECONDS = 10


def cell_count(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A lesson has 25 to 45 cells."""
    if len(lesson.cells) not in CELLS:
        yield Problem("too few or too many cells", None, f"{CELLS[0]} to {CELLS[-1]}", str(len(lesson.cells)))


def code_size(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Code cells have 5 lines or fewer in the middle, nine in ten have 12 or fewer, none has more than 30."""
    sizes = [code_lines(cell) for cell in lesson.code_cells]
    for cell, size in zip(lesson.code_cells, sizes, strict=True):
        if size > LONGEST:
            yield Problem("a code cell is too long", cell, f"at most {LONGEST} lines", str(size))
    if sizes and median(sizes) > MEDIAN_LINES:
        yield Problem("the code cells are too long", None, f"a median of {MEDIAN_LINES}", f"{median(sizes):g}")
    short = sum(size <= MOST_LINES for size in sizes)
    if sizes and short < MOST_LINES_SHARE * len(sizes):
        yield Problem(
            "too many long code cells", None, f"nine in ten up to {MOST_LINES} lines", f"{short} of {len(sizes)}"
        )


def code_in_a_row(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """At most two code cells stand together without a word."""
    for is_code, run in groupby(lesson.cells, lambda cell: cell.cell_type == "code"):
        cells = list(run)
        if is_code and len(cells) > CODE_IN_A_ROW:
            yield Problem("too much code in a row", cells[CODE_IN_A_ROW], f"at most {CODE_IN_A_ROW}", str(len(cells)))


def too_slow(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Told, not enforced: a cell takes at most 3 s, a whole notebook 10."""
    for cell, seconds in zip(lesson.cells, run.whole.seconds, strict=False):
        if seconds > CELL_SECONDS:
            yield Problem("a cell is slow", cell, f"at most {CELL_SECONDS} s", f"{seconds:.1f} s")
    if sum(run.whole.seconds) > NOTEBOOK_SECONDS:
        yield Problem("the notebook is slow", None, f"at most {NOTEBOOK_SECONDS} s", f"{sum(run.whole.seconds):.1f} s")


def words_per_line(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Told, not enforced: 12 to 22 words of prose for each line of code."""
    lines = sum(code_lines(cell) for cell in lesson.code_cells)
    told = sum(len(words(cell.source).split()) for cell in lesson.cells if cell.cell_type == "markdown")
    if lines and not WORDS_PER_LINE[0] <= told / lines <= WORDS_PER_LINE[1]:
        yield Problem("words of prose for each line of code", None, "12 to 22", f"{told / lines:.1f}")
