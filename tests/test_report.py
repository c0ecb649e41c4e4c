"""One report in three spellings."""

import io
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console

from labkit.nbtools.finding import Finding, Level
from labkit.nbtools.report import Checked, Report, github, junit, print_report
from labkit.nbtools.rules import RULES


def finding(rule="counters", cell="01-02", level: Level = "error", **more):
    return Finding(rule, level, "notebooks/01_a.ipynb", 12, cell, "a message", **more)


def report(*findings):
    return Report((Checked("notebooks/01_a.ipynb", findings), Checked("notebooks/02_b.ipynb", ())))


def printed(*findings):
    paper = io.StringIO()
    print_report(report(*findings), Console(file=paper, width=80))
    return paper.getvalue()


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ([], 0),
        ([finding("too-slow", level="warning")], 0),
        ([finding("counters")], 1),
        ([finding("nbval-missing")], 3),
        ([finding("counters"), finding("kernel-missing")], 3),
    ],
)
def test_exit_code_tells_findings_from_a_check_that_could_not_be_done(findings, code):
    assert report(*findings).exit_code == code


def test_first_failing_cell_is_shown_and_the_rest_counted():
    text = printed(
        finding("plain-text", expected="[red]1[/red]", got="2"),
        finding("nbval-agrees"),
        finding("recap", cell="01-30"),
        finding("recap", cell="01-31"),
        finding("empty-words", level="warning", got="just"),
    )

    assert "FAIL notebooks/01_a.ipynb" in text
    assert "01-02: plain-text: a message\n       expected [red]1[/red]\n       got      2\n" in text
    assert "01-02: nbval-agrees" in text
    assert "and 2 more: recap 2" in text
    assert "warning: 01-02: empty-words" in text
    assert "ok   notebooks/02_b.ipynb" in text
    assert "2 notebooks checked, 1 failed, 4 findings." in text
    assert "\x1b" not in text


def test_long_texts_are_cut():
    assert "(9,700 more characters)" in printed(finding(got="x" * 10_000))


def test_long_texts_are_shown_from_shortly_before_they_part():
    text = printed(finding(expected="x" * 500 + "old", got="x" * 500 + "new"))

    assert f"expected … {'x' * 40}old\n" in text
    assert f"got      … {'x' * 40}new\n" in text


def test_junit_has_a_case_for_each_rule_and_survives_what_xml_cannot_say():
    root = ET.fromstring(junit(report(finding(got="\x1b[0m\x00 <&> ]]> \ud800"), finding("notebook-form"))))

    first, second = root.findall("testsuite")
    assert (first.get("tests"), first.get("failures")) == (str(len(RULES) + 1), "2")
    assert (second.get("tests"), second.get("failures")) == (str(len(RULES)), "0")
    assert [case.get("name") for case in first.iter("testcase") if case.find("failure") is not None] == [
        "counters",
        "notebook-form",
    ]
    assert "<&> ]]>" in (first.findtext("testcase/failure") or "")


def test_warnings_are_no_failures_in_junit():
    assert "<failure" not in junit(report(finding("too-slow", level="warning")))


def test_annotation_is_one_escaped_line_a_finding():
    one, two = github(
        report(finding(expected="100%\n::error::", got="b"), finding("too-slow", level="warning"))
    ).splitlines()

    assert one == (
        "::error file=notebooks/01_a.ipynb,line=12,title=labkit check%3A counters"
        "::01-02: counters: a message%0Aexpected 100%25%0A::error::%0Agot      b"
    )
    assert two.startswith("::warning file=")
