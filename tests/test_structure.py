"""What a recorded notebook must be before anything is run; most of it is spoilt, kind by kind, in test_mutations."""

import pytest
from sample_series import notebook

from labkit.nbtools.structure import cell_ids, counters, every_cell_run, excuses


def run(lesson):
    """Give every code cell the counter a fresh kernel would."""
    for count, cell in enumerate(lesson.code_cells, 1):
        cell.execution_count = count
    return lesson


def test_text_between_code_does_not_count():
    assert not list(counters(run(notebook(("code", "1"), ("md", "text"), ("code", "2")))))


def test_a_cell_that_was_not_run_is_said_once():
    lesson = notebook(("code", "1"), ("code", "2"))
    lesson.cells[0].execution_count = 1

    assert [problem.cell for problem in every_cell_run(lesson)] == [lesson.cells[1]]
    assert not list(counters(lesson))


def test_a_notebook_of_an_older_format_needs_no_ids():
    lesson = notebook(("code", "1"), ("code", "2"))
    for cell in lesson.cells:
        del cell["id"]

    assert len(list(cell_ids(lesson))) == 2

    lesson.node.nbformat_minor = 4

    assert not list(cell_ids(lesson))


@pytest.mark.parametrize(
    "excuse", ["# NBVAL_IGNORE_OUTPUT", "# nbval_skip", "x = 1\n  # PYTEST_VALIDATE_IGNORE_OUTPUT"]
)
def test_a_comment_asks_nbval_to_look_away_in_any_case(excuse):
    assert list(excuses(notebook(("code", excuse))))


@pytest.mark.parametrize("innocent", ["x = 'NBVAL_SKIP'", "# what nbval compares", "# an exception raises here"])
def test_speaking_of_nbval_is_no_excuse(innocent):
    assert not list(excuses(notebook(("code", innocent))))
