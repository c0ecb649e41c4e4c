"""Whether exercises judge well."""

import importlib
import sys

import pytest
from nbformat.v4 import new_output
from sample_series import SAMPLE, notebook

import labkit.lesson
from labkit.nbtools.answers import hints, solution_passes, stub_open, wrong_answers
from labkit.nbtools.executed import Executed, Pass
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()
EXERCISES = """
from labkit.lesson.exercise import Exercise, Failure, Wrong

def grade(answer, rng):
    if answer == "raises":
        raise TypeError("no such comparison")
    if answer == "sometimes" and rng.random() < 0.5:
        return None
    return None if answer == "right" else Failure("a case", "right", "a thought")

def exercise(*wrong, hints=("one", "two", "three")):
    return Exercise("a rule", grade, hints, tuple(Wrong(answer, thought) for answer, thought in wrong))

EXERCISES = {"88.1": %s}
"""


@pytest.fixture
def problems(tmp_path, monkeypatch):
    """What the rules say of an exercise written so."""

    def said(exercise):
        (tmp_path / "exercises_88.py").write_text(EXERCISES % exercise)
        monkeypatch.setattr(labkit.lesson, "__path__", [*labkit.lesson.__path__, str(tmp_path)])
        monkeypatch.delitem(sys.modules, "labkit.lesson.exercises_88", raising=False)
        importlib.invalidate_caches()
        lesson = notebook(place="88_answers.ipynb")
        return [problem.got for rule in (wrong_answers, hints) for problem in rule(lesson, SERIES)]

    return said


def test_two_wrong_answers_that_fail_for_their_reason_are_enough(problems):
    assert problems('exercise(("a", "a thought"), ("b", "a thought"))') == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('("right", "a thought")', "it passes"),
        ('("sometimes", "a thought")', "it passes"),
        ('("a", "another thought")', "a thought"),
        ('("raises", "a thought")', "the judge raised TypeError: no such comparison"),
        ('(..., "a thought")', "not answered"),
    ],
)
def test_wrong_answer_that_does_not_fail_as_it_should_is_found(problems, wrong, said):
    assert problems(f'exercise(("b", "a thought"), {wrong})') == [said]


def test_one_wrong_answer_is_too_few(problems):
    assert problems('exercise(("a", "a thought"))') == ["1"]


@pytest.mark.parametrize("three", ['("a", "b")', '("a", "b", "b")', '("a", "b", " ")'])
def test_hints_are_three_and_different(problems, three):
    assert problems(f'exercise(("a", "a thought"), ("b", "a thought"), hints={three})') == ["2"]


def test_the_sample_s_exercises_judge_well(monkeypatch):
    monkeypatch.setattr(labkit.lesson, "__path__", [*labkit.lesson.__path__, str(SAMPLE)])

    assert not [*wrong_answers(notebook(), SERIES), *hints(notebook(), SERIES)]


@pytest.mark.parametrize(
    ("tag", "reply", "found"),
    [
        ("stub", "90.1 not answered. Put your answer here.", 0),
        ("stub", "90.1 not yet. Case: 1.", 0),
        ("stub", "90.1 passed. Rule: r.", 1),
        ("solution", "90.1 passed. Rule: r.", 0),
        ("solution", "90.1 not yet. Case: 1.", 1),
        ("solution", "", 1),
    ],
)
def test_stub_is_open_and_solution_passes(tag, reply, found):
    lesson = notebook(("code", 'check("90.1", mine)', tag))
    ran = notebook(("code", 'check("90.1", mine)', tag))
    ran.cells[0].outputs = [new_output("execute_result", {"text/plain": reply})]
    run = Executed(Pass(ran.cells))

    assert len([*stub_open(lesson, run), *solution_passes(lesson, run)]) == found
