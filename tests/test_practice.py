"""How a lesson makes its reader work; most of it is spoilt, kind by kind, in test_mutations."""

import pytest
from sample_series import notebook

from labkit.nbtools.practice import asked_first, kept_for, outcomes
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


def test_exercises_are_found_by_the_lesson_s_number():
    module = kept_for(notebook(place="01_canonical.ipynb"))

    assert module
    assert "01.1" in module.EXERCISES
    assert kept_for(notebook(place="89_nothing.ipynb")) is None


@pytest.mark.parametrize("call", ['predict("90.A")', 'predict("90.A", None)', 'predict("90.A", "two")'])
def test_a_prediction_waits_with_dots(call):
    assert list(asked_first(notebook(("md", "?"), ("code", call, "predict")), SERIES))
    assert not list(asked_first(notebook(("md", "?"), ("code", 'predict("90.A", ...)', "predict")), SERIES))


def test_a_cell_that_shows_nothing_may_stand_before_the_comparison():
    lesson = notebook(
        ("md", "## Ask"),
        ("code", 'predict("90.A", ...)', "predict"),
        ("code", "x = 1"),
        ("code", 'compare("90.A", str(x))', "outcome"),
    )

    assert not list(outcomes(lesson, SERIES))


def test_comparison_is_what_its_cell_shows():
    lesson = notebook(("md", "## Ask"), ("code", 'compare("90.A", str(2))\nx = 1', "outcome"))

    assert [problem.message for problem in outcomes(lesson, SERIES)] == ["the comparison is not the cell's value"]
