"""What the lab says to a learner: one headline in words, then sentences; the same text in every form it is shown."""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Reply:
    """A headline such as `01.1 passed`, and sentences that say why."""

    headline: str
    sentences: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return " ".join([f"{self.headline}.", *self.sentences])

    def _repr_html_(self) -> str:
        said = escape(" ".join(self.sentences))
        return (
            '<div role="note" style="border-left: 4px solid currentColor; padding: 2px 10px; max-width: 46em">'
            f"<strong>{escape(self.headline)}.</strong> {said}</div>"
        )


def listed(choices: list[str]) -> str:
    """The choices as a person would write them: `"a", "b" or "c"`."""
    quoted = [f'"{choice}"' for choice in choices]
    return " or ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
