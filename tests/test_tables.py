"""Tables read the same as text and as HTML; refusals are rows."""

import pytest

from labkit.canonical import canonical_hash
from labkit.lesson.tables import Table, decisions, short, table

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


def test_decision_names_code_rule_and_public_function():
    shown = decisions(("a set", lambda: canonical_hash({1})), ("a list", lambda: canonical_hash([1])))

    assert shown == Table(
        ("request", "decision", "rule", "where"),
        (
            (
                "a set",
                "refused: not_canonical",
                "a value of type set; wanted a JSON value",
                "canonical.canonical_json",
            ),
            ("a list", "accepted", "", ""),
        ),
    )


def test_decision_may_be_called_something_else_than_accepted():
    assert decisions(("ask", lambda: 1), accepted="allowed").rows[0][1] == "allowed"


def test_mistake_that_is_no_refusal_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        decisions(("a mistake", lambda: 1 // 0))


def test_digest_is_cut_to_eight_digits():
    assert short("0123456789abcdef") == "01234567"
