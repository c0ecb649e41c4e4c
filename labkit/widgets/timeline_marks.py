"""The marks of the timeline, each a shape of its own, and the legend that names those in use."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from labkit.bounded_map import Reason
from labkit.widgets.drawn_text import BOLD, text, width
from labkit.widgets.lives import Life

INK, FAINT, ALIVE, DEAD, NOW = "#1f2328", "#59636e", "#1f6feb", "#d1d9e0", "#a40e26"
BAR, AFTER_MARK = 14, 13
LETTERS = {Reason.ENTRIES: "E", Reason.BYTES: "B", Reason.REPLACED: "R", Reason.CLEARED: "C"}
"""What stands at the end of a bar that was cut short."""

Mark = Callable[[float, float], str]


class Entry(NamedTuple):
    """One entry of the legend: where it stands, its mark and its words."""

    x: float
    mark: Mark
    words: str


def put(x: float, y: float) -> str:
    """A filled dot: this instant belongs to the life."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{INK}"/>'


def deadline(x: float, y: float) -> str:
    """An open dot: this instant belongs to it no more."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="white" stroke="{INK}" stroke-width="2"/>'


def promoted(x: float, y: float) -> str:
    """A triangle that points up."""
    return f'<path d="M{x - 6:g} {y + 5:g}h12l-6 -10z" fill="{INK}"/>'


def peeked(x: float, y: float) -> str:
    """The outline of a triangle."""
    return f'<path d="M{x - 5.5:g} {y + 4.5:g}h11l-5.5 -9.5z" fill="white" stroke="{INK}" stroke-width="1.5"/>'


def missed(x: float, y: float) -> str:
    """A cross."""
    return f'<path d="M{x - 4.5:g} {y - 4.5:g}l9 9m0 -9l-9 9" stroke="{NOW}" stroke-width="2.5"/>'


def refused(x: float, y: float) -> str:
    """A barred circle."""
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="5.5" fill="white" stroke="{NOW}" stroke-width="2"/>'
    return f'{circle}<path d="M{x - 4:g} {y:g}h8" stroke="{NOW}" stroke-width="2"/>'


def revoked(start: float, end: float, y: float) -> str:
    """Slanted strokes over the stretch of a bar."""
    strokes = "".join(
        f"M{start + 6 * number:g} {y + BAR / 2:g}l6 -{BAR}" for number in range(max(1, int((end - start) // 6)))
    )
    return f'<path d="{strokes}" stroke="white" stroke-width="2.5"/>'


def left(letter: str) -> Mark:
    """A square with a letter."""

    def mark(x: float, y: float) -> str:
        square = f'<rect x="{x - 8:g}" y="{y - 8:g}" width="16" height="16" rx="2" fill="{INK}"/>'
        return square + text(x, y + 4.5, letter, anchor="middle", fill="white", weight=BOLD)

    return mark


def legend(rows: Sequence[Life], *, start: float, end: float, rule: str) -> list[list[Entry]]:
    """The marks that these rows show and what they mean, in lines from `start` to `end` at most."""
    lines: list[list[Entry]] = []
    x = end + 1.0
    for mark, words in _in_use(rows, rule):
        room = AFTER_MARK + width(words, size=12)
        if x + room > end:
            x = start
            lines.append([])
        lines[-1].append(Entry(x, mark, words))
        x += room + 18
    return lines


def _in_use(rows: Sequence[Life], rule: str) -> Iterator[tuple[Mark, str]]:
    if rows:
        yield put, "put: alive from here"
        yield deadline, "deadline: dead from here" if rule else "deadline"
    if any(life.promoted for life in rows):
        yield promoted, "get: a hit, promoted"
    if any(life.peeked for life in rows):
        yield peeked, "peek: seen, not promoted"
    if any(life.missed for life in rows):
        yield missed, "a miss"
    if any(life.revoked for life in rows):
        yield _revoked_sample, "grant revoked: stored, out of reach"
    if any(life.refused for life in rows):
        yield refused, "refused before the map is asked"
    for reason, letter in LETTERS.items():
        if any(life.left is reason for life in rows):
            yield left(letter), reason


def _revoked_sample(x: float, y: float) -> str:
    bar = f'<rect x="{x - 9:g}" y="{y - BAR / 2:g}" width="18" height="{BAR}" fill="{ALIVE}" stroke="{INK}"/>'
    return bar + revoked(x - 9, x + 9, y)
