"""What a recorded notebook must be before anything is run; most of it is spoilt, kind by kind, in test_mutations."""

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.series import Series
from labkit.nbtools.structure import (
    cell_ids,
    cell_metadata,
    counters,
    every_cell_run,
    excuses,
    folded_cells,
    lesson_ids,
)

SERIES = Series.of_this_checkout()


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


@pytest.mark.parametrize(
    "innocent", ["x = 'NBVAL_SKIP'", "# what nbval compares", "# an exception raises here", "# nbval- or nbval_"]
)
def test_speaking_of_nbval_is_no_excuse(innocent):
    assert not list(excuses(notebook(("code", innocent))))


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        *(
            (tag, True)
            for tag in ["setup", "predict", "outcome", "hide-output", "stub", "solution", "hide-input", "traceback"]
        ),
        ("todo", False),
        ("remove-cell", False),
        ("Setup", False),
    ],
)
def test_tag_has_a_meaning(tag, known):
    assert (not list(cell_metadata(notebook(("code", "1", tag)), SERIES))) is known


def test_the_two_flags_that_fold_a_cell_are_kept_and_no_others():
    lesson = notebook(("code", "1"), ("md", "text"))
    lesson.cells[0].metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}

    assert not list(cell_metadata(lesson, SERIES))

    lesson.cells[0].metadata["jupyter"]["collapsed"] = True
    lesson.cells[1]["attachments"] = {"a.png": {"image/png": "aGk="}}

    assert [problem.got for problem in cell_metadata(lesson, SERIES)] == ["jupyter.collapsed", "attachments"]


@pytest.mark.parametrize(
    ("tag", "metadata", "fits"),
    [
        ("outcome", {"tags": ["outcome", "hide-output"], "jupyter": {"outputs_hidden": True}}, True),
        ("outcome", {"tags": ["outcome", "hide-output"]}, False),
        ("outcome", {"tags": ["outcome"], "jupyter": {"outputs_hidden": True}}, False),
        ("outcome", {"tags": ["outcome", "hide-output"], "jupyter": {"outputs_hidden": False}}, False),
        ("solution", {"tags": ["solution", "hide-input"], "jupyter": {"source_hidden": True}}, True),
        ("no", {"jupyter": {"source_hidden": True}}, False),
        ("no", {"jupyter": {"outputs_hidden": False}}, False),
        ("no", {"tags": ["hide-input"]}, False),
        ("no", {}, True),
    ],
)
def test_outcomes_and_solutions_alone_are_folded(tag, metadata, fits):
    lesson = notebook(("code", "1"))
    lesson.cells[0].metadata.update(metadata)

    assert (not list(folded_cells(lesson, SERIES))) is fits, tag


@pytest.mark.parametrize(
    ("id_", "fits"),
    [("90_sample-02", True), ("90_sample-123", True), ("90_sample-2", False), ("91_sample-02", False), ("x", False)],
)
def test_id_is_the_lesson_s_name_and_a_number(id_, fits):
    lesson = notebook(("md", "# 90"), ("md", "text"))
    lesson.cells[1]["id"] = id_

    assert (not list(lesson_ids(lesson, SERIES))) is fits


def test_opening_has_the_first_number():
    lesson = notebook(("md", "# 90"), ("md", "text"))
    lesson.cells[0]["id"] = "90_sample-03"

    assert [problem.message for problem in lesson_ids(lesson, SERIES)] == ["the opening cell has another id"]
    assert not list(lesson_ids(notebook(), SERIES))


def test_ids_are_missing_or_doubled():
    lesson = notebook(("md", "a"), ("md", "b"), ("md", "c"))
    lesson.cells[1]["id"] = lesson.cells[0]["id"]
    del lesson.cells[2]["id"]

    assert [problem.message for problem in cell_ids(lesson)] == [
        "two cells have the same id",
        "two cells have the same id",
        "the cell has no id",
    ]


def test_counters_are_one_two_three_and_a_value_has_its_cell_s():
    lesson = run(notebook(("code", "1"), ("code", "2")))
    lesson.cells[1].outputs = [new_output("execute_result", {"text/plain": "2"}, execution_count=2)]

    assert not list(counters(lesson))

    lesson.cells[1].outputs[0].execution_count = 3

    assert [(problem.expected, problem.got) for problem in counters(lesson)] == [("2", "3")]


@pytest.mark.parametrize("source", ["", "  \n "])
def test_empty_code_cell_is_found(source):
    assert [problem.message for problem in every_cell_run(notebook(("code", source)))] == ["a code cell is empty"]


@pytest.mark.parametrize("tag", ["raises-exception", "nbval-skip", "nbval-ignore-output", "NBVAL_SKIP"])
def test_tag_asks_nbval_to_look_away(tag):
    assert list(excuses(notebook(("code", "1", tag))))
