"""A lesson as a value: read strictly from its file, taken apart by cell, tag and section, spelled in one way.

Guards every notebook; taught in none.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict, validator
from nbformat.v4 import nbjson

from labkit.whole_file import write_whole

NOTEBOOK = re.compile(r"\d\d_\w+")
"""The stem of a lesson: its number, then the module it teaches."""


class NotANotebook(Exception):
    """The file is no notebook that can be read, or no notebook has that name; the message says which and why."""


@dataclass(frozen=True)
class Section:
    """A `##` heading and the cells from it up to the next one."""

    title: str
    cells: tuple[NotebookNode, ...]

    @property
    def code_cells(self) -> tuple[NotebookNode, ...]:
        """The section's code cells, in order."""
        return tuple(cell for cell in self.cells if cell.cell_type == "code")


@dataclass(frozen=True)
class Lesson:
    """One notebook file: its path, the very text of the file, and its content; the content is not to be changed."""

    path: Path
    text: str
    node: NotebookNode

    @property
    def stem(self) -> str:
        """`01_canonical`: the start of each cell id."""
        return self.path.stem

    @property
    def number(self) -> str:
        """`01`: how marks and prediction ids name the lesson."""
        return self.stem.partition("_")[0]

    @property
    def cells(self) -> tuple[NotebookNode, ...]:
        """All cells, in order."""
        return tuple(self.node.cells)

    @property
    def code_cells(self) -> tuple[NotebookNode, ...]:
        """The code cells, in order."""
        return tuple(cell for cell in self.node.cells if cell.cell_type == "code")

    @property
    def setup(self) -> NotebookNode | None:
        """The first code cell tagged `setup`, or None."""
        return next((cell for cell in self.code_cells if "setup" in tags(cell)), None)

    def cell(self, id: str) -> NotebookNode | None:
        """The cell with this id, long (`01_canonical-07`) or short (`01-07`), or None."""
        return next((cell for cell in self.cells if id in (cell.get("id"), short_id(cell))), None)

    def sections(self) -> tuple[Section, ...]:
        """The parts of the lesson that a `##` heading opens, in order; what stands before the first is in none."""
        starts = [(index, title) for index, cell in enumerate(self.cells) if (title := _title(cell)) is not None]
        ends = [*(index for index, _ in starts[1:]), len(self.cells)][: len(starts)]
        return tuple(Section(title, self.cells[start:end]) for (start, title), end in zip(starts, ends, strict=True))


def tags(cell: NotebookNode) -> tuple[str, ...]:
    """The cell's tags, in the order the file has them."""
    return tuple(cell.metadata.get("tags", ()))


def short_id(cell: NotebookNode) -> str:
    """`01-07` for the cell `01_canonical-07`: how marks in prose name a cell."""
    stem, _, place = cell.get("id", "").rpartition("-")
    return f"{stem.partition('_')[0]}-{place}"


def headings(markdown: str) -> Iterator[tuple[int, str]]:
    """Each heading outside code fences, as level and title."""
    fence = ""
    for line in markdown.splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif not fence and (heading := re.match(r"(#{1,6}) +(.*?) *#*$", line)):
            yield len(heading[1]), heading[2]


def read_lesson(path: Path) -> Lesson:
    """The notebook in this file; NotANotebook for anything that the form of nbformat 4 does not allow.

    Missing, doubled or malformed cell ids are let through, and nothing is repaired: `recorded` does that.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise NotANotebook(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise NotANotebook(f"{path}: not UTF-8 text, at byte {error.start}") from error
    return lesson_of(path, text)


def lesson_of(path: Path, text: str) -> Lesson:
    """The notebook that this text would be in this file; NotANotebook as `read_lesson`."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise NotANotebook(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("nbformat") != 4 or type(content.get("nbformat_minor")) is not int:
        raise NotANotebook(f"{path}: wanted a notebook of format 4")
    _check_form(path, content)
    return Lesson(path, text, nbjson.to_notebook(content))


def node_of(content: dict[str, Any]) -> NotebookNode:
    """The content of a notebook as the node that nbformat works on."""
    node = from_dict(content)
    assert isinstance(node, NotebookNode)  # a list would come back as a list
    return node


def spelled(node: NotebookNode) -> str:
    """The one way to write a notebook: keys sorted, an indent of 1, a line feed at the end."""
    return nbjson.writes(node) + "\n"  # nbformat.writes is this, and gives new ids to cells on its way


def write_lesson(path: Path, text: str) -> None:
    """Put this text in the file in one step: a reader sees the old file or the new one, never a part."""
    write_whole(path, text.encode("utf-8"))


def chosen(names: Sequence[str], folder: Path) -> tuple[Path, ...]:
    """The notebooks meant, in order, each once: by `5`, `05`, `05_eligible` or a path; all of `folder` for none.

    NotANotebook for a name that fits none; the message lists those there are.
    """
    lessons = sorted(path for path in folder.glob("*.ipynb") if NOTEBOOK.fullmatch(path.stem))
    if not names and not lessons:
        raise NotANotebook(f"no notebook NN_name.ipynb in {folder}")
    return tuple(dict.fromkeys(_meant(name, lessons) for name in names)) or tuple(lessons)


def _meant(name: str, lessons: Iterable[Path]) -> Path:
    if name.endswith(".ipynb") and (path := Path(name)).is_file():
        return path.resolve()
    number = name.zfill(2) if name.isascii() and name.isdecimal() else name
    for lesson in lessons:
        if number in (lesson.stem.partition("_")[0], lesson.stem, lesson.name):
            return lesson.resolve()
    known = ", ".join(lesson.stem for lesson in lessons) or "none"
    raise NotANotebook(f"no notebook is called {name}; there are: {known}")


def _title(cell: NotebookNode) -> str | None:
    if cell.cell_type != "markdown":
        return None
    return next((title for level, title in headings(cell.source) if level == 2), None)


def _check_form(path: Path, content: dict[str, Any]) -> None:
    with_ids = content | {"nbformat_minor": 5}  # an older one differs in what is let through here
    if isinstance(content.get("cells"), list):
        with_ids["cells"] = [cell | {"id": "any"} if isinstance(cell, dict) else cell for cell in content["cells"]]
    for error in validator.iter_validate(with_ids, version=4, version_minor=5):
        place = "".join(f"[{key!r}]" for key in error.absolute_path)
        raise NotANotebook(f"{path}: not the form of a notebook, at {place or 'the top'}: {error.message[:200]}")
