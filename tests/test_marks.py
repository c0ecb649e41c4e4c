"""Numbers in prose and the marks behind them."""

import pytest
from sample_series import notebook

from labkit.nbtools.marks import claims, mark_form, number_unmarked
from labkit.nbtools.series import Series


def unmarked(prose, tmp_path):
    return [problem.got for problem in number_unmarked(notebook(("md", "# 90"), ("md", prose)), Series(tmp_path))]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("It has 3 rows.", ["3"]),
        ("From 2 to 1,000.5, or -4.", ["2", "1,000.5", "-4"]),
        ("2\u20133 of them", ["2", "3"]),
        ("An 8-character prefix", ["8"]),
        ("12ms, the 3rd, 5x, 1e6, 5f4e8b3b", ["12", "3", "5", "1", "5"]),
        ("- item with 7\n- and **9**", ["7", "9"]),
        ("| n |\n| --- |\n| 5 |", ["5"]),
        ("<details><summary>Answer</summary>\nIt is 6.\n</details>", ["6"]),
        ("3 `x`<!--=-->", ["3", ""]),
        ("3 <!--=-->", ["3", ""]),
        ("[7](a.md)<!--=-->", [""]),
        ("Four texts went in, three<!--=-->are there.", ["Four"]),
        ("Sixty-four bytes, a hundred\nthousand lives", ["Sixty-four", "a hundred thousand"]),
        ("twelve <!--=-->, **nine**", ["twelve", "", "nine"]),
        ("two 3<!--=--> four", ["two", "four"]),
        ("HTTPS 3, RFCX 4, SQLite has 5", ["3", "4", "5"]),
        ("010 and 1.2", ["010", "1.2"]),
        ("lesson two, cell three", ["two", "three"]),
        ("1. first\n\n   and 5\n2. second", ["5"]),
        ("> a quoted 4", ["4"]),
    ],
)
def test_number_without_a_mark_right_behind_it_is_found(prose, found, tmp_path):
    assert [number for number in unmarked(prose, tmp_path)] == found


@pytest.mark.parametrize(
    "prose",
    [
        "It has 3<!--=90-01:rows--> rows, **4**<!--=--> of them, and 1,000<!--=-->.",
        "Four<!--=90-01:rows--> rows, **sixty-four**<!--=--> of them, and a hundred thousand<!--=-->.",
        "`x = 3` and\n\n```\n4\n```",
        "`two` and\n\n```\nthree\n```",
        "[5 of 6](a7.ipynb#8) and ![9 bars](10.svg)",
        "[five of six](a.ipynb) and ![nine bars](ten.svg)",
        "1. first\n2. second",
        "## Section 3",
        "## Section three",
        "SHA-256, UTF-8, BM25, FTS5, k1, x2y",
        "Python 3.12, Python 3.11 and 3.12, version 2, HTTP 403, version 1.2.3 and 1.2.3",
        "versions 3.9, 3.11 and 3.12",
        "lesson 01, exercise 01.2, cell 01-07",
        "SQLite 3, Unicode 15.1, RFC 8785, HTTP 403 or 404",
        "notebook 12, lessons 3 and 4, exercises 1, 2 and 3, cells 7 or 8",
        "02, 02.1 and 02-11",
        "<!-- 3 notes -->",
        "<!-- three notes -->",
        "One of them is first, both are twice as long",
        'A <span title="3">word</span>',
    ],
)
def test_what_is_no_result_needs_no_mark(prose, tmp_path):
    assert not unmarked(prose, tmp_path)


def test_opening_may_count_freely(tmp_path):
    assert not list(number_unmarked(notebook(("md", "# 90\n\n15 minutes, two parts")), Series(tmp_path)))


@pytest.mark.parametrize("mark", ["90-03:rows", "90-01:rows", "91-01:rows", "rows", "90-02", "90-02:"])
def test_mark_must_name_a_code_cell_and_a_field(mark, tmp_path):
    lesson = notebook(("md", "# 90"), ("code", "1"), ("md", f"It is 3<!--={mark}-->."))

    assert list(mark_form(lesson, Series(tmp_path)))
    assert not list(
        mark_form(notebook(("md", ""), ("code", "1"), ("md", "3<!--=90-02:1.fetch 100-->")), Series(tmp_path))
    )


def test_a_claim_is_a_number_and_where_it_comes_from():
    lesson = notebook(("md", "# 90"), ("md", "From 2<!--=90-07:a.b--> to 3<!--=-->, or sixty-four<!--=90-08:0-->."))

    assert [(marked.number, marked.claim) for marked in claims(lesson)] == [
        ("2", "90-07:a.b"),
        ("sixty-four", "90-08:0"),
    ]
