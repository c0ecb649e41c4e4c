"""Every rule of the gate in one table."""

import pytest
from nbformat.v4 import new_output, new_raw_cell
from sample_series import good_lesson, notebook

from labkit.nbtools import rules
from labkit.nbtools.executed import Executed, Pass
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.rules import RULES, level_of, look_at_file, look_at_run
from labkit.nbtools.series import Series

ALL = [*rules.NOTEBOOK_RULES, *rules.LESSON_RULES, *rules.RUN_RULES, *rules.LESSON_RUN_RULES]


def test_every_rule_has_a_name_of_its_own_and_a_promise():
    assert len(RULES) == len(ALL)
    assert all(promise.endswith(".") for promise in RULES.values())


def test_no_rule_looks_at_a_stored_digest():
    assert not [promise for promise in RULES.values() if "digest" in promise or "checksum" in promise]


def test_words_and_seconds_are_told_and_all_else_fails_the_gate():
    assert {rule for rule in RULES if level_of(rule) != "error"} == {"empty-words", "words-per-line", "too-slow"}


def with_raw_cell():
    lesson = notebook(("md", "# 90"))
    lesson.node.cells.append(new_raw_cell("raw"))
    return lesson


def with_strange_outputs():
    lesson = notebook(("code", "x", "outcome", "solution", "stub", "setup", "traceback"))
    lesson.cells[0].outputs = [
        new_output("display_data"),
        new_output("display_data", {"application/json": {"a": [1]}, "text/html": "<svg"}),
        new_output("error", ename="", evalue=""),
    ]
    return lesson


ODD = {
    "empty": notebook(),
    "a raw cell": with_raw_cell(),
    "strange outputs": with_strange_outputs(),
    "code that does not parse": notebook(("code", "table((\n'''")),
    "calls without arguments": notebook(("code", "predict()\ncompare()\ncheck()\nhint(*x)", "stub")),
    "broken Markdown": notebook(("md", "# \n## \n### \n![]( \n**\n| |\n<details><!--=-->"), ("md", "")),
    "headings without cells": notebook(("md", "## Words"), ("md", "## Recap"), ("md", "## Exercises\n\n### x")),
    "a mark of nothing": notebook(("md", ""), ("md", "1<!--=-->2<!--=x-->3<!--=90-01:y-->")),
}


@pytest.mark.parametrize("lesson", ODD.values(), ids=ODD)
def test_a_notebook_however_odd_gets_findings_and_never_stops_the_gate(lesson, tmp_path):
    good_lesson().lay(tmp_path)
    lesson = Lesson(tmp_path / "notebooks" / "90_sample.ipynb", lesson.text, lesson.node)
    series = Series(tmp_path)

    found = [*look_at_file(lesson, series), *look_at_run(lesson, series, Executed(Pass(lesson.cells)))]

    assert "opening-form" in {rule for rule, _ in found}
