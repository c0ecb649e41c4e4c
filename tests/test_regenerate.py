"""Lessons are run anew, and the whole of each is recorded or nothing."""

import json
import shutil
from pathlib import Path

import pytest

import labkit
from labkit.nbtools.notebook import read_lesson
from labkit.nbtools.regenerate import InPlace, LookOnly, reformat, regenerate


class Watcher:
    """Keeps what it is told."""

    def __init__(self):
        self.cells = 0
        self.lessons = []

    def cell_done(self):
        self.cells += 1

    def lesson_done(self, result):
        self.lessons.append(result.lesson.stem)


def run(*paths, shelf, watcher=None, **limits):
    """What became of each lesson."""
    return regenerate([read_lesson(path) for path in paths], shelf=shelf, watcher=watcher or Watcher(), **limits)


@pytest.fixture
def shelf(tmp_path):
    """Notebooks are written in place, failed runs beside them."""
    return InPlace(tmp_path / "build" / "failed")


def test_run_is_recorded_in_place_and_a_second_one_changes_no_byte(notebook_file, shelf, tmp_path):
    path = notebook_file("# A", ("setup", "import math"), ("outcome", "{'b', 'a', 'c'}"), "math.pi; [hash('a')] * 2")
    watcher = Watcher()

    (first,) = run(path, shelf=shelf, watcher=watcher)
    once = path.read_bytes()
    (second,) = run(path, shelf=shelf)

    cells = read_lesson(path).code_cells
    assert (first.failure, second.failure) == ("", "")
    assert first.changes == (
        "05_tiny-02: counter",
        "05_tiny-03: metadata, counter, outputs",
        "05_tiny-04: counter, outputs",
    )
    assert second.changes == ()
    assert path.read_bytes() == once
    assert b"\r" not in once
    assert [cell.execution_count for cell in cells] == [1, 2, 3]
    assert cells[1].outputs[0].data == {"text/plain": "{'a', 'b', 'c'}"}
    assert watcher.cells == 4
    assert sorted(file.name for file in tmp_path.iterdir()) == ["05_tiny.ipynb"]


def test_failing_cell_leaves_the_good_file_and_its_run_goes_where_it_can_be_looked_at(notebook_file, shelf, tmp_path):
    good = notebook_file("1 + 1", name="04_good")
    path = notebook_file("# A", "'shown'", "raise ValueError('not this')", "3")
    before = path.read_bytes()

    bad, fine = run(path, good, shelf=shelf)

    assert bad.failure == "cell 05_tiny-03: ValueError: not this"
    failed_run = tmp_path / "build" / "failed" / "05_tiny.ipynb"
    assert bad.failed_run == failed_run
    assert path.read_bytes() == before
    cells = read_lesson(failed_run).code_cells
    assert [len(cell.outputs) for cell in cells] == [1, 1, 0]
    assert "Traceback" in cells[1].outputs[0].traceback[1]
    assert (fine.failure, fine.changes) == ("", ("04_good-01: counter, outputs",))

    path.write_text(path.read_text().replace("raise ValueError('not this')", "2"))
    run(path, shelf=shelf)

    assert not failed_run.exists()


def test_killed_kernel_and_endless_cell_fail_alone_and_by_name(notebook_file, shelf):
    killed = notebook_file("import os; os._exit(1)", name="01_killed")
    endless = notebook_file("while True: pass", name="02_endless")
    good = notebook_file("1", name="03_good")
    before = [path.read_bytes() for path in (killed, endless)]
    watcher = Watcher()

    results = run(killed, endless, good, shelf=shelf, watcher=watcher, cell_seconds=2)

    assert [result.failure for result in results] == [
        "cell 01_killed-01: killed its kernel",
        "cell 02_endless-01: ran longer than 2 s",
        "",
    ]
    assert [path.read_bytes() for path in (killed, endless)] == before
    assert sorted(watcher.lessons) == ["01_killed", "02_endless", "03_good"]


def test_output_that_only_this_run_can_show_is_refused(notebook_file, shelf):
    sources = {"01_a": "object()", "02_b": "import warnings; warnings.warn('old')", "03_c": "import os; os.getcwd()"}
    paths = [notebook_file("'fine'", source, name=name) for name, source in sources.items()]
    before = [path.read_bytes() for path in paths]

    results = run(*paths, shelf=shelf)

    for result, what in zip(
        results, ["a memory address, 0x", "a kernel's process", "an absolute path, /"], strict=True
    ):
        assert result.failure.startswith(f"cell {result.lesson.stem}-02: shows ")
        assert what in result.failure
    assert [path.read_bytes() for path in paths] == before


def test_file_edited_during_the_run_is_not_written_over(notebook_file, shelf):
    path = notebook_file("open('05_tiny.ipynb', 'a').write(' ')")

    (result,) = run(path, shelf=shelf)

    assert "changed while it ran" in result.failure
    assert path.read_text().endswith("}\n ")


def test_changed_constant_in_labkit_is_told_by_the_cell_that_shows_it(notebook_file, shelf, tmp_path, monkeypatch):
    copy = shutil.copytree(Path(labkit.__file__).parent, tmp_path / "changed" / "labkit")
    monkeypatch.setenv("PYTHONPATH", str(copy.parent))
    path = notebook_file("from labkit.canonical import MAX_DEPTH", "MAX_DEPTH", "1 + 1")
    run(path, shelf=shelf)
    recorded = path.read_bytes()
    module = copy / "canonical.py"
    module.write_text(module.read_text().replace("MAX_DEPTH = 64", "MAX_DEPTH = 65"))

    (result,) = run(path, shelf=LookOnly())

    assert result.changes == ("05_tiny-02: outputs",)
    assert path.read_bytes() == recorded


def test_looking_only_writes_nothing_anywhere(notebook_file, tmp_path):
    changed, failing = notebook_file("1"), notebook_file("1 / 0", name="06_failing")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    looked = run(changed, failing, shelf=LookOnly())
    looked += reformat([read_lesson(changed)], shelf=LookOnly(), watcher=Watcher())

    assert [result.changes for result in looked[::2]] == [("05_tiny-01: counter, outputs",), ("05_tiny-01: counter",)]
    assert looked[1].failed_run is None
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_editors_save_is_put_right_with_the_outputs_as_they_are(notebook_file, shelf):
    path = notebook_file(("outcome", "1 / 1"), "2")
    run(path, shelf=shelf)
    recorded = path.read_bytes()
    node = read_lesson(path).node
    node.metadata["language_info"]["version"] = "3.13.1"
    del node.cells[0].metadata["jupyter"]
    node.cells[1].execution_count = None
    path.write_text(json.dumps(node, indent=4))

    (result,) = reformat([read_lesson(path)], shelf=shelf, watcher=Watcher())

    assert result.changes == ("the notebook: metadata", "05_tiny-01: metadata", "05_tiny-02: counter")
    assert path.read_bytes() == recorded
