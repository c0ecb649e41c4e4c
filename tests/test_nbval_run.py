"""nbval, run strictly on one notebook."""

import sys
from contextlib import ExitStack

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.forked import can_fork, preloaded
from labkit.nbtools.kernels import run_kernels
from labkit.nbtools.nbval_run import NoNbval, nbval
from labkit.nbtools.notebook import Lesson, spelled, write_lesson
from labkit.nbtools.surroundings import kernel_home


def complaints(lesson, *kinds):
    write_lesson(lesson.path, lesson.text)
    with kernel_home() as home, preloaded(home, *kinds):
        return run_kernels(nbval(lesson.path, home))


@pytest.mark.parametrize("kinds", [(), ("kernel", "nbval")], ids=["new", "forked"])
def test_nbval_complains_of_the_very_cell_in_plain_text_and_heeds_no_settings(kinds, tmp_path):
    lesson = notebook(("code", "1 + 1"), ("md", "text"), ("code", "2 + 2"), place=str(tmp_path / "notes.ipynb"))
    for cell, text in zip(lesson.code_cells, "25", strict=True):
        cell.execution_count = 1
        cell.outputs = [new_output("execute_result", {"text/plain": text}, execution_count=1)]
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nbval-lax -k nothing\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError('read')\n")

    [complaint] = complaints(Lesson(lesson.path, spelled(lesson.node), lesson.node), *kinds)

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


@pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")
def test_zygote_that_is_gone_is_told_and_never_taken_for_a_pass(monkeypatch, tmp_path):
    (tmp_path / "selectors.py").write_text("raise SystemExit(1)")
    with kernel_home() as home, ExitStack() as zygote:
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", str(tmp_path))
            zygote.enter_context(preloaded(home, "nbval"))
        with pytest.raises(NoNbval, match="could be forked"):
            run_kernels(nbval(tmp_path / "notes.ipynb", home))
