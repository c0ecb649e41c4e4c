"""How a lesson begins."""

import pytest
from sample_series import good_lesson, notebook

from labkit.nbtools.opening import opening_form, read_opening
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
