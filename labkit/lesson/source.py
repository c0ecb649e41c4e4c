"""The real source of what a lesson talks about, so that no notebook retypes it."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Source:
    """Python source that shows itself as highlighted code, or as text."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


def show_source(thing: Callable[..., Any] | type) -> Source:
    """The source of a function or class, as it stands in labkit, from the left margin."""
    return Source(textwrap.dedent(inspect.getsource(thing)).strip())
