"""The timeline as SVG: a bar for each life on one axis of seconds, filled dot to open dot.

Shapes and words carry all of it, colour nothing alone; the card is white: it reads in a dark theme and on paper.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from labkit.widgets import timeline_marks as marks
from labkit.widgets.lives import Life, instant
from labkit.widgets.timeline_marks import ALIVE, BAR, DEAD, FAINT, INK, NOW, text

WIDTH = 720
AXIS = (84, 492)
"""Pixels at which 0 seconds and the horizon stand; the slider of the view lies above the same stretch."""

FATES, FIRST_ROW, ROW = 512, 36, 48


def horizon(instants: Iterable[float]) -> float:
    """A round number of seconds past all of these, for the axis to end at."""
    last = max(instants)
    tick = _tick(last)
    return (math.floor(last / tick + 1e-9) + 1) * tick


def picture(rows: Sequence[Life], *, now: float, latest: float, horizon: float, words: str, rule: str) -> str:
    """The rows at `now`; `words` becomes the title, which is what a screen reader says of it."""
    card = _Card(rows, now, latest, horizon, rule)
    shapes = "".join([*card.axis(), *card.time(), *card.bars(), *card.legend()])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {card.height}" width="{WIDTH}" '
        f'height="{card.height}" style="max-width: 100%; height: auto" font-family="sans-serif">'
        f"<title>{escape(words)}</title>"
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{card.height - 1}" rx="8" fill="white" stroke="{DEAD}"/>'
        f"{shapes}</svg>"
    )


class _Card:
    def __init__(self, rows: Sequence[Life], now: float, latest: float, horizon: float, rule: str):
        self.rows, self.now, self.latest, self.horizon, self.rule = rows, now, latest, horizon, rule
        self.foot = FIRST_ROW + ROW * max(1, len(rows)) + 2  # where the axis lies
        self.lines = marks.legend(rows, start=24, width=WIDTH - 8, rule=rule)
        self.height = self.foot + 50 + 22 * len(self.lines)

    def x(self, seconds: float) -> float:
        left, right = AXIS
        return round(left + (right - left) * seconds / self.horizon, 1)

    def axis(self) -> Iterator[str]:
        yield f'<path d="M{AXIS[0]} {self.foot}H{AXIS[1]}" stroke="{FAINT}"/>'
        tick = _tick(self.horizon)
        for number in range(math.floor(self.horizon / tick + 1e-9) + 1):
            at = self.x(number * tick)
            yield f'<path d="M{at:g} {self.foot}v5" stroke="{FAINT}"/>'
            yield text(at, self.foot + 18, f"{number * tick:.10g}", anchor="middle", size=12, fill=FAINT)
        yield text(FATES, self.foot + 18, "seconds", size=12, fill=FAINT)
        yield text(FATES, 20, self.rule, size=12, fill=FAINT)

    def bars(self) -> Iterator[str]:
        if not self.rows:
            yield text(AXIS[0] + 14, FIRST_ROW + 24, "Nothing was put yet.", fill=FAINT)
        for number, life in enumerate(self.rows):
            yield f'<g data-life="{escape(life.name)}">{"".join(self.bar(life, FIRST_ROW + ROW * number + 22))}</g>'

    def bar(self, life: Life, y: int) -> Iterator[str]:
        """One life: its name, what it lived, what was to come, the marks on it, its fate and why."""
        born, end = self.x(life.born), self.x(self.now if life.end is None else life.end)
        fill, stroke, weight = (ALIVE, INK, "bold") if life.is_alive else (DEAD, FAINT, "normal")
        yield text(16, y + 5, life.name if len(life.name) <= 8 else f"{life.name[:7]}…", weight=weight)
        yield f'<path d="M{end:g} {y}H{self.x(life.deadline):g}" stroke="{FAINT}" stroke-dasharray="2 4"/>'
        yield f'<path d="M{self.x(life.deadline):g} {y - 5}v10" stroke="{FAINT}"/>'
        shape = f'x="{born:g}" y="{y - BAR / 2:g}" width="{end - born:g}" height="{BAR}"'
        yield f'<rect {shape} fill="{fill}" stroke="{stroke}"/>'
        yield from (marks.revoked(self.x(span.start), self.x(span.end), y) for span in life.revoked)
        yield from self.marks(life, y)
        yield text(FATES, y - 1, life.fate, weight=weight)
        yield text(FATES, y + 14, life.why(self.rule), size=12, fill=FAINT)

    def marks(self, life: Life, y: int) -> Iterator[str]:
        yield marks.put(self.x(life.born), y)
        if not life.left:
            yield marks.deadline(self.x(life.deadline), y)
        yield from (marks.promoted(self.x(at), y - 13) for at in life.promoted)
        yield from (marks.peeked(self.x(at), y - 13) for at in life.peeked)
        yield from (marks.missed(self.x(at), y + 14) for at in life.missed)
        yield from (marks.refused(self.x(at), y + 14) for at in life.refused)
        if life.left and life.end is not None:
            yield marks.left(marks.LETTERS[life.left])(self.x(life.end), y)

    def time(self) -> Iterator[str]:
        """The line of now, a hair to the side when it is the instant before or after; and how far time has run."""
        word = instant(self.now)
        at = self.x(self.now) + 3 * (word.startswith("just after") - word.startswith("just before"))
        yield f'<path d="M{at:g} 26V{self.foot}" stroke="{NOW}" stroke-width="2"/>'
        at, anchor = (at, "middle") if at < AXIS[1] - 60 else (at + 6, "end")  # the words end before the next column
        yield text(at, 20, f"now: {word}", anchor=anchor, fill=NOW, weight="bold")
        if self.now < self.latest:
            end = self.x(self.latest)
            yield f'<path d="M{end:g} 34V{self.foot}" stroke="{FAINT}" stroke-dasharray="6 4"/>'
            yield text(end, self.foot + 34, f"time has run to {instant(self.latest)}", anchor="middle", size=12)

    def legend(self) -> Iterator[str]:
        for number, line in enumerate(self.lines):
            y = self.foot + 54 + 22 * number
            for x, mark, words in line:
                yield mark(x, y)
                yield text(x + 13, y + 4, words, size=12, fill=FAINT)


def _tick(seconds: float) -> float:
    """A round distance that goes into this stretch some five to ten times."""
    power = 10 ** math.floor(math.log10(seconds / 5))
    return next(step * power for step in (1, 2, 5, 10) if seconds / (step * power) < 10)
