"""A learner's copy is laid, brought up to date, and never written over where the learner wrote."""

import json
from pathlib import Path

import pytest
from full_disk import full_disk

from labkit.nbtools.notebook import NotANotebook, chosen
from labkit.workfolder import lay, lesson_named, series_files

NOTES = "notebooks/05_eligible.ipynb"
NEW = "notebooks/05_eligible.new.ipynb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with two lessons, the second of which links to what stands around it."""
    root = tmp_path / "repository"
    write(root / "notebooks/00_start_here.ipynb", "start")
    write(root / NOTES, "see [words](glossary.md) and [contents](../README.md#lessons), not [out](../../secret.md)")
    write(root / "notebooks/glossary.md", "words")
    write(
        root / "README.md", '![how it fits](docs/picture.svg) <img src="docs/dark.svg"> [web](https://example.org/a.md)'
    )
    write(root / "docs/picture.svg", "<svg/>")
    write(root / "docs/dark.svg", "<svg/>")
    write(root / "docs/unlinked.md", "nobody leads here")
    write(tmp_path / "secret.md", "outside")
    return root


@pytest.fixture
def work(root: Path) -> Path:
    return root / "work"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, str]:
    """Path → text of every file a person sees."""
    files = [path for path in folder.rglob("*") if path.is_file() and ".labkit" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_first_visit_lays_the_lessons_and_what_they_lead_to_inside_the_repository(root, work):
    lay(root, work)

    assert sorted(contents(work)) == [
        "README.md",
        "docs/dark.svg",
        "docs/picture.svg",
        "notebooks/00_start_here.ipynb",
        NOTES,
        "notebooks/glossary.md",
    ]


def test_second_visit_changes_nothing_and_says_nothing(root, work):
    lay(root, work)
    before = contents(work)

    done = lay(root, work)

    assert (done.lines(), contents(work)) == ([], before)


def test_file_that_was_not_touched_is_updated(root, work):
    lay(root, work)
    write(root / NOTES, "second edition")

    done = lay(root, work)

    assert done.updated == [NOTES]
    assert contents(work)[NOTES] == "second edition"


def test_file_that_was_changed_is_kept_and_the_new_edition_laid_beside_it(root, work):
    lay(root, work)
    write(work / NOTES, "mine")
    write(root / NOTES, "second edition")

    done = lay(root, work)

    assert done.beside == [(NOTES, NEW)]
    assert (contents(work)[NOTES], contents(work)[NEW]) == ("mine", "second edition")
    assert done.lines() == [f"kept your {NOTES}; the new edition is {NEW}"]


def test_changed_file_is_left_alone_while_there_is_no_newer_edition(root, work):
    lay(root, work)
    write(work / NOTES, "mine")

    done = lay(root, work)

    assert done.lines() == []
    assert NEW not in contents(work)


def test_learner_is_told_of_one_edition_once(root, work):
    lay(root, work)
    write(work / NOTES, "mine")
    write(root / NOTES, "second edition")
    lay(root, work)
    (work / NEW).unlink()

    done = lay(root, work)

    assert done.lines() == []
    assert NEW not in contents(work)


def test_third_edition_takes_the_place_of_a_second_that_nobody_changed(root, work):
    lay(root, work)
    write(work / NOTES, "mine")
    for edition in ["second edition", "third edition"]:
        write(root / NOTES, edition)
        lay(root, work)

    assert contents(work)[NEW] == "third edition"
    assert not (work / "notebooks/05_eligible.new-2.ipynb").exists()


def test_third_edition_stands_beside_a_second_that_was_changed(root, work):
    lay(root, work)
    write(work / NOTES, "mine")
    write(root / NOTES, "second edition")
    lay(root, work)
    write(work / NEW, "second edition, and notes of mine")
    write(root / NOTES, "third edition")

    lay(root, work)

    assert contents(work)[NEW] == "second edition, and notes of mine"
    assert contents(work)["notebooks/05_eligible.new-2.ipynb"] == "third edition"


def test_file_that_was_deleted_comes_back(root, work):
    lay(root, work)
    (work / NOTES).unlink()

    assert lay(root, work).new == [NOTES]


@pytest.mark.parametrize("manifest", [None, "", "{", "[1]", '{"notebooks/05_eligible.ipynb": 5}'])
def test_nothing_is_written_over_when_it_is_not_known_what_was_laid(root, work, manifest):
    lay(root, work)
    write(root / NOTES, "second edition")
    first = contents(work)[NOTES]
    if manifest is None:
        (work / ".labkit/laid.json").unlink()
    else:
        write(work / ".labkit/laid.json", manifest)

    lay(root, work)

    assert (contents(work)[NOTES], contents(work)[NEW]) == (first, "second edition")


def test_fresh_backs_the_learners_lesson_up_and_lays_it_anew(root, work):
    lay(root, work)
    original = contents(work)[NOTES]
    write(work / NOTES, "mine")

    done = lay(root, work, fresh=["05"])

    assert done.backed_up == [(NOTES, "notebooks/05_eligible.yours.ipynb")]
    assert (contents(work)[NOTES], contents(work)["notebooks/05_eligible.yours.ipynb"]) == (original, "mine")


def test_every_backup_is_kept(root, work):
    for text in ["mine", "mine again", "mine"]:
        lay(root, work, fresh=["05"])
        write(work / NOTES, text)
    lay(root, work, fresh=["05"])

    kept = sorted(text for name, text in contents(work).items() if ".yours" in name)
    assert kept == ["mine", "mine again"]


def test_fresh_lesson_that_was_not_changed_is_not_backed_up(root, work):
    lay(root, work)

    assert lay(root, work, fresh=["05"]).lines() == []


@pytest.mark.parametrize("word", ["5", "05", "05_eligible", "05_eligible.ipynb"])
def test_lesson_is_named_here_as_for_every_other_command(root, word):
    assert lesson_named(root, word) == NOTES
    assert chosen([word], root / "notebooks") == (root / NOTES,)


def test_path_of_a_lesson_and_of_the_learners_copy_both_mean_the_lesson(root, work):
    lay(root, work)

    assert {lesson_named(root, str(path)) for path in (root / NOTES, work / NOTES)} == {NOTES}


def test_notebook_of_the_learners_own_is_no_lesson(root, work):
    write(work / "notebooks/mine.ipynb", "mine")

    with pytest.raises(NotANotebook, match=r"mine\.ipynb is no lesson of this series"):
        lesson_named(root, str(work / "notebooks/mine.ipynb"))


@pytest.mark.parametrize("word", ["6", "005", "", "eligible", "../05_eligible", "05_", "²"])
def test_unknown_lesson_is_refused_with_those_that_exist_and_nothing_is_touched(root, work, word):
    with pytest.raises(NotANotebook, match="00_start_here, 05_eligible"):
        lay(root, work, fresh=["05", word])

    assert not work.exists()


def test_update_that_cannot_be_written_is_told_by_its_path_and_leaves_the_old_file_whole(root, work):
    lay(root, work)
    first = contents(work)
    write(root / NOTES, "second edition")

    with full_disk(), pytest.raises(OSError, match="File too large") as told:
        lay(root, work)

    assert told.value.filename == str(work / NOTES)
    assert contents(work) == first


def test_manifest_is_readable_and_names_every_file_laid(root, work):
    lay(root, work)

    assert sorted(json.loads((work / ".labkit/laid.json").read_text())) == sorted(series_files(root))
