"""Words in a picture: how wide they come out at most, where they break, and where they are cut.

No font is at hand when a picture is made, so widths are those of the widest fonts in use. Drawn in 09_bounded_map.
"""

from html import escape
from unicodedata import east_asian_width

NORMAL, BOLD = "normal", "bold"
NARROW, WIDE = " .,:;!|()[]'-fijlrt", "mwMW@%…<=>+~"


def text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, fill: str, weight: str = NORMAL
) -> str:
    """Words at a place; what a learner typed is escaped here."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{fill}" font-weight="{weight}">'
        f"{escape(words)}</text>"
    )


def width(words: str, *, size: int = 13, weight: str = NORMAL) -> float:
    """Pixels that the words take at most."""
    return size * sum(map(_ems, words)) * (1 if weight == BOLD else 0.92)


def lines(words: str, *, room: float, size: int = 13, weight: str = NORMAL) -> list[str]:
    """The words in as few lines of this width as they fit into; a word that is wider has a line of its own."""
    told: list[str] = []
    for word in words.split(" "):
        longer = " ".join([*told[-1:], word])
        if told and width(longer, size=size, weight=weight) <= room:
            told[-1] = longer
        else:
            told.append(word)
    return told


def cut(words: str, *, room: float, size: int = 13, weight: str = NORMAL) -> str:
    """As much of the words as fits, with three dots where something is missing."""
    kept = words
    while width(kept, size=size, weight=weight) > room:
        kept = f"{kept.removesuffix('…')[:-1]}…"
    return kept


def _ems(char: str) -> float:
    if char in NARROW:
        return 0.5
    if char in WIDE or east_asian_width(char) in "WF":
        return 1.11
    return 0.85 if char.isupper() else 0.72
