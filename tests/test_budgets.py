"""How much a lesson may ask of a reader."""

import pytest
from sample_series import notebook

from labkit.nbtools.budgets import cell_count, code_in_a_row, code_size, too_slow, words_per_line
from labkit.nbtools.executed import Executed, Pass
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


def lines(*sizes):
    return notebook(*(("code", "x = 1\n" * size) for size in sizes))


@pytest.mark.parametrize(("cells", "fits"), [(24, False), (25, True), (45, True), (46, False)])
def test_a_lesson_has_25_to_45_cells(cells, fits):
    assert (not list(cell_count(notebook(*[("md", "text")] * cells), SERIES))) is fits


@pytest.mark.parametrize(
    ("sizes", "fits"),
    [
        ([5, 5, 5], True),
        ([6, 6, 1], False),  # the median
        ([1] * 9 + [30], True),
        ([1] * 9 + [31], False),  # the longest
        ([1] * 8 + [13, 13], False),  # nine in ten
        ([1] * 8 + [12, 13], True),
        ([], True),
    ],
)
def test_code_cells_are_small(sizes, fits):
    assert (not list(code_size(lines(*sizes), SERIES))) is fits


@pytest.mark.parametrize(("kinds", "fits"), [("ccmcc", True), ("mccc", False), ("ccm", True)])
def test_two_code_cells_may_stand_together(kinds, fits):
    cells = [("code", "x") if kind == "c" else ("md", "text") for kind in kinds]

    assert (not list(code_in_a_row(notebook(*cells), SERIES))) is fits


@pytest.mark.parametrize(("words", "told"), [(11, True), (12, False), (22, False), (23, True)])
def test_12_to_22_words_for_a_line_of_code_go_unsaid(words, told):
    assert bool(list(words_per_line(notebook(("md", "word " * words), ("code", "x")), SERIES))) is told


def test_slow_cells_and_slow_notebooks_are_told():
    lesson = notebook(*[("code", "x")] * 4)

    assert len(list(too_slow(lesson, Executed(Pass((), seconds=(3.0, 3.0, 3.0, 1.0)))))) == 0
    assert len(list(too_slow(lesson, Executed(Pass((), seconds=(3.1, 3.0, 3.0, 1.0)))))) == 2


def test_half_a_word_less_for_a_line_is_told():
    assert list(words_per_line(notebook(("md", "word " * 23), ("code", "x\ny")), SERIES))
