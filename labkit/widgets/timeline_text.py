"""The timeline in words: a table, sentences for a listener, and a figure that holds the picture and the table."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from labkit.text_table import Table
from labkit.widgets.lives import Life, instant
from labkit.widgets.timeline_picture import LEAST_WIDTH

COLUMNS = ("now", "key", "bytes", "born", "promoted", "deadline", "deadline <= now", "fate")


def rows_table(rows: Sequence[Life], *, columns: Sequence[str] = COLUMNS) -> Table:
    """A row for each life; `promoted` lists when a hit did so."""
    return Table(tuple(columns), tuple(_cells(life, columns) for life in rows))


def sentences(rows: Sequence[Life], *, now: float, latest: float, last: str, rule: str) -> str:
    """The time, what was done last, then each entry."""
    said = [f"Now is {instant(now)}", last or "Nothing was done yet"]
    if now < latest:
        said.insert(1, f"You look back: time has run to {instant(latest)}")
    return ". ".join([*said, *(f"{life.name}: {life.fate}, {life.why(rule)}" for life in rows)]) + "."


def figure(svg: str, words: str, table: Table) -> str:
    """HTML with the picture and the table, which scroll in a narrow place; no picture let through, its words stay."""
    source = b64encode(svg.encode()).decode()
    style = f"min-width: {LEAST_WIDTH}px"
    image = f'<img src="data:image/svg+xml;base64,{source}" alt="{escape(words)}" style="{style}">'
    scrolls = f'<div style="overflow-x: auto" tabindex="0" role="group" aria-label="Picture">{image}</div>'
    return scrolls + table._repr_html_()


def _cells(life: Life, columns: Sequence[str]) -> tuple[str, ...]:
    cells = {
        "now": instant(life.now),
        "key": life.name,
        "bytes": str(life.size),
        "born": instant(life.born),
        "promoted": ", ".join(map(instant, life.promoted)) or "never",
        "deadline": instant(life.deadline),
        "deadline <= now": "never asked" if life.left else str(life.is_past_deadline),
        "fate": life.fate,
    }
    return tuple(cells[column] for column in columns)
