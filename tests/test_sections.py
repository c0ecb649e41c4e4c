"""Whether a reader may start anywhere."""

import copy

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.executed import Executed, Pass, section_plan
from labkit.nbtools.sections import section_alone, section_twice, solution_varied


@pytest.fixture
def lesson():
    made = notebook(("md", "## One"), ("code", "x", "solution"), ("code", 'check("90.1", 2)', "solution"))
    for cell in made.code_cells:
        cell.outputs = [new_output("execute_result", {"text/plain": "1"}, execution_count=7)]
    return made


def ran(lesson, *texts, reason=""):
    """A run of the sections whose cells show these texts in order."""
    plan = section_plan(lesson)
    cells = [copy.deepcopy(step.cell) for step in plan[: len(texts)]]
    for cell, text in zip(cells, texts, strict=True):
        cell.outputs = [new_output("execute_result", {"text/plain": text})] if text else []
    return Executed(Pass(lesson.cells), sections=Pass(tuple(cells), reason), plan=plan)


def found(lesson, run):
    return [len(list(rule(lesson, run))) for rule in (section_alone, section_twice, solution_varied)]


def test_same_outputs_alone_and_again_are_no_problem_whatever_the_counters(lesson):
    assert found(lesson, ran(lesson, "", "1", "1", "1", "1", "[]")) == [0, 0, 0]


@pytest.mark.parametrize(
    ("texts", "problems"),
    [
        (["", "2", "1", "1", "1", "[]"], [1, 0, 0]),
        (["", "1", "1", "1", "2", "[]"], [0, 1, 0]),
        (["", "", "1", "1", "1", "[]"], [1, 0, 0]),
        (["", "1", "1", "1", "1", "[Failure()]"], [0, 0, 1]),
        (["", "1", "1", "1", "1", ""], [0, 0, 1]),
    ],
)
def test_other_outputs_are_told_apart_by_when_they_came(lesson, texts, problems):
    assert found(lesson, ran(lesson, *texts)) == problems


def test_a_cell_that_fails_alone_says_why(lesson):
    [problem] = section_alone(lesson, ran(lesson, "", "", reason="NameError: name 'y' is not defined"))

    assert problem.cell is lesson.cells[1]
    assert problem.got.startswith("NameError")


def test_a_verdict_that_cannot_be_had_is_a_problem(lesson):
    run = ran(lesson, "", "1", "1", "1", "1", "", reason="Unanswered: ")

    assert found(lesson, run) == [0, 0, 1]
