"""A lesson shows the source that runs."""

import inspect
import re
from html import unescape

import pytest

from labkit.canonical import canonical_hash
from labkit.lesson.source import Source, show_source


def test_source_is_the_one_that_stands_in_labkit():
    shown = show_source(canonical_hash)

    assert repr(shown) == inspect.getsource(canonical_hash).strip()


def test_highlighted_source_holds_the_same_characters():
    shown = show_source(canonical_hash)

    assert unescape(re.sub("<[^>]*>", "", shown._repr_html_())) == repr(shown)


@pytest.mark.parametrize(
    ("source", "highlighted"),
    [
        ("return", 'font-weight: bold; color: var(--jp-mirror-editor-keyword-color, #008000)">return<'),
        ('"text"', 'string-color, #ba2121)">&quot;text&quot;<'),
        ("# why", 'font-style: italic"># why<'),
        ("plain", '">plain</pre>'),
    ],
)
def test_source_is_highlighted_in_the_colours_of_the_theme(source, highlighted):
    assert highlighted in Source(source)._repr_html_()


class Indented:
    def method(self):
        return 1


def test_method_is_shown_from_the_left_margin():
    assert repr(show_source(Indented.method)) == "def method(self):\n    return 1"
