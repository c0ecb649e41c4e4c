"""The table, the sentences and the figure tell the same rows."""

import base64

from labkit.text_table import Table
from labkit.widgets.lives import RULE, Act, Event, lives
from labkit.widgets.timeline_picture import LEAST_WIDTH
from labkit.widgets.timeline_text import figure, rows_table, sentences

ROWS = lives([Event(at=0, act=Act.PUT, key="a", deadline=10, size=7), Event(at=3, act=Act.HIT, key="a")], 4)


def test_table_has_the_columns_that_are_asked_for():
    assert rows_table(ROWS, columns=["key", "bytes", "promoted", "deadline <= now"]) == Table(
        ("key", "bytes", "promoted", "deadline <= now"), (("a", "7", "3", "False"),)
    )


def test_sentences_say_that_one_looks_back():
    said = sentences(ROWS, now=4, latest=9, last="get a: hit", rule=RULE)

    assert said == "Now is 4. You look back: time has run to 9. get a: hit. a: alive, 10 <= 4: False."


def test_sentences_begin_before_anything_was_done():
    assert sentences([], now=0, latest=0, last="", rule=RULE) == "Now is 0. Nothing was done yet."


def test_figure_holds_the_picture_its_words_and_the_table():
    html = figure("<svg/>", 'a "b"', Table(("key",), (("a",),)))

    assert base64.b64encode(b"<svg/>").decode() in html
    assert 'alt="a &quot;b&quot;"' in html
    assert "<table>" in html


def test_picture_in_a_narrow_place_stays_as_wide_as_it_can_be_read_and_scrolls_by_keyboard_too():
    html = figure("<svg/>", "a", Table(("key",), (("a",),)))

    assert f'style="min-width: {LEAST_WIDTH}px"' in html
    assert '<div style="overflow-x: auto" tabindex="0" role="group" aria-label="Picture"><img ' in html
