"""Words in a picture break and are cut so that they fit, whatever a learner calls a key."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.widgets.drawn_text import BOLD, cut, lines, text, width

WORDS = st.lists(st.sampled_from(["a", "is", "<=", "dead", "123.5", "WWWWWW", "日本語"]), min_size=1).map(" ".join)
LETTERS = st.lists(st.sampled_from("aimW日")).map("".join)


@pytest.mark.parametrize(("narrow", "wide"), [("i", "n"), ("n", "N"), ("N", "W"), ("n", "日"), ("n", "=")])
def test_some_letters_are_wider_than_others(narrow, wide):
    assert width(narrow) < width(wide)


def test_large_and_bold_words_are_wider():
    assert width("entries", size=12) < width("entries", size=13) < width("entries", size=13, weight=BOLD)


@given(WORDS)
@settings(deadline=None)
def test_every_line_fits_and_no_word_is_lost(words):
    told = lines(words, room=60)

    assert " ".join(told) == words
    assert all(width(line) <= 60 or " " not in line for line in told)


@given(WORDS)
@settings(deadline=None)
def test_line_breaks_only_where_the_next_word_does_not_fit(words):
    told = lines(words, room=60)

    assert all(width(f"{line} {after.split()[0]}") > 60 for line, after in itertools.pairwise(told))


@pytest.mark.parametrize(("size", "weight"), [(26, "normal"), (13, BOLD)])
def test_words_that_are_larger_or_bold_break_sooner(size, weight):
    words = "its deadline was 10"
    room = width(words)

    assert lines(words, room=room) == [words]
    assert len(lines(words, room=room, size=size, weight=weight)) > 1


@pytest.mark.parametrize("weight", ["normal", BOLD])
@given(words=LETTERS)
@settings(deadline=None)
def test_cut_words_fit_and_are_as_many_as_can(words, weight):
    room = width("a very", weight=weight)

    kept = cut(words, room=room, weight=weight)

    assert width(kept, weight=weight) <= room
    if kept != words:
        one_more = words[: len(kept)]
        assert kept == f"{one_more[:-1]}…"
        assert width(f"{one_more}…", weight=weight) > room


def test_cut_counts_the_size():
    assert cut("another", room=width("another"), size=26) != "another"


def test_text_has_its_place_and_looks():
    assert text(1.5, 2, "a", anchor="end", size=12, fill="red", weight=BOLD) == (
        '<text x="1.5" y="2" text-anchor="end" font-size="12" fill="red" font-weight="bold">a</text>'
    )


@pytest.mark.parametrize("words", ["<script>", "a & b", 'a"b'])
def test_words_of_a_learner_are_no_markup(words):
    assert words not in text(0, 0, words, fill="red")
