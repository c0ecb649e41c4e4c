"""What a learner did is kept in one file, and never lost by writing it."""

import json
import os

import pytest
from full_disk import NO_FOLDER, full_disk, linux

from labkit.lesson import progress
from labkit.lesson.progress import DEFAULT_NAME, Predicted, Progress, load_progress, progress_path, save_progress


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    monkeypatch.setattr(progress, "_unwritten", {})


KEPT = Progress({"01.A": Predicted("one spelling", "same", "other", right=False)}, {"01.1": "one spelling"})


def test_what_is_saved_is_loaded_again(tmp_path):
    save_progress(KEPT, tmp_path / "kept.json")

    assert load_progress(tmp_path / "kept.json") == KEPT


def test_no_file_is_an_empty_start(tmp_path):
    assert load_progress(tmp_path / "none.json") == Progress()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "[" * 100_000, '{"predictions": {"01.A": {}}, "passed": {}}', '{"passed": {}}'),
        '{"predictions": {"01.A": {"rule": "a", "answer": ["same"]}}, "passed": {}}',
        '{"predictions": {"01.A": {"rule": "a", "answer": "b", "right": "yes"}}, "passed": {}}',
        '{"predictions": {}, "passed": {"01.1": 1}}',
    ],
    ids=lambda text: text[:40],
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


def test_folder_for_the_file_is_made(tmp_path):
    assert save_progress(KEPT, tmp_path / "new" / "kept.json") == ""

    assert load_progress(tmp_path / "new" / "kept.json") == KEPT


def test_what_finds_no_room_is_told_and_remembered_until_it_can_be_written(tmp_path):
    path = tmp_path / "kept.json"
    save_progress(Progress(passed={"00.1": "a rule"}), path)
    before = path.read_bytes()

    with full_disk():
        said = save_progress(KEPT, path)
        held = load_progress(path)

    assert said == f"This counts until the kernel is restarted: it cannot be kept in `{path}` (File too large)."
    assert held.predictions == KEPT.predictions
    assert (path.read_bytes(), os.listdir(tmp_path)) == (before, ["kept.json"])

    assert save_progress(load_progress(path), path) == ""

    assert json.loads(path.read_text())["passed"] == {"00.1": "a rule", "01.1": "one spelling"}
    path.unlink()
    assert load_progress(path) == Progress()  # once it was written, the file alone counts


@linux
def test_folder_that_cannot_be_written_is_told_and_what_was_done_is_remembered():
    path = NO_FOLDER / "kept.json"

    assert load_progress(path) == Progress()
    assert f"it cannot be kept in `{path}` (No such file" in save_progress(KEPT, path)

    assert load_progress(path) == KEPT


def test_folder_in_the_place_of_the_file_is_told_and_left_alone(tmp_path):
    path = tmp_path / "kept.json"
    path.mkdir()

    assert load_progress(path) == Progress()
    assert save_progress(KEPT, path)

    assert load_progress(path) == KEPT
    assert os.listdir(tmp_path) == ["kept.json"]


def test_what_is_remembered_is_a_copy(tmp_path):
    path = tmp_path / "kept.json"
    path.mkdir()
    save_progress(KEPT, path)

    load_progress(path).predictions["01.A"].answer = "another"

    assert load_progress(path) == KEPT


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
