"""The real source of what a lesson talks about, so that no notebook retypes it."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

PRE = "margin: 0; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"
"""Long lines wrap between words: JupyterLab's own Markdown breaks code anywhere."""

STYLES = {
    "Token.Comment": "font-style: italic",
    "Token.Literal.String": "color: var(--jp-mirror-editor-string-color, #ba2121)",
    "Token.Literal.Number": "color: var(--jp-mirror-editor-number-color, #080)",
    "Token.Keyword": "font-weight: bold; color: var(--jp-mirror-editor-keyword-color, #008000)",
    "Token.Name.Function": "color: var(--jp-mirror-editor-def-color, #00f)",
    "Token.Name.Class": "color: var(--jp-mirror-editor-def-color, #00f)",
}
"""By the start of a token's name; the colours are those of JupyterLab's theme, or of its light one elsewhere."""


@dataclass(frozen=True)
class Source:
    """Python source that shows itself as highlighted code, or as text."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from pygments.lexers import PythonLexer  # here: a lesson that shows no source does without it

        tokens = PythonLexer(ensurenl=False, stripnl=False).get_tokens(self.text)
        runs = groupby(tokens, lambda token: _style(str(token[0])))
        code = "".join(_styled(style, "".join(text for _, text in run)) for style, run in runs)
        return f'<pre style="{PRE}">{code}</pre>'


def show_source(thing: Callable[..., Any] | type) -> Source:
    """The source of a function or class, as it stands in labkit, from the left margin."""
    return Source(textwrap.dedent(inspect.getsource(thing)).strip())


def _style(kind: str) -> str:
    return next((style for start, style in STYLES.items() if kind.startswith(start)), "")


def _styled(style: str, text: str) -> str:
    return f'<span style="{style}">{escape(text)}</span>' if style else escape(text)
