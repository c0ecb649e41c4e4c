"""How a lesson ends."""

import pytest
from sample_series import good_lesson

from labkit.nbtools.closing import guard_test, navigation, three_questions


@pytest.fixture
def laid(tmp_path):
    """Lay the sample after a change, and give what a rule says of it."""

    def problems(rule, change):
        draft = good_lesson()
        change(draft)
        return [problem.message for problem in rule(*draft.lay(tmp_path))]

    return problems


def test_a_test_named_in_a_comment_does_not_exist(laid):
    source = "# def test_words_are_folded():\n"

    assert laid(guard_test, lambda draft: draft.files.update({"tests/test_sample.py": source}))


def test_a_test_inside_a_class_exists(laid):
    source = "class TestWords:\n    def test_words_are_folded(self):\n        assert True\n"

    assert not laid(guard_test, lambda draft: draft.files.update({"tests/test_sample.py": source}))


def test_a_test_of_another_module_does_not_guard_the_lesson(laid):
    def change(draft):
        draft.files["tests/test_other.py"] = draft.files["tests/test_sample.py"]
        draft.replace(36, "test_sample.py", "test_other.py")

    assert laid(guard_test, change) == ["the test belongs to another module"]


def test_a_lesson_names_its_test(laid):
    assert laid(guard_test, lambda draft: draft.replace(36, "`test_words_are_folded`", "it")) == ["no test is named"]


def test_navigation_may_stand_below_other_prose(laid):
    def change(draft):
        draft.cell(36).source += f"\n\n{draft.cell(37).source}"
        draft.node.cells.pop()

    assert not laid(navigation, change)


def test_a_question_may_go_back_to_any_earlier_lesson_and_not_to_a_later_one(laid):
    assert laid(three_questions, lambda draft: draft.replace(34, "01_first", "91_next"))
