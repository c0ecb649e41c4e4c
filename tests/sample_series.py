"""A small series with one complete, good lesson in it: what the tests of the gate spoil, one thing at a time."""

import copy
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import nbjson, new_code_cell, new_markdown_cell, new_notebook

from labkit.nbtools.notebook import Lesson, spelled
from labkit.nbtools.recorded import recorded
from labkit.nbtools.series import Series

SAMPLE = Path(__file__).parent / "sample"
"""The sample's text and exercises; on a kernel's PYTHONPATH it makes `exercises_90` importable."""

STEM = "90_sample"
FILES = {
    "README.md": "# Sample\n\n## Lessons\n",
    "tests/test_sample.py": "def test_words_are_folded():\n    assert 'JSON'.lower() == 'json'\n",
    "notebooks/bars.svg": "<svg/>\n",
    "notebooks/glossary.md": (
        "# Glossary\n\n"
        "- **fold**: to write capitals as small letters. ([90](90_sample.ipynb))\n"
        "- **token**: a word as it is counted. ([90](90_sample.ipynb))\n"
    ),
}
DISPLAYS = """\
from IPython.display import display

display({'a': 1})
display({'b': 2})
display({'text/plain': 'a dot', 'image/png': 'aGk='}, raw=True)
"""
NEIGHBOURS = {"01_first": "# 01 · First\n\n## A first section", "91_next": "# 91 · Next"}


@dataclass
class Draft:
    """The series as text, to be spoiled: its files by path, and the good lesson as a notebook."""

    node: NotebookNode
    place: str = f"notebooks/{STEM}.ipynb"
    files: dict[str, str] = field(default_factory=lambda: dict(FILES))
    text: str = ""

    def copy(self) -> "Draft":
        """The same, to be changed on its own."""
        return Draft(copy.deepcopy(self.node), self.place, dict(self.files))

    def cell(self, number: int) -> NotebookNode:
        """The cell that had this number at first."""
        return next(cell for cell in self.node.cells if cell.get("id") == f"{Path(self.place).stem}-{number:02d}")

    def output(self, number: int, index: int = 0) -> NotebookNode:
        """An output of that cell."""
        return self.cell(number).outputs[index]

    def replace(self, number: int, old: str, new: str) -> None:
        """Change the source of that cell; the old text must be there."""
        cell = self.cell(number)
        assert old in cell.source, (old, cell.source)
        cell.source = cell.source.replace(old, new)

    def move(self, start: int, to: int) -> None:
        """Put the cell at one place of the list to another."""
        self.node.cells.insert(to, self.node.cells.pop(start))

    def edit(self, name: str, old: str, new: str) -> None:
        """Change another file of the series; the old text must be there."""
        assert old in self.files[name], (old, self.files[name])
        self.files[name] = self.files[name].replace(old, new)

    def lay_in_series(self, root: Path) -> tuple[Lesson, Series]:
        """Write all under the root; the notebook, and the series that it is one of."""
        lesson, series = self.lay(root)
        assert series, f"{self.place} is no lesson of the series"
        return lesson, series

    def lay(self, root: Path) -> tuple[Lesson, Series | None]:
        """Write all under the root; the notebook, and the series when it is one of its lessons."""
        files = self.files | {f"notebooks/{stem}.ipynb": _neighbour(stem, text) for stem, text in NEIGHBOURS.items()}
        text = self.text or spelled(self.node)
        for name, content in (files | {self.place: text}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        node = nbjson.to_notebook(json.loads(text))
        series = Series(root)
        return Lesson(root / self.place, text, node), series if series.holds(root / self.place) else None


def good_lesson() -> Draft:
    """The good lesson before it is run."""
    blocks = re.split(r"^=== (md|code)([^\n]*)\n", (SAMPLE / f"{STEM}.txt").read_text(encoding="utf-8"), flags=re.M)[1:]
    cells = [_cell(*blocks[at : at + 3], number=at // 3 + 1, stem=STEM) for at in range(0, len(blocks), 3)]
    return _draft(cells, f"notebooks/{STEM}.ipynb")


def good_notebook_elsewhere() -> Draft:
    """A good notebook that belongs to no series, before it is run: it prints, it displays, it numbers freely."""
    sources = [
        ("md", "", "# Notes\n\nThere are 3 cells."),
        ("code", "", "import sys\n\nprint('counted')\n40 + 2"),
        ("code", "", DISPLAYS),
        ("code", "traceback", "1 / 0"),
    ]
    return _draft(
        [_cell(*source, number=at, stem="notes") for at, source in enumerate(sources, 1)], "other/notes.ipynb"
    )


def notebook(*cells: tuple[str, ...], place: str = "90_sample.ipynb") -> Lesson:
    """A notebook of these cells, each (md or code, source) or with tags as a third; nothing is run."""
    made = [
        _cell(kind, " ".join(tags), source, number=at, stem=Path(place).stem)
        for at, (kind, source, *tags) in enumerate(cells, 1)
    ]
    node = nbjson.to_notebook(json.loads(spelled(new_notebook(cells=made))))
    return Lesson(Path(place), spelled(node), node)


def _draft(cells: list[NotebookNode], place: str) -> Draft:
    lesson = Lesson(Path(place), "", new_notebook(cells=cells))
    return Draft(nbjson.to_notebook(json.loads(recorded(lesson))), place)


def _cell(kind: str, tags: str, source: str, *, number: int, stem: str) -> NotebookNode:
    metadata: dict[str, Any] = {"tags": tags.split()} if tags.split() else {}
    make = new_markdown_cell if kind == "md" else new_code_cell
    return make(source.strip("\n"), id=f"{stem}-{number:02d}", metadata=metadata)


def _neighbour(stem: str, text: str) -> str:
    return spelled(new_notebook(cells=[new_markdown_cell(text, id=f"{stem}-01")]))
