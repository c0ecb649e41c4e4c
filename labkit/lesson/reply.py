"""What the lab says to a learner: one headline in words, then sentences; the same text in every form it is shown."""

import re
from dataclasses import dataclass
from html import escape

BOX = "border-left: 4px solid #767676; padding: 2px 10px; max-width: 46em"
"""The grey reads on a light and a dark ground; a notebook that is not trusted keeps it, and loses a theme's colours."""


@dataclass(frozen=True)
class Reply:
    """A headline such as `01.1 passed`, and sentences that say why.

    `before` goes ahead of it: the first line, and all that a reader sees of an output that JupyterLab hides.
    """

    headline: str
    sentences: tuple[str, ...] = ()
    before: str = ""

    def __repr__(self) -> str:
        said = " ".join([f"{self.headline}.", *self.sentences])
        return f"{self.before} {said}" if self.before else said

    def _repr_html_(self) -> str:
        said = "<br>".join(map(_marked_up, self.sentences))
        box = f'<div role="note" style="{BOX}"><strong>{_marked_up(self.headline)}.</strong> {said}</div>'
        return f"{_marked_up(self.before)}\n{box}" if self.before else box


def listed(choices: list[str]) -> str:
    """The choices as a person would write them: `"a", "b" or "c"`."""
    quoted = [f'"{choice}"' for choice in choices]
    return " or ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def _marked_up(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))
