"""How a lesson ends."""

import pytest
from sample_series import good_lesson, notebook

from labkit.nbtools.closing import CLOSING, guard_test, last_cells, navigation, recap, three_questions
from labkit.nbtools.series import Series


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


@pytest.mark.parametrize("title", CLOSING)
def test_lesson_ends_with_each_of_its_last_sections(laid, title):
    number = {"Exercises": 23, "Recap": 33, "Three questions": 34, CLOSING[3]: 35, CLOSING[4]: 36}[title]

    assert "the last sections are others" in laid(
        last_cells, lambda draft: draft.replace(number, f"## {title}", "## More")
    )


def test_section_that_says_nothing_is_found(laid):
    assert laid(last_cells, lambda draft: draft.cell(35).update(source=f"## {CLOSING[3]}")) == [
        "a section says nothing"
    ]
    assert not laid(last_cells, lambda draft: draft.cell(35).update(source=f"## {CLOSING[3]}\n\n- one item"))
    assert not laid(last_cells, lambda draft: draft.cell(23).update(source="## Exercises"))  # its cells say enough


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("It compares signs.", "It compares signs, and signs alone.", []),
        ("</summary>\n\nIt compares signs.\n\n</details>", "</summary>It compares signs.</details>", []),
        ("<details><summary>Answer</summary>\n\nIt", "<details>\n<summary>Answer</summary>\n\nIt", []),
        ("It compares signs.", "", ["not three folded answers"]),
        ("3. From", "4. From", ["not three numbered questions"]),
        ("2. What does folding lose?", "", ["not three numbered questions"]),
        ("[First](01_first.ipynb)", "First", ["no question goes back to an earlier lesson"]),
        ("[First](01_first.ipynb)", "[Sample](90_sample.ipynb)", ["no question goes back to an earlier lesson"]),
    ],
)
def test_questions_are_numbered_answered_and_one_goes_back(laid, old, new, said):
    assert laid(three_questions, lambda draft: draft.replace(34, old, new)) == said


def test_first_lesson_has_nothing_to_go_back_to_and_may_name_any_test(tmp_path):
    good_lesson().lay(tmp_path)
    answer = "<details><summary>Answer</summary>\n\nYes.\n\n</details>"
    questions = "\n\n".join(f"{number}. Is it?\n\n{answer}" for number in (1, 2, 3))
    lesson = notebook(
        ("md", f"## Three questions\n\n{questions}"),
        ("md", "## The test that guards this\n\n`tests/test_sample.py`: `test_words_are_folded`."),
        place="00_start.ipynb",
    )

    assert not list(three_questions(lesson, Series(tmp_path)))
    assert not list(guard_test(lesson, Series(tmp_path)))


def test_test_without_its_file_is_not_named(laid):
    assert laid(guard_test, lambda draft: draft.replace(36, "`tests/test_sample.py`; begin", "Begin")) == [
        "no test is named"
    ]


def test_section_that_is_not_there_is_for_another_rule_to_say(tmp_path):
    lesson = notebook(("md", good_lesson().cell(1).source))

    assert not [problem for rule in (recap, three_questions, guard_test) for problem in rule(lesson, Series(tmp_path))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" · [91 Next", " · [glossary](glossary.md) · [91 Next", ["the last cell does not lead on"]),
        ("../README.md#lessons", "../README.md", ["the last cell does not lead on"]),
        ("[91 Next →]", "[On →]", ["a link of the navigation does not say its lesson"]),
        ("[← 01 First]", "[01 First]", []),
        ("[← 01 First]", "[← Back]", ["a link of the navigation does not say its lesson"]),
    ],
)
def test_navigation_leads_back_up_and_on_and_nowhere_else(laid, old, new, said):
    assert laid(navigation, lambda draft: draft.replace(37, old, new)) == said


def test_navigation_is_no_code(laid):
    def change(draft):
        draft.cell(37).update(cell_type="code", execution_count=1, outputs=[])

    assert laid(navigation, change) == ["the last cell does not lead on"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (": fold first, then count.", ": fold.", []),
        (": fold first, then count.", " …", ["the recap names an objective and says nothing of it"]),
        ("**repair**", "**show**", ["the recap does not follow the objectives"]),
        ("**repair**", "repair", ["the recap does not follow the objectives"]),
    ],
)
def test_recap_says_something_of_each_objective(laid, old, new, said):
    assert laid(recap, lambda draft: draft.replace(33, old, new)) == said
