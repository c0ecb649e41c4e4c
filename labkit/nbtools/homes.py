"""Which lessons' kernels may be forked: all but those in which a fork could hide an import that is missing.

A forked kernel has modules in its memory that a new one has not. A name that was never imported is missing in both; a
module that is reached through its package, `a.b` after `import a`, would be found in one of them only.
"""

import ast
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

from labkit.nbtools.cell_code import tree
from labkit.nbtools.forked import preloaded
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.surroundings import kernel_home

HomeOf = Callable[[Lesson], Path]


@contextmanager
def kernel_homes(*kinds: str) -> Generator[HomeOf]:
    """A home for each lesson's kernels: one where they are forked, or one where they are not."""
    with kernel_home() as plain, kernel_home() as forked, preloaded(forked, *kinds):
        yield lambda lesson: plain if needs_new_kernels(lesson) else forked


def needs_new_kernels(lesson: Lesson) -> bool:
    """Whether code reaches a module through its package without an import of that module, or looks at all modules."""
    nodes = [node for cell in lesson.code_cells for node in ast.walk(tree(cell))]
    bound = dict(name for node in nodes for name in _bound(node))
    imported = {module for node in nodes for module in _imported(node)}
    reached = {module for node in nodes for module in _reached(node, bound)}
    return "sys.modules" in reached | imported or any(map(_is_module, reached - imported))


def _bound(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names that an import binds, and what they stand for."""
    if isinstance(node, ast.Import):
        for one in node.names:
            yield (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (str(node.module), *(f"{node.module}.{one.name}" for one in node.names))


def _reached(node: ast.AST, bound: dict[str, str]) -> Iterator[str]:
    """`pandas.io.formats` of `pd.io.formats`, when `pd` stands for pandas."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path, node = [node.attr, *path], node.value
    if path and isinstance(node, ast.Name) and node.id in bound:
        yield ".".join([bound[node.id], *path])


def _is_module(dotted: str) -> bool:
    """Whether it has a file of its own below its package; nothing is imported to see it."""
    top, *rest = dotted.split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # a module made by hand
        return False
    for part in rest:
        if spec is None or spec.submodule_search_locations is None:
            return False
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    return spec is not None
