"""A picture comes out the same to the byte, and says what it shows."""

import xml.etree.ElementTree as ElementTree
from base64 import b64encode

from labkit.lesson.plots import axes, picture


def drawn():
    figure, ax = axes()
    ax.plot([1, 2, 3], [1, 4, 9], label="squares")
    ax.set_xlabel("k")
    ax.legend()
    return picture(figure, "Squares grow faster than k & faster still.")


def test_same_drawing_gives_the_same_bytes():
    assert drawn().svg == drawn().svg


def test_finding_is_title_and_text_twin():
    shown = drawn()
    root = ElementTree.fromstring(shown.svg)

    assert repr(shown) == "Squares grow faster than k & faster still."
    assert root.get("role") == "img"
    assert root[0].text == repr(shown)


def test_picture_shrinks_to_a_narrow_page():
    assert "max-width: 100%" in ElementTree.fromstring(drawn().svg).get("style", "")


def test_words_stay_words():
    assert ">squares</text>" in drawn().svg


def test_picture_holds_no_date_and_no_version():
    assert "<dc:date>" not in drawn().svg
    assert "Matplotlib" not in drawn().svg


def test_image_in_html_carries_the_finding_as_alt_text():
    shown = drawn()

    assert 'alt="Squares grow faster than k &amp; faster still."' in shown._repr_html_()
    assert b64encode(shown.svg.encode()).decode() in shown._repr_html_()
