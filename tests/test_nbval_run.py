"""nbval, run strictly on one notebook."""

import sys

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.kernels import run_kernels
from labkit.nbtools.nbval_run import NoNbval, nbval
from labkit.nbtools.notebook import Lesson, spelled, write_lesson
from labkit.nbtools.surroundings import kernel_home


def complaints(lesson):
    write_lesson(lesson.path, lesson.text)
    with kernel_home() as home:
        return run_kernels(nbval(lesson.path, home))


def test_nbval_complains_of_the_very_cell_in_plain_text_and_heeds_no_settings(tmp_path):
    lesson = notebook(("code", "1 + 1"), ("md", "text"), ("code", "2 + 2"), place=str(tmp_path / "notes.ipynb"))
    for cell, text in zip(lesson.code_cells, "25", strict=True):
        cell.execution_count = 1
        cell.outputs = [new_output("execute_result", {"text/plain": text}, execution_count=1)]
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nbval-lax -k nothing\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError('read')\n")

    [complaint] = complaints(Lesson(lesson.path, spelled(lesson.node), lesson.node))

    assert complaint.code_cell == 1
    assert "text/plain" in complaint.text
    assert "\x1b" not in complaint.text


def test_notebook_that_nbval_cannot_read_is_a_complaint_about_the_whole(tmp_path):
    path = tmp_path / "notes.ipynb"
    path.write_text("{")

    with kernel_home() as home:
        found = run_kernels(nbval(path, home))

    assert [complaint.code_cell for complaint in found] == [None]


@pytest.mark.parametrize("module", ["nbval", "pytest"])
def test_what_is_missing_is_named_and_never_taken_for_a_pass(module, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)

    with kernel_home() as home, pytest.raises(NoNbval, match=f"{module} cannot be imported"):
        run_kernels(nbval(tmp_path / "notes.ipynb", home))
