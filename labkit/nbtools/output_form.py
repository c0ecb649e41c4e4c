"""What may stand among recorded outputs: text always, rich forms beside it, errors by leave, nothing of a machine."""

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from labkit.nbtools.cell_code import last_value, tree
from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson, tags
from labkit.nbtools.recorded import WIDGET_VIEW, machine_facts, shown
from labkit.nbtools.series import Series

RICH = {"text/plain", "text/html", "text/markdown", "image/svg+xml"}
SHOWS = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions that are never None, whatever they compute."""


def output_missing(lesson: Lesson) -> Iterator[Problem]:
    """A cell that ends in a value or prints has the output of it."""
    for cell in lesson.code_cells:
        if _must_show(cell) and not any(out.output_type in ("execute_result", "error") for out in cell.outputs):
            yield Problem("the cell ends in a value, and none is recorded", cell, "an output", "none")
        elif _must_print(cell) and not cell.outputs:
            yield Problem("the cell prints, and nothing is recorded", cell, "text on stdout", "none")


def output_kinds(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Outputs are text, HTML, Markdown or SVG: what a reader without a running kernel can see."""
    for cell in lesson.code_cells:
        for kind in sorted({kind for out in cell.outputs for kind in out.get("data", {})} - RICH):
            yield Problem("an output of a kind that lessons do not keep", cell, ", ".join(sorted(RICH)), kind)


def text_twin(lesson: Lesson) -> Iterator[Problem]:
    """Every rich output says the same in plain text: in a terminal, to nbval, to a screen reader."""
    for cell in lesson.code_cells:
        for out in cell.outputs:
            text = str(out.data.get("text/plain", "")).strip() if "data" in out else "a stream"
            rich = len(out.get("data", ())) > 1
            if not text or (rich and re.fullmatch(r"<[\w.]+ .*>", text)):
                yield Problem(
                    "a rich output says nothing in plain text", cell, "what it shows, in words", text or "none"
                )


def no_errors(lesson: Lesson) -> Iterator[Problem]:
    """An error is recorded only in a cell tagged `traceback`, and a notebook has at most one of those."""
    for cell in lesson.code_cells:
        if any(out.output_type == "error" for out in cell.outputs) and "traceback" not in tags(cell):
            yield Problem("the cell ended in an error", cell)
    for cell in [cell for cell in lesson.code_cells if "traceback" in tags(cell)][1:]:
        yield Problem("a second deliberate traceback", cell, "at most one", "two")


def no_stderr(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Nothing is written to stderr: no warning reaches a cell."""
    for cell in lesson.code_cells:
        for out in cell.outputs:
            if out.output_type == "stream" and out.name == "stderr":
                yield Problem("text on stderr", cell, "none", out.text)


def widget_state(lesson: Lesson) -> Iterator[Problem]:
    """No live widget is kept: its ids are random, and JupyterLab shows an error for it when no kernel runs."""
    if "widgets" in lesson.node.metadata:
        yield Problem("the notebook keeps the state of widgets", None, "static snapshots", "metadata.widgets")
    for cell in lesson.code_cells:
        if any(WIDGET_VIEW in out.get("data", {}) for out in cell.outputs):
            yield Problem("a live widget is kept as output", cell, "its text, HTML or SVG", WIDGET_VIEW)


def no_machine_facts(lesson: Lesson) -> Iterator[Problem]:
    """Nothing tells of the machine that ran it: paths, addresses, processes, hosts, times."""
    for cell in lesson.cells:
        for text in (cell.source, *shown(cell)):
            for what, found in machine_facts(text):
                yield Problem(f"{what} in what a reader sees", cell, "nothing of a machine", found)
    for what, found in machine_facts(str(lesson.node.metadata)):
        yield Problem(f"{what} in the metadata", None, "nothing of a machine", found)


def _must_show(cell: NotebookNode) -> bool:
    value = last_value(cell)
    return isinstance(value, SHOWS + COMPREHENSIONS) or (isinstance(value, ast.Constant) and value.value is not None)


def _must_print(cell: NotebookNode) -> bool:
    statements = [node.value for node in tree(cell).body if isinstance(node, ast.Expr)]
    return any(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
        for call in statements
    )
