"""The gate as a whole, on real kernels."""

import sys

import pytest
from sample_series import SAMPLE, good_lesson, good_notebook_elsewhere

import labkit.lesson
from labkit.nbtools import report
from labkit.nbtools.check import check
from labkit.nbtools.executed import executed_copy, run_whole
from labkit.nbtools.kernels import run_kernels
from labkit.nbtools.series import Series
from labkit.nbtools.surroundings import kernel_home


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    """A series with the good lesson recorded in it, a notebook beside it, one that fails and one that is none."""
    root = tmp_path_factory.mktemp("check")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(SAMPLE))
        patch.setattr(labkit.lesson, "__path__", [*labkit.lesson.__path__, str(SAMPLE)])
        for draft in (good_lesson(), good_notebook_elsewhere()):
            lesson, _ = draft.lay(root)
            with kernel_home() as home:
                lesson.path.write_text(executed_copy(lesson, run_kernels(run_whole(lesson, home))), encoding="utf-8")
        failing = good_notebook_elsewhere()
        failing.cell(2).source = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
        failing.place = "other/failing.ipynb"
        failing.lay(root)
        (root / "other" / "none.ipynb").write_text("{}")
        yield Series(root)


@pytest.fixture(scope="module")
def checked(series):
    seen = []
    paths = [
        series.folder / "90_sample.ipynb",
        *(series.root / "other" / f"{name}.ipynb" for name in ("notes", "failing", "none")),
    ]
    found = check(paths, series=series, after_notebook=lambda notebook: seen.append(notebook.path))
    return found, seen


def rules(notebook):
    return {finding.rule for finding in notebook.errors}


def test_good_lesson_and_good_notebook_elsewhere_pass_nbval_and_every_rule(checked):
    lesson, notes, *_ = checked[0].notebooks

    assert (rules(lesson), rules(notes)) == (set(), set())


def test_killed_kernel_is_a_finding_of_its_cell_and_ends_nothing_else(checked):
    failing = checked[0].notebooks[2]

    [finding] = [finding for finding in failing.errors if finding.rule == "cell-runs"]
    assert (finding.cell, finding.got) == ("notes-02", "killed its kernel")


def test_file_that_is_no_notebook_is_a_finding(checked):
    assert rules(checked[0].notebooks[3]) == {"notebook-form"}


def test_report_keeps_the_order_asked_and_tells_of_each_notebook_once(checked):
    found, seen = checked

    assert [notebook.path.rpartition("/")[2] for notebook in found.notebooks] == [
        "90_sample.ipynb",
        "notes.ipynb",
        "failing.ipynb",
        "none.ipynb",
    ]
    assert sorted(seen) == sorted(notebook.path for notebook in found.notebooks)
    assert found.exit_code == 1


@pytest.mark.usefixtures("checked")
def test_executed_copies_are_kept_and_nothing_else_is_written(series):
    copies = series.root / "build" / "executed"

    assert {path.name for path in copies.iterdir()} == {"90_sample.ipynb", "notes.ipynb", "failing.ipynb"}
    assert (copies / "90_sample.ipynb").read_text() == (series.folder / "90_sample.ipynb").read_text()
    assert not list(series.root.rglob(".labkit_progress.json*"))


def test_without_nbval_the_check_could_not_be_done(series, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbval", None)

    found = check([series.root / "other" / "notes.ipynb"], series=series)

    assert rules(found.notebooks[0]) == {"nbval-missing"} <= report.ENVIRONMENT
    assert found.exit_code == 3
