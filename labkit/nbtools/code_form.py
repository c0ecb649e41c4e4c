"""How code in a notebook is written: plain Python, imports in the open, and nothing retyped that labkit has."""

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode

import labkit
from labkit.nbtools.cell_code import as_python, parsed, tree
from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson, tags
from labkit.nbtools.series import Series

SETUP_LINES = 8
HISTORY = {"In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_oh", "_ih", "_dh"}
LEAST_BODY = 40
"""Characters of a function's body below which two may well be alike by chance."""

FORBIDDEN_CALLS = {
    "sleep",
    "clear_output",
    "update_display",
    "interact",
    "interactive_output",
    "warn",
    "system",
    "urlopen",
}
Shape = tuple[type[ast.stmt], ...]
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def code_parses(lesson: Lesson) -> Iterator[Problem]:
    """Every code cell is Python that parses."""
    for cell in lesson.code_cells:
        if parsed(cell.source) is None:
            yield Problem("the code does not parse", cell)


def trailing_semicolon(lesson: Lesson) -> Iterator[Problem]:
    """No statement ends in a semicolon: it hides a value in the notebook, and not under nbval."""
    for cell in lesson.code_cells:
        if any(text == ";" and following == "\n" for text, following in _neighbours(cell)):
            yield Problem("a trailing semicolon", cell, "the value in view", ";")


def no_history(lesson: Lesson) -> Iterator[Problem]:
    """No cell reads `Out`, `In` or `_`: nbval runs without them, and a reader cannot see what they hold."""
    bound = _bound(lesson)
    for cell in lesson.code_cells:
        names = [
            node.id for node in ast.walk(tree(cell)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        ]
        for name in sorted(HISTORY.intersection(names) - bound):
            yield Problem("a cell reads the session's history", cell, "a name of its own", name)


def star_import(lesson: Lesson) -> Iterator[Problem]:
    """No star import: a reader must see where each name comes from."""
    for cell in lesson.code_cells:
        for node in ast.walk(tree(cell)):
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield Problem("a star import", cell, "names one by one", f"from {node.module} import *")


def plain_python(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """No magics, no shell, no sleep, no live display: what is shown is the value, and it comes out everywhere."""
    for cell in lesson.code_cells:
        for node in ast.walk(tree(cell)):
            name = _called(node)
            if name in FORBIDDEN_CALLS or name == "get_ipython":
                yield Problem("a call that lessons do not make", cell, "plain Python", name)


def value_not_print(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A cell shows the value of its last line; it does not print."""
    for cell in lesson.code_cells:
        if any(_called(node) in ("print", "pprint", "display") for node in ast.walk(tree(cell))):
            yield Problem("the cell prints", cell, "a value as last line", "print")


def setup_cell(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """The first code cell, and no other, is tagged `setup` and holds at most 8 lines of imports, nothing else."""
    marked = [cell for cell in lesson.code_cells if "setup" in tags(cell)]
    if marked != list(lesson.code_cells[:1]) or not marked:
        yield Problem(
            "the first code cell alone is the set-up", None, "one cell tagged setup, the first", f"{len(marked)} tagged"
        )
        return
    if any(not isinstance(node, ast.Import | ast.ImportFrom) for node in tree(marked[0]).body):
        yield Problem("the set-up holds more than imports", marked[0])
    if len(marked[0].source.splitlines()) > SETUP_LINES:
        yield Problem(
            "the set-up is too long", marked[0], f"at most {SETUP_LINES} lines", str(len(marked[0].source.splitlines()))
        )


def imports_at_the_top(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """labkit is imported in the set-up cell only: every section can then be run on its own after it."""
    for cell in lesson.code_cells[1:]:
        for node in ast.walk(tree(cell)):
            for module in _imported(node):
                if module.split(".")[0] == "labkit":
                    yield Problem("labkit is imported outside the set-up", cell, "an import in the set-up", module)


def retyped_name(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """No notebook defines what labkit has, by name or by body: it imports it, or shows the real source."""
    names, shapes = labkit_definitions()
    for cell in lesson.code_cells:
        for node in ast.walk(tree(cell)):
            if isinstance(node, Definition):
                if node.name in names:
                    yield Problem(
                        "a public name of labkit is defined anew", cell, f"import from {names[node.name]}", node.name
                    )
                elif module := next((module for module, own in shapes.get(_shape(node), ()) if _same(own, node)), None):
                    yield Problem(
                        "a copy of labkit's code under another name", cell, f"import from {module}", node.name
                    )


@lru_cache(maxsize=1)
def labkit_definitions() -> tuple[dict[str, str], dict[Shape, list[tuple[str, Definition]]]]:
    """Module by public name, and modules and definitions by shape, of all that labkit defines."""
    names: dict[str, str] = {}
    shapes: dict[Shape, list[tuple[str, Definition]]] = {}
    root = Path(labkit.__path__[0])
    for path in sorted(root.rglob("*.py")):
        module = ".".join(("labkit", *path.relative_to(root).with_suffix("").parts))
        source = ast.parse(path.read_text(encoding="utf-8"))
        names |= {node.name: module for node in source.body if isinstance(node, Definition) and node.name[0] != "_"}
        for node in ast.walk(source):
            if isinstance(node, Definition):
                shapes.setdefault(_shape(node), []).append((module, node))
    return names, shapes


def _shape(definition: Definition) -> Shape:
    """The kinds of its statements: only what agrees in these need be spelled out and compared."""
    return tuple(map(type, _statements(definition)))


def _same(one: Definition, other: Definition) -> bool:
    body, copy = ("\n".join(map(ast.unparse, _statements(definition))) for definition in (one, other))
    return body == copy and len(body) >= LEAST_BODY


def _statements(definition: Definition) -> list[ast.stmt]:
    return definition.body[ast.get_docstring(definition) is not None :]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def _called(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", None) or getattr(function, "attr", None) or ""


def _bound(lesson: Lesson) -> set[str]:
    """Names that the notebook itself gives a value: `_` in a loop is no history."""
    nodes = (node for cell in lesson.code_cells for node in ast.walk(tree(cell)))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _neighbours(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """Each token's text and the next one's, comments left out; a line's end reads as a line feed."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(as_python(cell.source)).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    texts = [
        "\n" if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER) else token.string
        for token in tokens
        if token.type not in (tokenize.COMMENT, tokenize.NL)
    ]
    yield from pairwise(texts)
