"""Whether what is recorded still comes out; what spoils it, kind by kind, is in test_mutations."""

import copy

import pytest
from nbformat.v4 import new_output
from sample_series import good_lesson, notebook

from labkit.nbtools.executed import Executed, Pass
from labkit.nbtools.nbval_run import Complaint
from labkit.nbtools.reproduced import cell_runs, nbval_agrees, number_wrong, output_count, plain_text, stream_text
from labkit.nbtools.series import Series


def recorded(*texts):
    """A notebook of code cells that each show one of the texts, and a run that shows the same."""
    lesson = notebook(*[("code", text) for text in texts])
    for cell, text in zip(lesson.cells, texts, strict=True):
        cell.outputs = [new_output("execute_result", {"text/plain": text})]
    return lesson, Executed(Pass(tuple(copy.deepcopy(lesson.cells))))


def test_what_comes_out_as_recorded_is_no_problem():
    lesson, run = recorded("1", "2")

    assert not [*plain_text(lesson, run), *output_count(lesson, run), *cell_runs(lesson, run)]


def test_recorded_text_is_what_was_expected_and_the_new_one_what_came():
    lesson, run = recorded("1", "2")
    run.whole.cells[1].outputs[0].data["text/plain"] = "3"

    [problem] = plain_text(lesson, run)

    assert (problem.cell, problem.expected, problem.got) == (lesson.cells[1], "2", "3")


def test_cell_that_failed_is_named_and_nothing_after_it_is_compared():
    lesson, run = recorded("1", "2", "3")
    failed = run.whole.cells[1]
    failed.outputs = []
    run = Executed(Pass(run.whole.cells[:2], "KeyError: 'a'"))

    [problem] = cell_runs(lesson, run)

    assert (problem.cell, problem.got) == (lesson.cells[1], "KeyError: 'a'")
    assert not list(output_count(lesson, run))


def test_white_space_at_the_end_of_a_stream_counts():
    lesson, run = recorded("1")
    lesson.cells[0].outputs = [new_output("stream", text="a")]
    run.whole.cells[0].outputs = [new_output("stream", text="a\n")]

    assert list(stream_text(lesson, run))


def test_nbval_s_word_counts_except_where_a_traceback_is_wanted():
    lesson = notebook(("md", "text"), ("code", "1"), ("code", "1 / 0", "traceback"))
    complaints = (Complaint(0, "differs"), Complaint(1, "raised"), Complaint(None, "no kernel"))

    found = list(nbval_agrees(lesson, Executed(Pass(()), complaints)))

    assert [(problem.cell, problem.got) for problem in found] == [(lesson.cells[1], "differs"), (None, "no kernel")]


@pytest.mark.parametrize(("number", "wrong"), [("3", False), ("4", True)])
def test_number_of_another_lesson_is_read_as_that_lesson_recorded_it(number, wrong, tmp_path):
    draft = good_lesson()
    draft.cell(9).outputs = [new_output("execute_result", {"text/plain": "3"}, execution_count=4)]
    draft.lay(tmp_path)
    lesson = notebook(("md", "# 91"), ("md", f"As {number}<!--=90-09:value--> before."), place="91_next.ipynb")

    assert bool(list(number_wrong(lesson, Series(tmp_path), Executed(Pass(()))))) is wrong
