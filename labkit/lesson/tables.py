"""Small tables that read the same as text, in a browser and in a screen reader; refusals are rows, not tracebacks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from types import TracebackType
from typing import TYPE_CHECKING, Any

from labkit.errors import LabError

if TYPE_CHECKING:
    import pandas

SHOWN_DIGITS = 8
"""How much of a digest a lesson shows; enough to tell two apart by eye, never enough to look one up."""


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
        return f'<div style="overflow-x: auto">{table}</div>'

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


def decisions(*asked: tuple[str, Callable[[], Any]], accepted: str = "accepted") -> Table:
    """Try each call and tell what was decided, by which rule, in which function; only the lab's refusals are caught."""
    return table(_decision(label, attempt, accepted) for label, attempt in asked)


def short(digest: str) -> str:
    """The first 8 digits of a digest."""
    return digest[:SHOWN_DIGITS]


def _decision(label: str, attempt: Callable[[], Any], accepted: str) -> dict[str, str]:
    try:
        attempt()
    except LabError as refused:
        where = _where(refused.__traceback__)
        return {"request": label, "decision": f"refused: {refused.code}", "rule": refused.rule, "where": where}
    return {"request": label, "decision": accepted, "rule": "", "where": ""}


def _where(traceback: TracebackType | None) -> str:
    """The innermost public labkit function a refusal came through, such as `canonical.canonical_json`."""
    where = ""
    while traceback:
        module = traceback.tb_frame.f_globals.get("__name__", "")
        name = traceback.tb_frame.f_code.co_qualname
        if module.startswith("labkit.") and not module.startswith("labkit.lesson") and name[0] != "_":
            where = f"{module.rsplit('.', 1)[-1]}.{name}"
        traceback = traceback.tb_next
    return where
