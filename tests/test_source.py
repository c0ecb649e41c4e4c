"""A lesson shows the source that runs."""

import inspect

from labkit.canonical import canonical_hash
from labkit.lesson.source import show_source


def test_source_is_the_one_that_stands_in_labkit():
    shown = show_source(canonical_hash)

    assert repr(shown) == inspect.getsource(canonical_hash).strip()
    assert shown._repr_markdown_() == f"```python\n{shown!r}\n```"


class Indented:
    def method(self):
        return 1


def test_method_is_shown_from_the_left_margin():
    assert repr(show_source(Indented.method)) == "def method(self):\n    return 1"
