"""What the lab says reads the same in text and in HTML."""

import pytest

from labkit.lesson.reply import Reply, listed


def test_reply_is_its_headline_and_its_sentences():
    assert repr(Reply("01.1 passed", ("Rule: one spelling.", "Go on."))) == "01.1 passed. Rule: one spelling. Go on."


def test_html_says_the_same_and_lets_no_markup_through():
    shown = Reply("01.1 <b>", ("a & b",))._repr_html_()

    assert "01.1 &lt;b&gt;" in shown
    assert "a &amp; b" in shown


def test_code_in_a_sentence_is_shown_as_code():
    assert "ask <code>a &lt; b</code> first" in Reply("01.1 hint 1 of 3", ("ask `a < b` first",))._repr_html_()


def test_what_stands_before_is_alone_on_the_first_line_so_that_a_hidden_reply_shows_no_more():
    reply = Reply("two keys", ("As you predicted.",), before="01.D came out:")

    assert repr(reply) == "01.D came out: two keys. As you predicted."
    assert reply._repr_html_().splitlines()[0] == "01.D came out:"


@pytest.mark.parametrize(
    ("choices", "text"),
    [(["a"], '"a"'), (["a", "b"], '"a" or "b"'), (["a", "b", "c"], '"a", "b" or "c"')],
)
def test_choices_are_listed_as_a_person_would(choices, text):
    assert listed(choices) == text
