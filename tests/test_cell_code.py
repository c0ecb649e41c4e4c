"""The code of a cell, taken apart."""

import ast

import pytest
from sample_series import notebook

from labkit.nbtools.cell_code import calls, code_lines, first_arguments, last_value, parsed, tree


def cell(source, kind="code"):
    return notebook((kind, source)).cells[0]


def test_magics_and_awaits_at_the_top_parse():
    assert parsed("%matplotlib inline\n!ls\nawait thing()") is not None


@pytest.mark.parametrize("nothing", [cell("table(("), cell("text", kind="md")])
def test_what_is_no_code_has_an_empty_tree(nothing):
    assert tree(nothing).body == []


def test_calls_are_found_wherever_they_stand_by_their_plain_name():
    source = 'x = [check("01.1", mine)]\nother.check("01.2", mine)\ndef later():\n    check("01.3", 1)'

    assert len(list(calls(cell(source), "check"))) == 2
    assert first_arguments(cell(source), "check") == ["01.1", "01.3"]


def test_first_arguments_that_are_no_texts_are_left_out():
    assert first_arguments(cell("check(id_, 1)\ncheck()\ncheck(3, 1)"), "check") == []


@pytest.mark.parametrize(("source", "shown"), [("x = 1\nx + 1", "x + 1"), ("x = 1", None), ("", None)])
def test_last_value_is_the_expression_at_the_end(source, shown):
    value = last_value(cell(source))

    assert (value and ast.unparse(value)) == shown


def test_blank_lines_and_comments_are_no_lines_of_code():
    assert code_lines(cell("# why\nx = 1  # here\n\n    # deeper\ny")) == 2
