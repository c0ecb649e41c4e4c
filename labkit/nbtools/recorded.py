"""The one form in which a run is recorded: what a lesson means, and nothing of the machine, editor or moment.

Two runs of the same lesson give the same bytes; what an editor's save changed is put right from the tags.
"""

import copy
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from labkit.nbtools.notebook import Lesson, node_of, spelled, tags

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""All that a lesson says about itself; the rest tells of the machine that ran it."""

FOLDS = {"outcome": ("hide-output", "outputs_hidden"), "solution": ("hide-input", "source_hidden")}
"""What a tag's meaning asks for: the tag that the site folds by, and the flag that JupyterLab folds by."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

MACHINE_FACTS = {
    "an absolute path": re.compile(
        r"(?<![\w.:/<~])/(home|Users|root|tmp|private|var|usr|opt|mnt|srv|work|proc)/[\w.-]+"
    ),
    "a path with a drive": re.compile(r"\b[A-Za-z]:\\+\w"),
    "a file address": re.compile(r"\bfile:///"),
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}"),
    "a kernel's process": re.compile(r"ipykernel_\d+"),
    "a process id": re.compile(r"\b(pid|process id)[=: ]+\d+", re.IGNORECASE),
    "a time stamp": re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d"),
}
"""What another machine, or another run, would show otherwise."""


def recorded(lesson: Lesson, cells: Sequence[NotebookNode] | None = None) -> str:
    """The text of the lesson's file, with the outputs of these executed cells, or of the lesson as it is.

    Counters are 1…n, ids `stem-NN` (kept where they have that form, else the next free number), folds follow the tags.
    """
    cells = lesson.cells if cells is None else cells
    ids = _ids(lesson.stem, cells)
    counts = iter(range(1, len(cells) + 1))
    kept = [_code(cell, next(counts)) if cell.cell_type == "code" else _prose(cell) for cell in cells]
    for cell, id in zip(kept, ids, strict=True):
        cell["id"] = id
    return spelled(node_of({"cells": kept, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}))


def machine_facts(text: str) -> Iterator[tuple[str, str]]:
    """What in this text tells of a machine or a moment: what kind of thing, and the thing."""
    for what, pattern in _facts():
        if found := pattern.search(text):
            yield what, found[0]


def shown(cell: NotebookNode) -> Iterator[str]:
    """Every text that the cell's outputs show."""
    for output in cell.get("outputs", ()):
        yield from [str(output.get("text", "")), str(output.get("evalue", "")), *map(str, output.get("traceback", ()))]
        yield from (str(value) for value in output.get("data", {}).values())


def differences(before: Lesson, after: Lesson) -> tuple[str, ...]:
    """What a reader of the file's changes would see, a line a cell: `01_canonical-07: counter, outputs`."""
    found = ["the notebook: metadata"] if _frame(before) != _frame(after) else []
    for old, new in zip(before.cells, after.cells, strict=True):
        now = _aspects(new)
        if changed := [what for what, was in _aspects(old).items() if was != now[what]]:
            found.append(f"{new.id}: {', '.join(changed)}")
    if not found and before.text != after.text:
        found.append("the file: spelling")
    return tuple(found)


def _aspects(cell: NotebookNode) -> dict[str, Any]:
    outputs = cell.get("outputs", [])
    return {
        "id": cell.get("id"),
        "metadata": cell.metadata,
        "counter": [cell.get("execution_count"), *(output.get("execution_count") for output in outputs)],
        "outputs": [{**output, "execution_count": None} for output in outputs],
    }


def _frame(lesson: Lesson) -> tuple[Any, ...]:
    return lesson.node.metadata, lesson.node.nbformat_minor


def _ids(stem: str, cells: Sequence[NotebookNode]) -> list[str]:
    given: dict[str, int] = {}
    for cell in cells:
        if place := re.fullmatch(rf"{re.escape(stem)}-(\d\d+)", cell.get("id", "")):
            given.setdefault(cell.id, int(place[1]))
    free = iter(range(max(given.values(), default=0) + 1, 10_000))
    # A copied cell carries the first one's id: whoever comes first keeps it.
    return [cell.id if given.pop(cell.get("id", ""), None) else f"{stem}-{next(free):02d}" for cell in cells]


def _prose(cell: NotebookNode) -> dict[str, Any]:
    kept = {"cell_type": cell.cell_type, "metadata": _metadata(cell), "source": cell.source}
    return kept | ({"attachments": cell.attachments} if cell.get("attachments") else {})


def _code(cell: NotebookNode, count: int) -> dict[str, Any]:
    outputs = [_output(output, count) for output in cell.outputs]
    return _prose(cell) | {"execution_count": count, "outputs": outputs}


def _metadata(cell: NotebookNode) -> dict[str, Any]:
    meant = [tag for tag in dict.fromkeys(tags(cell)) if tag not in [fold for fold, _ in FOLDS.values()]]
    folds = [FOLDS[tag] for tag in meant if tag in FOLDS]
    kept: dict[str, Any] = {"tags": [*meant, *(fold for fold, _ in folds)]} if meant else {}
    return kept | ({"jupyter": {flag: True for _, flag in folds}} if folds else {})


def _output(output: NotebookNode, count: int) -> dict[str, Any]:
    kept: dict[str, Any] = {part: copy.deepcopy(value) for part, value in output.items() if part != "transient"}
    if "metadata" in kept:
        kept |= {"metadata": {}}
    if "execution_count" in kept:
        kept["execution_count"] = count
    if len(kept.get("data", ())) > 1:
        kept["data"].pop(WIDGET_VIEW, None)  # its ids are random, and it shows an error where no kernel runs
    if "traceback" in kept:
        kept["traceback"] = [f"{kept['ename']}: {kept['evalue']}"]  # the rest is paths and line numbers
    return kept


def _facts() -> Iterator[tuple[str, re.Pattern[str]]]:
    yield from MACHINE_FACTS.items()
    if len(platform.node()) > 5:  # a short name such as "lab" is a word like others
        yield "this machine's name", re.compile(rf"\b{re.escape(platform.node())}\b")
    for folder in {str(Path.home()), sys.prefix, tempfile.gettempdir()}:
        if len(Path(folder).parts) > 1:
            yield "a folder of this machine", re.compile(rf"(?<![\w.:/~]){re.escape(folder)}\b")
