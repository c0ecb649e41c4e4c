"""How a lesson makes its reader work; most of it is spoilt, kind by kind, in test_mutations."""

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.practice import (
    FOLDED,
    KINDS,
    asked_first,
    exercise_cells,
    exercise_kinds,
    explained,
    kept_for,
    outcomes,
    predictions,
)
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


def told(rule, *cells, place="01_canonical.ipynb"):
    """What the rule says of a lesson of these cells."""
    return [problem.message for problem in rule(notebook(*cells, place=place), SERIES)]


def asking(*ids):
    return [("md", "## Ask"), *(("code", f'predict("{id_}", ...)', "predict") for id_ in ids)]


def comparing(*ids):
    return [("code", f'compare("{id_}", str(1))', "outcome") for id_ in ids]


def exercise(number, kind, stub="mine = 1", solution=FOLDED + "mine = 2"):
    check = f'check("01.{number}", mine)'
    return [
        ("md", f'### 01.{number} A title ({kind})\n\nStuck? Run `hint("01.{number}", 1)`.'),
        ("code", f"{stub}\n\n{check}", "stub"),
        ("code", f"{solution}\n\n{check}", "solution"),
    ]


def exercises(*kinds):
    return [("md", "## Exercises"), *(cell for n, kind in enumerate(kinds, 1) for cell in exercise(n, kind))]


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


@pytest.mark.parametrize(("ids", "few"), [("AB", True), ("ABC", False)])
def test_three_predictions_are_the_least(ids, few):
    names = [f"01.{letter}" for letter in ids]

    assert ("too few predictions" in told(predictions, *asking(*names), *comparing(*names))) is few


def test_prediction_is_asked_once_and_compared_later_in_its_section():
    good = [*asking("01.A", "01.B", "01.C", "01.D"), *comparing("01.D", "01.C", "01.B", "01.A")]

    assert not told(predictions, *good)
    assert told(predictions, *good, *asking("01.A"), *comparing("01.A")) == ["the prediction 01.A is not asked once"]
    assert told(predictions, *good[:-1]) == ["the prediction 01.A is never compared in its section"]
    assert told(predictions, *good[:4], *good[5:]) == [
        "the prediction 01.D is not asked once",
        "01.D is compared without a prediction before it in the section",
    ]
    assert told(predictions, *good[:1], *good[5:], *good[1:5])[:1] == [
        "01.D is compared without a prediction before it in the section"
    ]
    assert told(predictions, *asking("01.Q"), *good[1:], *comparing("01.Q")) == [
        "the prediction 01.Q is not kept in the lesson's exercises"
    ]


@pytest.mark.parametrize("cell", [("code", 'predict("01.A", ...)'), ("code", "x = 1", "predict")])
def test_tag_and_call_of_a_prediction_go_together(cell):
    assert told(asked_first, ("md", "?"), cell) == ["`predict` and the tag predict go together"]


def test_comparison_is_an_outcome_whatever_stands_before_it():
    assert told(outcomes, ("md", "## Ask"), ("code", 'compare("01.A", str(2))')) == ["the cell gives an outcome away"]


def test_second_question_gives_the_first_one_s_outcome_not_away():
    lesson = notebook(*asking("01.A", "01.B"), *comparing("01.A", "01.B"))
    for cell in lesson.code_cells:
        cell.outputs = [new_output("execute_result", {"text/plain": "01.B not predicted."})]

    assert not list(outcomes(lesson, SERIES))


def test_comparison_with_nothing_is_no_outcome_that_is_written_down():
    assert not told(outcomes, ("md", "## Ask"), ("code", 'compare("01.A")', "outcome"))


@pytest.mark.parametrize(
    ("after", "explains"),
    [
        ([("md", "Because of `frame`.")], True),
        ([("md", "Because it is so.")], False),
        ([("code", "f = '`'")], False),
        ([("code", "1"), ("md", "`frame`")], False),
        ([], False),
    ],
)
def test_explanation_follows_the_outcome_and_names_a_function_in_backticks(after, explains):
    assert (not told(explained, *comparing("01.A"), *after)) is explains


def test_kinds_are_these():
    assert KINDS == ("change one value", "fill a hole", "order the steps", "find the bug", "write one")


@pytest.mark.parametrize(("count", "fits"), [(2, False), (3, True), (4, True), (5, True), (6, False)])
def test_three_to_five_exercises_are_set(count, fits):
    found = told(exercise_kinds, *exercises(*(KINDS + KINDS)[:count]))

    assert ("too few or too many exercises or kinds" not in found) is fits


def test_exercises_are_of_three_kinds_and_those_kept():
    good = exercises("change one value", "fill a hole", "write one", "find the bug")

    assert not told(exercise_kinds, *good)
    assert told(exercise_kinds, *exercises(*["order the steps", "write one"] * 2)) == [
        "too few or too many exercises or kinds"
    ]
    assert told(exercise_kinds, *good[:-3]) == ["the exercises are not those kept for the lesson"]
    assert told(exercise_kinds, *good[:1], *good[4:7], *good[1:4], *good[7:]) == [
        "the exercises are not those kept for the lesson"
    ]


@pytest.mark.parametrize(
    "title", ["01. A title (write one)", "01.1  (write one)", "01.1 A title", "01.1 A title (think)"]
)
def test_heading_of_an_exercise_has_its_form(title):
    assert "an exercise's heading has another form" in told(
        exercise_kinds, ("md", "## Exercises"), ("md", f"### {title}")
    )


@pytest.mark.parametrize(
    ("stub", "solution", "message"),
    [
        (FOLDED + "mine = 2", FOLDED + "mine = 2", "the stub of 01.1 is its solution"),
        ("mine = 1", "mine = 2", "the folded solution of 01.1 shows its first line"),
        ("mine = 1", "# A solution\nmine = 2", "the folded solution of 01.1 shows its first line"),
        ("mine = 1", FOLDED + "mine = 2\ncheck('01.2', mine)", "the cell of exercise 01.1 does not end in its check"),
        ("mine = 1\ncheck('01.2', mine)", FOLDED + "mine = 2", "the cell of exercise 01.1 does not end in its check"),
    ],
)
def test_stub_and_solution_differ_and_end_in_their_check(stub, solution, message):
    assert told(exercise_cells, ("md", "## Exercises"), *exercise(1, "write one", stub, solution)) == [message]


@pytest.mark.parametrize("changed", [1, 2])
def test_check_is_the_last_line_of_stub_and_solution(changed):
    cells = exercise(1, "write one")
    kind, source, tag = cells[changed]
    cells[changed] = (kind, f"{source}\nmine", tag)

    assert told(exercise_cells, ("md", "## Exercises"), *cells) == [
        "the cell of exercise 01.1 does not end in its check"
    ]


def test_comment_in_a_solution_is_no_heading():
    cells = exercise(1, "write one", solution=FOLDED + "### 01.2 Not a title\nmine = 2")

    assert not told(exercise_cells, ("md", "## Exercises"), *cells)
