"""What a learner did is kept in one file, and never lost by writing it."""

import json
import os

import pytest

from labkit.lesson.progress import DEFAULT_NAME, Predicted, Progress, load_progress, progress_path, save_progress

KEPT = Progress({"01.A": Predicted("one spelling", "same", "other", right=False)}, {"01.1": "one spelling"})


def test_what_is_saved_is_loaded_again(tmp_path):
    save_progress(KEPT, tmp_path / "kept.json")

    assert load_progress(tmp_path / "kept.json") == KEPT


def test_no_file_is_an_empty_start(tmp_path):
    assert load_progress(tmp_path / "none.json") == Progress()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"predictions": {"01.A": {}}, "passed": {}}', '{"passed": {}}']
)
def test_file_that_cannot_be_read_is_set_aside_and_not_lost(tmp_path, text):
    path = tmp_path / "kept.json"
    path.write_text(text)

    assert load_progress(path) == Progress()

    assert (tmp_path / "kept.json.broken").read_text() == text
    assert not path.exists()


def test_environment_names_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path / "mine.json"))

    assert progress_path() == tmp_path / "mine.json"


@pytest.mark.parametrize("unset", [None, ""])
def test_without_it_the_file_lies_in_the_current_folder(monkeypatch, unset):
    monkeypatch.delenv("LABKIT_PROGRESS", raising=False)
    if unset is not None:
        monkeypatch.setenv("LABKIT_PROGRESS", unset)

    assert str(progress_path()) == DEFAULT_NAME


def test_saving_replaces_the_file_and_leaves_nothing_beside_it(tmp_path):
    save_progress(Progress(), tmp_path / "kept.json")
    save_progress(KEPT, tmp_path / "kept.json")

    assert os.listdir(tmp_path) == ["kept.json"]
    assert json.loads((tmp_path / "kept.json").read_text())["schema_version"] == 1


def test_score_counts_first_answers_by_rule():
    progress = Progress(
        {
            "01.A": Predicted("one spelling", "x", "x", right=True),
            "01.B": Predicted("one spelling", "y", "x", right=False),
            "01.C": Predicted("boundaries", "y", "y", right=True),
            "01.D": Predicted("boundaries", "y"),  # predicted, and not yet run
        }
    )

    assert progress.score() == [
        {"rule": "boundaries", "right": 1, "of": 1},
        {"rule": "one spelling", "right": 1, "of": 2},
    ]
