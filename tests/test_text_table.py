"""Tables read the same as text and as HTML."""

import pytest

from labkit.text_table import Table, table

TWO = table([{"who": "reader", "k": 2}, {"who": "<editor>", "k": 10}])


def test_text_is_a_header_a_rule_and_rows():
    assert repr(TWO) == "who      | k\n---------+---\nreader   | 2\n<editor> | 10"


def test_html_holds_the_same_cells_and_lets_no_markup_through():
    shown = TWO._repr_html_()

    assert shown.count("<tr>") == 3
    assert '<th scope="col"' in shown
    assert "&lt;editor&gt;" in shown


def test_frame_has_the_same_rows():
    assert TWO.frame().to_dict("records") == [{"who": "reader", "k": "2"}, {"who": "<editor>", "k": "10"}]


def test_row_with_other_columns_is_refused_by_number():
    with pytest.raises(ValueError, match="row 2 has the columns b; wanted a"):
        table([{"a": 1}, {"b": 2}])


def test_empty_table_is_refused():
    with pytest.raises(ValueError, match="at least one row"):
        table([])


def test_table_may_be_empty_when_its_columns_are_named():
    assert repr(Table(("who", "k"), ())) == "who | k\n----+--"
