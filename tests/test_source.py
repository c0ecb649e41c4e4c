"""A lesson shows the source that runs."""

import inspect

from labkit.canonical import canonical_hash
from labkit.lesson.source import show_source


def test_source_is_the_one_that_stands_in_labkit():
    shown = show_source(canonical_hash)

    assert repr(shown) == inspect.getsource(canonical_hash).strip()
    assert shown._repr_markdown_() == f"```python\n{shown!r}\n```"
