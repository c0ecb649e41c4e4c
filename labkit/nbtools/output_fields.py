"""What stands in an output: the number that a mark's field names, read from the text that was shown."""

import ast
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from nbformat import NotebookNode

from labkit.nbtools.number_words import PHRASE, worth

QUANTITY = re.compile(r"(?P<number>[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?: ?[A-Za-z%]+)?")  # noqa: RUF001 - a true minus sign


def shown_text(cell: NotebookNode) -> str:
    """The plain text of the cell's last output; empty when it has none."""
    for out in reversed(cell.outputs):
        text = out.get("data", {}).get("text/plain", "") or out.get("text", "")
        if text:
            return str(text)
    return ""


def field(text: str, path: str) -> Any:
    """The value that the path names in a shown literal or table; LookupError that says what there is."""
    table = read_table(text)
    if table is not None:
        return _of_table(table, path)
    try:
        value = _literal(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        raise LookupError("the output is neither a Python literal nor one of our tables") from None
    for step in path.split(".") if path != "value" else ():
        value = _step(value, step)
    return value


def read_table(text: str) -> list[dict[str, str]] | None:
    """The rows of a table as `labkit.lesson.table` shows it, by column; None for other text."""
    lines = text.splitlines()
    if len(lines) < 2 or not re.fullmatch(r"-+(\+-+)*", lines[1]):
        return None
    widths = [len(part) for part in lines[1].split("-+-")]
    starts = [sum(widths[:at]) + 3 * at for at in range(len(widths))]
    rows = [
        [line[start : start + width].strip() for start, width in zip(starts, widths, strict=True)] for line in lines
    ]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]


def agree(stated: str, value: Any) -> bool:
    """Whether a number in prose, in digits or words, is the value, rounded to the digits that the prose gives."""
    in_words = re.fullmatch(PHRASE, stated, re.IGNORECASE)
    wanted, got = _decimal(str(worth(stated)) if in_words else stated), _decimal(str(value))
    if wanted is None or got is None or isinstance(value, bool):
        return False
    exponent = wanted.as_tuple().exponent
    digits = max(0, -exponent) if isinstance(exponent, int) else 0
    return round(got, digits) == wanted


def _of_table(table: list[dict[str, str]], path: str) -> Any:
    number, _, column = path.partition(".")
    if path == "rows":
        return len(table)
    if number == "rows":
        column, _, value = column.partition("=")
        return [_cell(row, column) for row in table].count(value)
    if not number.isdigit() or not 1 <= int(number) <= len(table):
        raise LookupError(f"the table has the rows 1 to {len(table)}")
    return _cell(table[int(number) - 1], column)


def _cell(row: dict[str, str], column: str) -> str:
    if column not in row:
        raise LookupError(f"the table has the columns {', '.join(row)}")
    return row[column]


def _step(value: Any, step: str) -> Any:
    if step == "len" and not (isinstance(value, dict) and "len" in value):
        return len(value)
    try:
        return value[int(step)] if step.lstrip("-").isdigit() and not isinstance(value, dict) else value[step]
    except (KeyError, IndexError, TypeError):
        there = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
        raise LookupError(f"no {step} in the output; there is: {there}") from None


def _literal(node: ast.expr) -> Any:
    """The value of a literal; a call such as `Hit(rank=1)` reads as its keywords."""
    if isinstance(node, ast.Call):
        return {word.arg: _literal(word.value) for word in node.keywords}
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        keys = [ast.literal_eval(key) for key in node.keys if key is not None]
        return {str(key): _literal(value) for key, value in zip(keys, node.values, strict=True)}
    return ast.literal_eval(node)


def _decimal(text: str) -> Decimal | None:
    found = QUANTITY.fullmatch(text.strip())
    try:
        return Decimal(found["number"].replace(",", "").replace("−", "-")) if found else None  # noqa: RUF001
    except InvalidOperation:
        return None
