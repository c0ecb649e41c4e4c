"""What the lab says reads the same in text and in HTML."""

import pytest

from labkit.lesson.reply import Reply, listed


def test_reply_is_its_headline_and_its_sentences():
    assert repr(Reply("01.1 passed", ("Rule: one spelling.", "Go on."))) == "01.1 passed. Rule: one spelling. Go on."


def test_html_says_the_same_and_lets_no_markup_through():
    shown = Reply("01.1 <b>", ("a & b",))._repr_html_()

    assert "01.1 &lt;b&gt;" in shown
    assert "a &amp; b" in shown


@pytest.mark.parametrize(
    ("choices", "text"),
    [(["a"], '"a"'), (["a", "b"], '"a" or "b"'), (["a", "b", "c"], '"a", "b" or "c"')],
)
def test_choices_are_listed_as_a_person_would(choices, text):
    assert listed(choices) == text
