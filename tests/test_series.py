"""The series a notebook belongs to."""

import pytest
from sample_series import good_lesson

from labkit.nbtools.series import Series


@pytest.fixture
def series(tmp_path):
    good_lesson().lay(tmp_path)
    return Series(tmp_path)


def test_lessons_are_the_numbered_notebooks_in_reading_order(series):
    (series.folder / "notes.ipynb").write_text("{}")

    assert [path.stem for path in series.lessons] == ["01_first", "90_sample", "91_next"]


@pytest.mark.parametrize(
    ("place", "held"),
    [
        ("notebooks/90_sample.ipynb", True),
        ("notebooks/../notebooks/90_sample.ipynb", True),
        ("notebooks/notes.ipynb", False),
        ("notebooks/deeper/90_sample.ipynb", False),
        ("90_sample.ipynb", False),
    ],
)
def test_a_lesson_is_numbered_and_lies_in_the_folder(series, place, held):
    assert series.holds(series.root / place) is held


def test_lesson_is_found_by_its_number(series):
    lesson = series.lesson("91")

    assert lesson
    assert lesson.stem == "91_next"


def test_no_lesson_has_an_unknown_number_or_an_unreadable_file(series):
    (series.folder / "92_broken.ipynb").write_text("{")

    assert series.lesson("92") is None
    assert series.lesson("93") is None


def test_a_series_without_a_glossary_has_an_empty_one(tmp_path):
    assert Series(tmp_path).glossary == ()


def test_series_of_this_checkout_holds_its_lessons():
    assert "01_canonical" in [path.stem for path in Series.of_this_checkout().lessons]
