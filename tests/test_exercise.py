"""Exercises answer back, and what they drill is kept."""

import random
import sys

import pytest

from labkit.lesson.exercise import (
    OTHER_FORM,
    STEP_LOST,
    Exercise,
    Failure,
    Raised,
    Unanswered,
    call,
    check,
    hint,
    in_order,
    is_like,
    judge,
    made_of,
)
from labkit.lesson.progress import load_progress


@pytest.fixture(autouse=True)
def progress(monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path / "progress.json"))


def double(answer, rng):
    number = rng.randint(1, 9)
    got = call(answer, number, case=f"double({number})")
    return None if got == 2 * number else Failure(f"double({number})", f"{2 * number}", "doubling adds two")


DOUBLE = Exercise("doubling", double, ("a", "b", "c"), ())


def test_right_answer_has_no_failure():
    assert judge(DOUBLE, lambda number: number + number, random.Random(0)) is None


def test_wrong_answer_is_told_case_expectation_and_thought():
    failure = judge(DOUBLE, lambda number: number + 2 if number != 2 else 5, random.Random(1))

    assert failure == Failure("double(3)", "6", "doubling adds two")


DOTS = [..., lambda _: ..., lambda _: {}[...], lambda number: number + ..., lambda number: f"{...}{number}"]


@pytest.mark.parametrize("answer", DOTS)
def test_dots_are_not_a_wrong_answer(answer):
    with pytest.raises(Unanswered):
        judge(DOUBLE, answer, random.Random(0))


def test_answer_that_raises_fails_on_the_case_by_name():
    failure = judge(DOUBLE, lambda _: {}["secret"], random.Random(1))

    assert failure == Failure("double(3)", "a value", "KeyError cannot happen here")


def test_answer_that_is_no_function_is_told_so():
    with pytest.raises(Raised) as raised:
        call(3, case="double(1)")

    assert raised.value.failure.expected == "a function"


GRADE_STEPS = in_order(["look", "leap", "land"], [("look", "leap", "leaping is safe"), ("leap", "land", "one can fly")])


def test_steps_in_order_pass():
    assert GRADE_STEPS(["look", "leap", "land"], random.Random(0)) is None


ORDER = Exercise("order", GRADE_STEPS, ("a", "b", "c"), ())


@pytest.mark.parametrize("kind", [list, tuple])
def test_steps_may_be_a_list_or_a_tuple(kind):
    assert judge(ORDER, kind(["look", "leap", "land"]), random.Random(0)) is None
    assert judge(ORDER, kind(["land", "look", "leap"]), random.Random(0)) is not None
    with pytest.raises(Unanswered):
        judge(ORDER, kind(["land", "leap", "look"]), random.Random(0))


def test_tuple_that_a_function_returns_is_judged_as_a_list():
    assert call(lambda: ("a", ["b"]), case="a pair") == ["a", ["b"]]


def test_steps_out_of_order_are_told_the_first_pair_that_is_wrong():
    assert GRADE_STEPS(["leap", "land", "look"], random.Random(0)) == Failure(
        '"look" and "leap"', '"look" before "leap"', "leaping is safe"
    )


@pytest.mark.parametrize(
    "answer", [["look"], ["look", "leap", "leap"], "look", None, ["look", "leap", "fly"], [1, 2, 3], {"look"}]
)
def test_list_that_does_not_hold_each_step_once_is_told_so(answer):
    failure = GRADE_STEPS(answer, random.Random(0))

    assert failure == Failure("the list", "each of the 3 steps once", STEP_LOST)


def test_stub_in_the_order_of_the_alphabet_is_unanswered():
    with pytest.raises(Unanswered):
        GRADE_STEPS(["land", "leap", "look"], random.Random(0))


def test_pass_is_kept_and_a_failure_is_not():
    assert repr(check("01.1", {"query": "json", "k": 3})).startswith("01.1 not yet. Case:")
    assert load_progress().passed == {}

    assert repr(check("01.1", {"query": "json", "k": True})) == "01.1 passed. Rule: one spelling."

    assert load_progress().passed == {"01.1": "one spelling"}


def test_pass_that_cannot_be_kept_is_told_so_and_remembered(monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path))  # a folder: nothing can be written in its place

    said = repr(check("01.1", {"query": "json", "k": True}))

    assert said.startswith(
        "01.1 passed. Rule: one spelling. This counts until the kernel is restarted: it cannot be kept"
    )
    assert load_progress().passed == {"01.1": "one spelling"}


def test_stub_as_it_stands_is_not_answered():
    assert repr(check("01.2", ...)).startswith("01.2 not answered.")


class Odd:
    def __eq__(self, other):
        raise RuntimeError("compares with nothing")


def test_value_that_cannot_be_looked_at_is_told_to_have_another_form():
    assert repr(check("01.1", Odd())) == (
        "01.1 not yet. Case: your answer. Expected: a value of the form that the statement asks for. "
        f"A common thought behind this answer: {OTHER_FORM}."
    )


def test_function_that_leaves_the_interpreter_is_one_that_raises():
    failure = judge(DOUBLE, sys.exit, random.Random(1))

    assert failure == Failure("double(3)", "a value", "SystemExit cannot happen here")


def test_what_the_lab_cannot_make_of_a_value_is_told_as_the_exercise_says():
    failure = Failure("your number", "a number", "anything will do")

    assert made_of(lambda: int("3"), failure) == 3
    with pytest.raises(Raised) as raised:
        made_of(lambda: int("x"), failure)
    assert raised.value.failure == failure


@pytest.mark.parametrize(
    "answer", [{"k": True, "q": "a"}, {"k": 1}, {"k": 1, "q": "a", "x": 1}, {"k": "1", "q": "a"}, 7]
)
def test_fields_of_another_kind_are_not_like_the_stub(answer):
    assert not is_like(answer, {"k": 1, "q": "json"})
    assert is_like({"q": "file", "k": 2}, {"k": 1, "q": "json"})


def test_hints_come_one_at_a_time():
    assert repr(hint("01.1", 1)).startswith("01.1 hint 1 of 3.")
    assert repr(hint("01.1", 3)).startswith("01.1 hint 3 of 3.")


@pytest.mark.parametrize("step", [0, 4, True, "1", None, 1.5])
def test_hint_outside_one_to_three_is_refused(step):
    with pytest.raises(LookupError, match="numbered 1, 2 and 3"):
        hint("01.1", step)


@pytest.mark.parametrize("id_", ["01.9", "77.1"])
def test_unknown_exercise_is_named(id_):
    with pytest.raises(LookupError, match=f'"{id_}"'):
        check(id_, ...)
