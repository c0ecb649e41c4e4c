"""The code of a cell, taken apart: its syntax tree, the calls in it, its last value."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode


@lru_cache(maxsize=1024)
def as_python(source: str) -> str:
    """The source with magics turned into calls: what the kernel runs."""
    return TransformerManager().transform_cell(source)


@lru_cache(maxsize=1024)
def parsed(source: str) -> ast.Module | None:
    """The syntax tree, or None for code that Python does not accept."""
    try:
        return ast.parse(as_python(source))
    except SyntaxError:
        return None


def tree(cell: NotebookNode) -> ast.Module:
    """The syntax tree of a code cell; an empty one for other cells and for code that does not parse."""
    return (parsed(cell.source) if cell.cell_type == "code" else None) or ast.Module([], [])


def calls(cell: NotebookNode, name: str) -> Iterator[ast.Call]:
    """Every call of the plain name in the cell."""
    for node in ast.walk(tree(cell)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def first_arguments(cell: NotebookNode, name: str) -> list[str]:
    """The texts that calls of the name take first: ids of predictions and exercises."""
    firsts = (call.args[0] for call in calls(cell, name) if call.args)
    return [first.value for first in firsts if isinstance(first, ast.Constant) and isinstance(first.value, str)]


def last_value(cell: NotebookNode) -> ast.expr | None:
    """The expression that the cell ends with, which is what it shows; None when it ends otherwise."""
    last = tree(cell).body[-1:]
    return last[0].value if last and isinstance(last[0], ast.Expr) else None


def code_lines(cell: NotebookNode) -> int:
    """Lines that hold code: not blank, not a comment alone."""
    lines = (line.strip() for line in cell.source.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)
