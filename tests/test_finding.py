"""A problem becomes a finding with a place in the file."""

from sample_series import notebook

from labkit.nbtools.finding import Problem, placed
from labkit.nbtools.notebook import Lesson


def finding(lesson: Lesson, problem: Problem):
    return placed(problem, rule="a-rule", level="error", lesson=lesson, path="here.ipynb")


def test_finding_names_the_cell_and_the_line_where_it_starts():
    lesson = notebook(("md", '"cell_type": "code"'), ("code", "1"))

    found = finding(lesson, Problem("wrong", lesson.cells[1], "a", "b"))

    assert (found.cell, found.expected, found.got) == ("90_sample-02", "a", "b")
    assert lesson.text.splitlines()[found.line - 1].strip() == '"cell_type": "code",'


def test_cell_without_an_id_is_named_by_its_place():
    lesson = notebook(("md", "one"), ("code", "1"))
    del lesson.node.cells[1]["id"]

    assert finding(lesson, Problem("wrong", lesson.cells[1])).cell == "cell 2"


def test_of_two_equal_cells_the_one_meant_is_named():
    lesson = notebook(("code", "1"), ("code", "1"))
    lesson.node.cells[1].id = lesson.node.cells[0].id

    assert finding(lesson, Problem("wrong", lesson.cells[1])).line > finding(lesson, Problem("", lesson.cells[0])).line


def test_problem_of_the_whole_notebook_stands_at_its_first_line():
    found = finding(notebook(("md", "one")), Problem("wrong"))

    assert (found.cell, found.line) == ("", 1)
