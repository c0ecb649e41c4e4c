"""What stands in an output, and whether a number in prose repeats it."""

import pytest
from nbformat.v4 import new_code_cell, new_output

from labkit.lesson import table
from labkit.nbtools.output_fields import agree, field, read_table, shown_text

TABLE = repr(table([{"word": "a | b", "letters": 3, "note": ""}, {"word": "json", "letters": "12 bytes", "note": "x"}]))


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("42", "value", 42),
        ("[1, (2, 3)]", "1.0", 2),
        ("[1, 2, 3]", "len", 3),
        ("[1, 2, 3]", "-1", 3),
        ("{'a': {'b': 0.5}}", "a.b", 0.5),
        ("{1: 'one', 'len': 7}", "len", 7),
        ("{1: 'one'}", "1", "one"),
        ("{3, 4}", "len", 2),
        ("Hit(rank=1, score=-1.5, of=Doc('x', size=9))", "of.size", 9),
        (TABLE, "1.letters", "3"),
        (TABLE, "2.letters", "12 bytes"),
        (TABLE, "1.word", "a | b"),
        (TABLE, "1.note", ""),
        (TABLE, "rows", 2),
        (TABLE, "rows.note=x", 1),
        (TABLE, "rows.word=json", 1),
        (TABLE, "rows.word=yaml", 0),
    ],
)
def test_field_names_a_value_in_a_literal_or_a_table(text, path, value):
    assert field(text, path) == value


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[1, 2]", "2"),
        ("{'a': 1}", "b"),
        ("42", "0"),
        ("01.A came out: two.", "value"),
        ("<object>", "value"),
        ("", "value"),
        (TABLE, "0.word"),
        (TABLE, "3.word"),
        (TABLE, "1.size"),
        (TABLE, "rows.size=3"),
        (TABLE, "value"),
    ],
)
def test_field_that_is_not_there_is_refused_in_words(text, path):
    with pytest.raises(LookupError, match=r"\w+ \w+"):
        field(text, path)


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("3", 3),
        ("3", "3"),
        ("3", 3.0),
        ("0.67", 0.6666),
        ("1,000", 1000),
        ("12", "12 bytes"),
        ("-1.5", -1.5),
        ("\u22122", -2),
        ("67", "67 %"),
        ("four", 4),
        ("Sixty-four", "64 bytes"),
        ("a hundred thousand", "100,000"),
    ],
)
def test_number_that_repeats_the_value_agrees(stated, value):
    assert agree(stated, value)


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("3", 4),
        ("0.66", 0.6666),
        ("3.0", 3.04999 + 0.1),
        ("1", True),
        ("3", None),
        ("3", "3 of 4"),
        ("3", [3]),
        ("3", ""),
        ("four", 5),
        ("four of", 4),
        ("two", "two"),
    ],
)
def test_number_that_says_something_else_does_not(stated, value):
    assert not agree(stated, value)


def test_only_our_own_tables_read_as_tables():
    assert read_table("a | b\n1 | 2") is None
    assert read_table("a\n-\n1") == [{"a": "1"}]


def test_what_a_cell_shows_is_its_last_text():
    cell = new_code_cell(
        "", outputs=[new_output("stream", text="first"), new_output("execute_result", {"text/plain": "2"})]
    )

    assert shown_text(cell) == "2"
    assert shown_text(new_code_cell("")) == ""
