"""A lesson as a value."""

import json
import subprocess
import sys

import pytest

from labkit.nbtools.notebook import (
    NotANotebook,
    chosen,
    headings,
    read_lesson,
    short_id,
    spelled,
    tags,
    write_lesson,
)


def test_lesson_is_taken_apart_by_number_cell_tag_and_section(notebook_file):
    path = notebook_file(
        "# 05 · A claim", "## Set-up", ("setup", "import math"), "## A question", "1 + 1", "### A detail", "2 + 2"
    )

    lesson = read_lesson(path)

    assert (lesson.stem, lesson.number) == ("05_tiny", "05")
    assert [cell.source for cell in lesson.code_cells] == ["import math", "1 + 1", "2 + 2"]
    assert lesson.setup is lesson.cells[2]
    assert tags(lesson.cells[2]) == ("setup",)
    assert short_id(lesson.cells[4]) == "05-05"
    assert lesson.cell("05-05") is lesson.cell("05_tiny-05") is lesson.cells[4]
    assert lesson.cell("06-05") is None
    assert [section.title for section in lesson.sections()] == ["Set-up", "A question"]
    assert [cell.source for cell in lesson.sections()[1].code_cells] == ["1 + 1", "2 + 2"]


def test_heading_in_a_fence_is_no_heading():
    text = "# One\n```\n# no\n~~~\n# no\n```\n~~~~\n## no\n~~~\n## no\n~~~~\n## Two ##\n#hash\n"

    assert list(headings(text)) == [(1, "One"), (2, "Two")]


def test_reading_repairs_nothing_and_spelling_it_gives_the_file_again(notebook_file):
    path = notebook_file("# A", "1")
    text = path.read_text(encoding="utf-8").replace('"id": "05_tiny-02"', '"id": "05_tiny-01"')
    path.write_text(text, encoding="utf-8")

    lesson = read_lesson(path)

    assert [cell.id for cell in lesson.cells] == ["05_tiny-01", "05_tiny-01"]
    assert lesson.text == spelled(lesson.node) == text


GOOD = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
REFUSED = {
    "a merge left open": ("<<<<<<< ours\n{}", "not JSON"),
    "half a file": (json.dumps(GOOD)[:20], "not JSON"),
    "a list": ("[]", "format 4"),
    "an old format": (json.dumps(GOOD | {"nbformat": 3}), "format 4"),
    "no minor format": (json.dumps({key: GOOD[key] for key in GOOD if key != "nbformat_minor"}), "format 4"),
    "no cells": (json.dumps({key: GOOD[key] for key in GOOD if key != "cells"}), "'cells' is a required property"),
    "cells that are no list": (json.dumps(GOOD | {"cells": {}}), "at ['cells']"),
    "a cell that is text": (json.dumps(GOOD | {"cells": ["1 + 1"]}), "at ['cells'][0]"),
    "a cell of no known kind": (json.dumps(GOOD | {"cells": [{"cell_type": "sql", "source": ""}]}), "at ['cells'][0]"),
    "code without outputs": (
        json.dumps(GOOD | {"cells": [{"cell_type": "code", "source": "", "metadata": {}}]}),
        "at ['cells'][0]",
    ),
    "bytes that are not UTF-8": (b"\xff{}", "not UTF-8"),
}


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=REFUSED)
def test_file_that_is_no_notebook_is_refused_by_name(tmp_path, content, reason):
    path = tmp_path / "05_tiny.ipynb"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(NotANotebook) as refused:
        read_lesson(path)

    assert str(path) in str(refused.value)
    assert reason in str(refused.value)


def test_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(NotANotebook, match="05_gone"):
        read_lesson(tmp_path / "05_gone.ipynb")


def test_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "05_tiny.ipynb"
    path.write_bytes(b"as it was")

    with pytest.raises(UnicodeEncodeError):
        write_lesson(path, "half \ud800")

    assert [(left.name, left.read_bytes()) for left in tmp_path.iterdir()] == [("05_tiny.ipynb", b"as it was")]


def test_writing_puts_a_new_file_in_the_place_of_the_old_one(tmp_path):
    path, held = tmp_path / "05_tiny.ipynb", tmp_path / "held"
    path.write_bytes(b"as it was")
    held.hardlink_to(path)

    write_lesson(path, "å\n")

    assert path.read_bytes() == "å\n".encode()
    assert held.read_bytes() == b"as it was"  # whoever was reading goes on reading the whole old one


@pytest.mark.parametrize("name", ["5", "05", "05_tiny", "05_tiny.ipynb"])
def test_notebook_is_named_by_number_stem_or_file(notebook_file, tmp_path, name):
    path = notebook_file("# A")
    notebook_file("# B", name="06_other")
    notebook_file("# C", name="scratch")

    assert chosen([name, "06", name], tmp_path) == (path, tmp_path / "06_other.ipynb")
    assert chosen([str(tmp_path / "scratch.ipynb")], tmp_path) == (tmp_path / "scratch.ipynb",)
    assert [found.stem for found in chosen([], tmp_path)] == ["05_tiny", "06_other"]


@pytest.mark.parametrize("name", ["7", "07", "005", "²", "-5", "tiny", "05_tin", "gone.ipynb", ""])
def test_unknown_name_is_refused_with_those_there_are(notebook_file, tmp_path, name):
    notebook_file("# A")

    with pytest.raises(NotANotebook, match="there are: 05_tiny"):
        chosen([name], tmp_path)


def test_reading_a_notebook_loads_no_grammar_of_addresses():
    program = "import labkit.nbtools.notebook, sys; sys.exit(sys.modules['rfc3987_syntax'] is not None)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
