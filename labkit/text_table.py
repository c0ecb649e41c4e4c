"""A small table that reads the same as text, in a browser and in a screen reader."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Table:
    """Columns and rows of text, in order."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        widths = [max(map(len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]
        header, *body = (
            " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
            for cells in (self.columns, *self.rows)
        )
        return "\n".join([header, "-+-".join("-" * width for width in widths), *body])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="text-align: left">{escape(name)}</th>' for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align: left">{escape(cell)}</td>' for cell in row) + "</tr>"
            for row in self.rows
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        # A wide one scrolls; with a place in the tab order, by keyboard too.
        return f'<div style="overflow-x: auto" tabindex="0" role="group" aria-label="Table">{table}</div>'

    def frame(self) -> "pandas.DataFrame":
        """The same rows as a pandas frame, to sort and group; needs pandas, which the rest of a lesson does not."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=list(self.columns))


def table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """A table with a column for each name in the first row; ValueError when a later row has other names."""
    listed = list(rows)
    if not listed:
        raise ValueError("a table needs at least one row")
    columns = tuple(listed[0])
    for number, row in enumerate(listed, 1):
        if tuple(row) != columns:
            raise ValueError(f"row {number} has the columns {', '.join(row)}; wanted {', '.join(columns)}")
    return Table(columns, tuple(tuple(str(row[name]) for name in columns) for row in listed))
