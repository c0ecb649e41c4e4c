"""A prediction is recorded before the outcome, and compared after it."""

import pytest

from labkit.lesson.predict import compare, predict
from labkit.lesson.progress import Predicted, Progress, load_progress, save_progress


@pytest.fixture(autouse=True)
def progress(monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path / "progress.json"))


def test_dots_are_no_prediction_and_the_lesson_goes_on():
    assert repr(predict("01.A", ...)) == (
        '01.A not predicted. Put "same digest", "different digests" or "refused" in place of the dots, '
        "then run the cell again."
    )
    assert repr(compare("01.A", "different digests")) == "01.A came out: different digests. Not predicted."
    assert load_progress().predictions == {}


def test_right_prediction_is_told_so():
    predict("01.A", "different digests")

    assert repr(compare("01.A", "different digests")) == "01.A came out: different digests. As you predicted."
    assert load_progress().predictions["01.A"].right is True


def test_wrong_prediction_is_told_the_thought_behind_it():
    predict("01.A", "refused")

    said = repr(compare("01.A", "different digests"))

    assert "You predicted: refused. If you chose that, you were thinking that an order of keys can be wrong" in said
    assert load_progress().predictions["01.A"].right is False


def test_first_answer_counts_whatever_is_said_later():
    predict("01.A", "refused")
    predict("01.A", "same digest")  # changed before the outcome: this one is the first
    compare("01.A", "different digests")
    predict("01.A", "different digests")

    said = repr(compare("01.A", "different digests"))

    kept = load_progress().predictions["01.A"]
    assert (kept.first, kept.right, kept.answer) == ("same digest", False, "different digests")
    assert said.endswith("As you predicted.")


def test_prediction_that_cannot_be_kept_is_told_so_and_compared_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path))  # a folder: nothing can be written in its place

    said = repr(predict("01.A", "refused"))
    compared = repr(compare("01.A", "different digests"))

    assert said.startswith(
        "01.A predicted: refused. Run the next cell and see. This counts until the kernel is restarted"
    )
    assert compared.startswith("01.A came out: different digests. You predicted: refused.")
    kept = load_progress().predictions["01.A"]
    assert (kept.first, kept.right) == ("refused", False)


@pytest.mark.parametrize("answer", ["", "same", "SAME DIGEST", None, 1, True, ["refused"]])
def test_answer_that_is_no_choice_is_recorded_nowhere(answer):
    said = repr(predict("01.A", answer))

    assert said.startswith("01.A not recorded: that is none of the choices. Put")
    assert load_progress().predictions == {}


def test_prediction_from_an_older_edition_with_other_choices_counts_as_none():
    save_progress(Progress({"01.A": Predicted("one spelling", "a choice of long ago")}))

    assert repr(compare("01.A", "different digests")) == "01.A came out: different digests. Not predicted."
    assert load_progress().predictions["01.A"].right is None


def test_outcome_that_is_no_choice_is_the_lessons_mistake():
    with pytest.raises(ValueError, match=r'"maybe" is no choice of 01\.A'):
        compare("01.A", "maybe")


@pytest.mark.parametrize("id_", ["01.Z", "01", "99.A", "", "A"])
def test_unknown_id_is_named(id_):
    with pytest.raises(LookupError, match=f'"{id_}"'):
        predict(id_, ...)
