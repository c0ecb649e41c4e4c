"""How a lesson begins."""

import pytest
from sample_series import good_lesson, notebook

from labkit.nbtools.opening import VERBS, first_cells, misconception, objectives, one_title, opening_form, read_opening
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()
GOOD = good_lesson().cell(1).source


def problems(source):
    return list(opening_form(notebook(("md", source)), SERIES))


def test_opening_reads_as_number_objectives_and_lab():
    opening = read_opening(notebook(("md", GOOD)))

    assert opening
    assert (opening.number, opening.lab) == ("90", "ground")
    assert [verb for verb, _ in opening.objectives] == ["decide", "predict", "repair"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[01 First](01_first.ipynb)", "nothing"),
        ("[01 First](01_first.ipynb)", "[01 First](01_first.ipynb), [02 Two](02_two.ipynb)"),
        ("is counted as another word.", "costs 1.5 s, e.g. at noon."),
        ("ground", "all"),
    ],
)
def test_other_openings_of_the_form_pass(old, new):
    assert old in GOOD
    assert not problems(GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# 90 ·", "# 90"),
        ("# 90", "# 91"),
        ("**After this you can**", "After this you can"),
        ("5 reading, 5 exercises", "10"),
        ("[01 First](01_first.ipynb)", "the first lesson"),
        ("ground", "kitchen"),
        ("another word.\n", "another word. So it goes.\n"),
    ],
)
def test_opening_of_another_form_is_refused(old, new):
    assert old in GOOD
    assert problems(GOOD.replace(old, new))


def test_notebook_that_starts_with_code_has_no_opening():
    assert read_opening(notebook(("code", "1"))) is None
    assert read_opening(notebook()) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("# 90", "# 91", "the title has another number than the file"),
        ("another word.\n", "another word. So it goes.\n", "what goes wrong without the idea is not one sentence"),
        ("another word.\n", "another word\n", "what goes wrong without the idea is not one sentence"),
        ("ground", "kitchen", "the lab is none of the series"),
        ("[01 First](01_first.ipynb)", "something", "what comes before is not `nothing` or links"),
        (
            "[01 First](01_first.ipynb)",
            "[01 First](01_first.ipynb) or so",
            "what comes before is not `nothing` or links",
        ),
        ("\n\n**After", "\n**After", "the first cell has not the form of an opening"),
    ],
)
def test_what_is_wrong_with_an_opening_is_said(old, new, said):
    assert [problem.message for problem in problems(GOOD.replace(old, new))] == [said]


@pytest.mark.parametrize("lab", ["ground", "access", "results", "harness", "service", "all"])
def test_each_lab_may_be_named(lab):
    assert not problems(GOOD.replace("ground", lab))


def aims(*lines):
    start = GOOD.index("- **decide**")
    opening = GOOD[:start] + "".join(f"- {line}\n" for line in lines) + "\n" + GOOD[GOOD.index("| Minutes") :]
    return [problem.message for problem in objectives(notebook(("md", opening)), SERIES)]


@pytest.mark.parametrize(("count", "fits"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
def test_two_to_four_objectives_are_set(count, fits):
    assert (not aims(*["**show** it;"] * count)) is fits


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_that_can_be_tested_may_begin_an_objective_in_bold(verb):
    assert not aims(f"**{verb}** it;", "**show** it.")
    assert aims(f"{verb} it;", "**show** it.") == ["an objective starts with no verb that can be tested"]


def test_verbs_are_those_that_can_be_tested():
    assert set(VERBS) == {"decide", "predict", "explain why", "choose", "compare", "find", "build", "repair", "show"}


def test_notebook_without_an_opening_has_no_objectives_to_judge():
    assert not list(objectives(notebook(("md", "# 90")), SERIES))


START = [("md", GOOD), ("md", "## Set-up\n\nIf it fails."), ("code", "import re", "setup"), ("md", "## Words")]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (START, []),
        ([START[0], START[3], START[2], START[1]], ["the first sections are others"]),
        ([*START[:2], ("md", "Now."), *START[2:]], ["the third cell is not the set-up cell"]),
        (START[:2], ["the first sections are others"]),
        ([*START[:3], ("code", "## Words"), START[3]], []),
        ([*START[:3], ("md", "### Words"), START[3]], []),
    ],
)
def test_set_up_and_words_come_first(cells, said):
    assert [problem.message for problem in first_cells(notebook(*cells), SERIES)] == said


def test_comment_in_code_is_no_second_title():
    assert not list(one_title(notebook(("md", GOOD), ("code", "# a comment")), SERIES))
    assert list(one_title(notebook(("md", GOOD), ("md", "# A title")), SERIES))


WRONG, RIGHT, SHOWN = ("md", "**Misconception.** It is."), ("md", "It fails.\n\n**Repair.** Do."), ("code", "1")
NOT_NAMED, NOT_SHOWN = "no misconception is named and repaired", "the misconception is not shown failing"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([WRONG, SHOWN, RIGHT], []),
        ([WRONG, ("md", "Look:"), SHOWN, RIGHT], []),
        ([WRONG, RIGHT, SHOWN], [NOT_SHOWN]),
        ([WRONG, ("code", "# nothing"), RIGHT], [NOT_SHOWN]),
        ([RIGHT, SHOWN, WRONG], [NOT_SHOWN]),
        ([WRONG, SHOWN], [NOT_NAMED]),
        ([SHOWN, RIGHT], [NOT_NAMED]),
        ([("code", "# x\n**Misconception.**"), SHOWN, RIGHT], [NOT_NAMED]),
        ([("md", "A **Misconception.**"), SHOWN, RIGHT], [NOT_NAMED]),
    ],
)
def test_misconception_is_shown_failing_before_its_repair(cells, said):
    assert [problem.message for problem in misconception(notebook(*cells), SERIES)] == said
