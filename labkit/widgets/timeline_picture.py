"""The timeline as SVG: a bar for each life on one axis of seconds, filled dot to open dot.

Shapes and words carry all of it, colour nothing alone; the card is white: it reads in a dark theme and on paper.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from labkit.widgets import timeline_marks as marks
from labkit.widgets.drawn_text import BOLD, NORMAL, cut, lines, text, width
from labkit.widgets.lives import Life, instant
from labkit.widgets.timeline_marks import AFTER_MARK, ALIVE, BAR, DEAD, FAINT, INK, NOW

WIDTH, LEAST_WIDTH = 720, 600
"""Pixels; below the least its smallest words would be lower than ten, so in a narrower place it scrolls."""

AXIS = (84, 492)
"""Pixels at which 0 seconds and the horizon stand; the slider of the view lies above the same stretch."""

NAMES, FATES, EDGE = 12, 512, WIDTH - 8
FIRST_ROW, ROW, LINE = 36, 54, 15


def horizon(instants: Iterable[float]) -> float:
    """A round number of seconds past all of these, for the axis to end at."""
    last = max(instants)
    tick = _tick(last)
    return (math.floor(last / tick + 1e-9) + 1) * tick


def picture(rows: Sequence[Life], *, now: float, latest: float, horizon: float, words: str, rule: str) -> str:
    """The rows at `now`; `words` becomes the title, which is what a screen reader says of it."""
    card = _Card(rows, now, latest, horizon, rule)
    shapes = "".join([*card.axis(), *card.time(), *card.bars(), *card.legend()])
    size = f'viewBox="0 0 {WIDTH} {card.height:g}" width="{WIDTH}" height="{card.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} '
        f'style="min-width: {LEAST_WIDTH}px; max-width: 100%; height: auto" font-family="sans-serif">'
        f"<title>{escape(words)}</title>"
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{card.height - 1:g}" rx="8" fill="white" stroke="{DEAD}"/>'
        f"{shapes}</svg>"
    )


@dataclass(frozen=True)
class _Row:
    """One life, the middle of its bar, and in lines its fate and why."""

    life: Life
    y: float
    fate: list[str]
    why: list[str]
    weight: str


class _Card:
    def __init__(self, told: Sequence[Life], now: float, latest: float, horizon: float, rule: str):
        self.now, self.latest, self.horizon, self.rule = now, latest, horizon, rule
        self.rows, self.foot = _rows(told, rule)  # the foot is where the axis lies
        self.lines = marks.legend(told, start=24, end=EDGE, rule=rule)
        self.height = self.foot + 50 + 22 * len(self.lines)

    def x(self, seconds: float) -> float:
        left, right = AXIS
        return round(left + (right - left) * seconds / self.horizon, 1)

    def axis(self) -> Iterator[str]:
        yield f'<path d="M{AXIS[0]} {self.foot:g}H{AXIS[1]}" stroke="{FAINT}"/>'
        tick = _tick(self.horizon)
        labels = [f"{number * tick:.10g}" for number in range(math.floor(self.horizon / tick + 1e-9) + 1)]
        every = math.ceil((max(width(label, size=12) for label in labels) + 6) / (self.x(tick) - self.x(0)))
        for number, label in enumerate(labels):
            at = self.x(number * tick)
            yield f'<path d="M{at:g} {self.foot:g}v5" stroke="{FAINT}"/>'
            if number % every == 0:
                yield text(at, self.foot + 18, label, anchor="middle", size=12, fill=FAINT)
        yield text(FATES + 28, self.foot + 18, "seconds", size=12, fill=FAINT)
        yield text(FATES, 20, self.rule, size=12, fill=FAINT)

    def bars(self) -> Iterator[str]:
        if not self.rows:
            yield text(AXIS[0] + 14, FIRST_ROW + 24, "Nothing was put yet.", fill=FAINT)
        for row in self.rows:
            shapes = [*self.bar(row.life, row.y), *self.marks(row.life, row.y), *self.told(row)]
            yield f'<g data-life="{escape(row.life.name)}">{"".join(shapes)}</g>'

    def bar(self, life: Life, y: float) -> Iterator[str]:
        """What it lived, and dashed what was to come."""
        born, end = self.x(life.born), self.x(self.now if life.end is None else life.end)
        fill, stroke = (ALIVE, INK) if life.is_alive else (DEAD, FAINT)
        yield f'<path d="M{end:g} {y:g}H{self.x(life.deadline):g}" stroke="{FAINT}" stroke-dasharray="2 4"/>'
        yield f'<path d="M{self.x(life.deadline):g} {y - 5:g}v10" stroke="{FAINT}"/>'
        shape = f'x="{born:g}" y="{y - BAR / 2:g}" width="{end - born:g}" height="{BAR}"'
        yield f'<rect {shape} fill="{fill}" stroke="{stroke}"/>'
        yield from (marks.revoked(self.x(span.start), self.x(span.end), y) for span in life.revoked)

    def marks(self, life: Life, y: float) -> Iterator[str]:
        yield marks.put(self.x(life.born), y)
        if not life.left:
            yield marks.deadline(self.x(life.deadline), y)
        yield from (marks.promoted(self.x(at), y - 13) for at in life.promoted)
        yield from (marks.peeked(self.x(at), y - 13) for at in life.peeked)
        yield from (marks.missed(self.x(at), y + 14) for at in life.missed)
        yield from (marks.refused(self.x(at), y + 14) for at in life.refused)
        if life.left and life.end is not None:
            yield marks.left(marks.LETTERS[life.left])(self.x(life.end), y)

    def told(self, row: _Row) -> Iterator[str]:
        """Its name before the bar; its fate and why behind it, about the middle of the bar."""
        yield text(NAMES, row.y + 5, _short_name(row.life), fill=INK, weight=row.weight)
        y = row.y + 6.5 - LINE * (len(row.fate) + len(row.why) - 1) / 2
        for number, words in enumerate(row.fate):
            yield text(FATES, y + LINE * number, words, fill=INK, weight=row.weight)
        for number, words in enumerate(row.why, len(row.fate)):
            yield text(FATES, y + LINE * number, words, size=12, fill=FAINT)

    def time(self) -> Iterator[str]:
        """The line of now, a hair to the side when it is the instant before or after; and how far time has run."""
        word = instant(self.now)
        at = self.x(self.now) + 3 * (word.startswith("just after") - word.startswith("just before"))
        yield f'<path d="M{at:g} 26V{self.foot:g}" stroke="{NOW}" stroke-width="2"/>'
        yield _centred(at, 20, f"now: {word}", end=FATES - 6, fill=NOW, weight=BOLD)
        if self.now < self.latest:
            at = self.x(self.latest)
            yield f'<path d="M{at:g} 34V{self.foot:g}" stroke="{FAINT}" stroke-dasharray="6 4"/>'
            yield _centred(at, self.foot + 34, f"time has run to {instant(self.latest)}", end=EDGE, fill=INK)

    def legend(self) -> Iterator[str]:
        for number, line in enumerate(self.lines):
            y = self.foot + 54 + 22 * number
            for x, mark, words in line:
                yield mark(x, y)
                yield text(x + AFTER_MARK, y + 4, words, size=12, fill=FAINT)


def _rows(told: Sequence[Life], rule: str) -> tuple[list[_Row], float]:
    """Each below the one before, higher where more is told than fits beside a bar; and where the last one ends."""
    rows: list[_Row] = []
    top = float(FIRST_ROW)
    for life in told:
        weight = BOLD if life.is_alive else NORMAL
        fate = lines(life.fate, room=EDGE - FATES, weight=weight)
        why = lines(life.why(rule), room=EDGE - FATES, size=12)
        height = max(ROW, LINE * len([*fate, *why]) + 9)
        rows.append(_Row(life, top + height / 2 - 2, fate, why, weight))
        top += height
    return rows, max(top, FIRST_ROW + ROW) + 2


def _short_name(life: Life) -> str:
    """The key, cut so that which of its lives it is still stands behind it."""
    number = life.name.removeprefix(life.key)
    room = AXIS[0] - 8 - NAMES - width(number, weight=BOLD)
    return cut(life.key, room=room, weight=BOLD) + number


def _centred(at: float, y: float, words: str, *, end: float, fill: str, weight: str = NORMAL) -> str:
    """Words above or below a line, moved aside where they would leave the card or run into what stands at `end`."""
    half = width(words, weight=weight) / 2
    return text(min(max(at, 8 + half), end - half), y, words, anchor="middle", fill=fill, weight=weight)


def _tick(seconds: float) -> float:
    """A round distance that goes into this stretch some five to ten times."""
    power = 10 ** math.floor(math.log10(seconds / 5))
    return next(step * power for step in (1, 2, 5, 10) if seconds / (step * power) < 10)
