"""Single changes to a good notebook: those that the gate must catch, by the name of a rule, and those it must let be.

The numbers are those of the cells in `sample/90_sample.txt`, from 1.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_output
from sample_series import Draft

from labkit.canonical import frame
from labkit.nbtools.notebook import spelled

WIDGET = "application/vnd.jupyter.widget-view+json"
COPIED = inspect.getsource(frame).replace("def frame", "def piece")
COMPUTED = '"two" if len(set(spellings)) == 2 else "one"'
WRONG_WAY = "Lesson [91](01_first.ipynb) goes on."
LUCK = 'word.lower() if globals().setdefault("seen", []).append(word) or len(seen) < 3 else word'
"""Right the first two times, which is as often as one notebook and one section ask."""


@dataclass(frozen=True)
class Mutation:
    """One change, and the rule that must catch it; `runs` is what must be run anew for the rule to see it."""

    name: str
    rule: str
    change: Callable[[Draft], object]
    runs: str = ""
    elsewhere: bool = False


def result(text: str) -> NotebookNode:
    return new_output("execute_result", {"text/plain": text}, execution_count=1)


def drop_tag(draft: Draft, number: int, tag: str) -> None:
    draft.cell(number).metadata.tags.remove(tag)


def add_tag(draft: Draft, number: int, tag: str) -> None:
    draft.cell(number).metadata.setdefault("tags", []).append(tag)


def set_text(draft: Draft, number: int, old: str, new: str, kind: str = "text/plain") -> None:
    data = draft.output(number).data
    assert old in data[kind], data[kind]
    data[kind] = data[kind].replace(old, new)


def drop_outputs(draft: Draft) -> None:
    for cell in draft.node.cells:
        if cell.cell_type == "code":
            cell.outputs = []


def clear_as_editors_do(draft: Draft) -> None:
    drop_outputs(draft)
    for cell in draft.node.cells:
        if cell.cell_type == "code":
            cell.execution_count = None


def swap_lines(draft: Draft, number: int, first: int, second: int) -> None:
    lines = draft.cell(number).source.splitlines()
    lines[first], lines[second] = lines[second], lines[first]
    draft.cell(number).source = "\n".join(lines)


def swap_counters(draft: Draft) -> None:
    one, other = draft.cell(9), draft.cell(11)
    one.execution_count, other.execution_count = other.execution_count, one.execution_count


def move_the_clock(draft: Draft) -> None:
    draft.replace(19, "clock = FakeClock()\n", "")
    add_line(draft, 6, "clock = FakeClock()")


def add_prose(draft: Draft, number: int, text: str) -> None:
    draft.cell(number).source += f"\n\n{text}"


def add_line(draft: Draft, number: int, line: str) -> None:
    """A line of code in front of the cell's own."""
    draft.cell(number).source = f"{line}\n{draft.cell(number).source}"


M = Mutation
RECORDED = [
    M("one output is deleted", "output-count", lambda d: d.cell(9).outputs.clear()),
    M("a value's output is deleted", "output-missing", lambda d: d.cell(11).outputs.clear()),
    M("all outputs are deleted", "output-count", drop_outputs),
    M("all outputs are cleared by an editor", "every-cell-run", clear_as_editors_do),
    M("an output is added", "output-count", lambda d: d.cell(9).outputs.append(result("1"))),
    M("a text is changed", "plain-text", lambda d: set_text(d, 9, "json", "jsom")),
    M("the table's HTML is changed, its text stays", "rich-text", lambda d: set_text(d, 9, "json", "x", "text/html")),
    M("a picture is replaced", "pictures", lambda d: set_text(d, 17, "rect", "circle", "image/svg+xml")),
    M("a picture loses its title", "alt-text", lambda d: set_text(d, 17, "<title>", "<desc>", "image/svg+xml")),
    M("a picture's text twin is dropped", "text-twin", lambda d: d.output(17).data.pop("text/plain")),
    M("a form of an output is dropped", "output-forms", lambda d: d.output(9).data.pop("text/html")),
    M("a form of an output is added", "output-forms", lambda d: d.output(11).data.update({"text/html": "<b>1</b>"})),
    M("a bitmap is added", "output-kinds", lambda d: d.output(17).data.update({"image/png": "aGk="})),
    M("a value becomes a display", "output-order", lambda d: d.output(9).update(output_type="display_data")),
    M("text on stderr is added", "no-stderr", lambda d: d.cell(9).outputs.append(new_output("stream", name="stderr"))),
    M("an error is added", "no-errors", lambda d: d.cell(9).outputs.append(new_output("error", ename="E", evalue=""))),
    M("a live widget is added", "widget-state", lambda d: d.output(9).data.update({WIDGET: {"model_id": "1"}})),
    M("widget state is added", "widget-state", lambda d: d.node.metadata.update(widgets={})),
    M("an address is in an output", "no-machine-facts", lambda d: set_text(d, 11, "folded", "at 0x7f3a5c2b1d90")),
    M("a path is in an output", "no-machine-facts", lambda d: set_text(d, 11, "folded", "/home/ann/lab")),
    M("two counters are swapped", "counters", swap_counters),
    M("a counter is removed", "every-cell-run", lambda d: d.cell(9).update(execution_count=None)),
    M("a value has another counter than its cell", "counters", lambda d: d.output(9).update(execution_count=40)),
    M("two outputs are swapped", "output-order", lambda d: d.cell(2).outputs.reverse(), elsewhere=True),
    M(
        "two displays are swapped",
        "plain-text",
        lambda d: d.cell(3).outputs.insert(0, d.cell(3).outputs.pop(1)),
        elsewhere=True,
    ),
    M("a bitmap is replaced", "pictures", lambda d: d.output(3, 2).data.update({"image/png": "aGo="}), elsewhere=True),
    M("what was printed is changed", "stream-text", lambda d: d.output(2).update(text="count\n"), elsewhere=True),
    M("an error's message is changed", "error-text", lambda d: d.output(4).update(evalue="by 0"), elsewhere=True),
    M("a second traceback is allowed", "no-errors", lambda d: add_tag(d, 3, "traceback"), elsewhere=True),
]
FRAME = [
    M("an id is doubled", "cell-ids", lambda d: d.cell(9).update(id="90_sample-10")),
    M("an id is removed", "cell-ids", lambda d: d.cell(9).pop("id")),
    M("an id is changed", "lesson-ids", lambda d: d.cell(9).update(id="a1b2c3d4")),
    M(
        "the language's version is kept",
        "notebook-metadata",
        lambda d: d.node.metadata.language_info.update(version="3.11.7"),
    ),
    M("the kernel has another name", "notebook-metadata", lambda d: d.node.metadata.kernelspec.update(name="venv")),
    M("the format is older", "notebook-metadata", lambda d: d.node.update(nbformat_minor=4)),
    M(
        "a cell keeps its times",
        "cell-metadata",
        lambda d: d.cell(9).metadata.update(execution={"iopub.status.idle": "12:00"}),
    ),
    M("an editor collapsed a cell", "cell-metadata", lambda d: d.cell(9).metadata.update(collapsed=True)),
    M("a tag without a meaning is added", "cell-metadata", lambda d: add_tag(d, 9, "todo")),
    M("an output keeps metadata", "cell-metadata", lambda d: d.output(9).metadata.update(isolated=True)),
    M(
        "an outcome's hidden flag is removed",
        "folded-cells",
        lambda d: d.cell(7).metadata.jupyter.pop("outputs_hidden"),
    ),
    M("an outcome's hiding tag is removed", "folded-cells", lambda d: drop_tag(d, 7, "hide-output")),
    M("a solution is unfolded", "folded-cells", lambda d: d.cell(26).metadata.jupyter.update(source_hidden=False)),
    M("an ordinary cell is folded", "folded-cells", lambda d: add_tag(d, 9, "hide-output")),
    M("a tag excuses a cell from nbval", "excuses", lambda d: add_tag(d, 9, "nbval-ignore-output")),
    M("a tag lets a cell fail", "excuses", lambda d: add_tag(d, 9, "raises-exception")),
    M("a comment excuses a cell from nbval", "excuses", lambda d: add_line(d, 9, "# NBVAL_IGNORE_OUTPUT")),
    M("the file has other line ends", "file-form", lambda d: setattr(d, "text", spelled(d.node).replace("\n", "\r\n"))),
    M("the file has another indent", "file-form", lambda d: setattr(d, "text", spelled(d.node).replace("\n ", "\n  "))),
]
CODE = [
    M("a constant in the code is changed", "plain-text", lambda d: d.replace(11, "[2, 1]", "[3, 1]"), "whole"),
    M("a cell raises", "cell-runs", lambda d: add_line(d, 9, "1 / 0"), "whole"),
    M("a cell stops its kernel", "cell-runs", lambda d: add_line(d, 9, "import os; os._exit(1)"), "whole"),
    M("a section needs another one", "section-alone", move_the_clock, "sections"),
    M(
        "a section keeps state of its first run",
        "section-twice",
        lambda d: d.replace(19, "clock = FakeClock()", "clock = globals().get('clock') or FakeClock()"),
        "sections",
    ),
    M("code does not parse", "code-parses", lambda d: add_line(d, 9, "table((")),
    M("a star import", "star-import", lambda d: d.replace(3, "import canonical_hash", "import *")),
    M("a print is added", "value-not-print", lambda d: add_line(d, 9, "print(1)")),
    M("a trailing semicolon hides a value", "trailing-semicolon", lambda d: d.replace(11, "0.6666}", "0.6666};")),
    M("a cell reads the history", "no-history", lambda d: add_line(d, 11, "Out[1]")),
    M(
        "a labkit name is retyped",
        "retyped-name",
        lambda d: add_line(d, 9, "def short(digest):\n    return digest[:8]\n"),
    ),
    M("labkit's code is copied under another name", "retyped-name", lambda d: add_line(d, 9, COPIED)),
    M(
        "the set-up does more than import",
        "setup-cell",
        lambda d: d.replace(3, "from labkit.clock", "limit = 2\nfrom labkit.clock"),
    ),
    M("the set-up is too long", "setup-cell", lambda d: add_line(d, 3, "import json\n" * 6)),
    M("the set-up is not marked", "setup-cell", lambda d: drop_tag(d, 3, "setup")),
    M(
        "labkit is imported late",
        "imports-at-the-top",
        lambda d: add_line(d, 9, "from labkit.canonical import canonical_json"),
    ),
    M("a cell sleeps", "plain-python", lambda d: add_line(d, 9, "import time\ntime.sleep(0.01)")),
    M("a magic is used", "plain-python", lambda d: add_line(d, 9, "%pip list")),
    M("a code cell is emptied", "every-cell-run", lambda d: d.cell(9).update(source="")),
    M("a code cell is deleted", "mark-form", lambda d: d.node.cells.pop(8)),
    M("a code cell is doubled", "cell-ids", lambda d: d.node.cells.insert(8, d.node.cells[8])),
    M("a code cell is moved", "counters", lambda d: d.move(8, 11)),
]
FORM = [
    M("the title has another number", "opening-form", lambda d: d.replace(1, "# 90", "# 91")),
    M("the table of minutes loses a row", "opening-form", lambda d: d.replace(1, "| --- | --- | --- |\n", "")),
    M(
        "what goes wrong becomes two sentences",
        "opening-form",
        lambda d: d.replace(1, "another word.", "another word. It is."),
    ),
    M("an objective has a verb nobody can test", "objectives", lambda d: d.replace(1, "**decide**", "**understand**")),
    M("an objective has another verb than the recap", "recap", lambda d: d.replace(1, "**decide**", "**choose**")),
    M(
        "a sentence of the recap is dropped",
        "recap",
        lambda d: d.replace(33, "- **repair**: fold first, then count.", ""),
    ),
    M("a verb of the recap keeps no sentence", "recap", lambda d: d.replace(33, ": fold first, then count.", ":")),
    M("the recap is in another order", "recap", lambda d: swap_lines(d, 33, 2, 3)),
    M(
        "an answer is not folded",
        "three-questions",
        lambda d: d.replace(34, "<details><summary>Answer</summary>\n\nIt", "It"),
    ),
    M("an answer is emptied", "three-questions", lambda d: d.replace(34, "It compares signs.", "")),
    M("a question is dropped", "three-questions", lambda d: d.replace(34, "2. What does folding lose?", "")),
    M("no question goes back", "three-questions", lambda d: d.replace(34, "[First](01_first.ipynb)", "First")),
    M(
        "the guarding test is renamed",
        "guard-test",
        lambda d: d.edit("tests/test_sample.py", "words_are", "words_were"),
    ),
    M("the guarding test's file is gone", "guard-test", lambda d: d.files.pop("tests/test_sample.py")),
    M("the limits are emptied", "last-cells", lambda d: d.cell(35).update(source="## What this does not show")),
    M("the limits are left out", "last-cells", lambda d: d.node.cells.pop(34)),
    M("the recap comes after the questions", "last-cells", lambda d: d.move(32, 33)),
    M("the way on leads elsewhere", "navigation", lambda d: d.replace(37, "(91_next.ipynb)", "(01_first.ipynb)")),
    M("the way on calls a lesson by another number", "navigation", lambda d: d.replace(37, "[91 Next", "[92 Next")),
    M("the misconception is not repaired", "misconception", lambda d: d.replace(10, "**Repair.** ", "")),
    M("the words come late", "first-cells", lambda d: d.move(3, 6)),
    M("a second title", "one-title", lambda d: d.replace(13, "## A sentence", "# A sentence")),
    M("a heading jumps", "heading-jump", lambda d: d.replace(18, "### What", "#### What")),
    M("a link leads nowhere", "dead-link", lambda d: d.replace(16, "(01_first.ipynb#", "(01_frist.ipynb#")),
    M("a link's heading is gone", "dead-link", lambda d: d.replace(16, "#A-first-section", "#A-second-section")),
    M("a link names one lesson and leads to another", "numbered-link", lambda d: add_prose(d, 12, WRONG_WAY)),
    M("a picture's alt text is removed", "alt-text", lambda d: d.replace(16, "two bars, the left one higher", "")),
    M(
        "a glossary line is changed",
        "glossary",
        lambda d: d.edit("notebooks/glossary.md", "as it is counted", "as counted"),
    ),
    M("a term is worded anew", "glossary", lambda d: d.replace(4, "to write capitals", "to turn capitals")),
    M(
        "a term is dropped from the lesson only",
        "glossary",
        lambda d: d.replace(4, "\n- **fold**: to write capitals as small letters.", ""),
    ),
    M("a term is bold twice", "bold-once", lambda d: add_prose(d, 12, "The **token** again.")),
    M("most cells are dropped", "cell-count", lambda d: d.node.update(cells=d.node.cells[:5] + d.node.cells[22:])),
    M("a cell is too long", "code-size", lambda d: add_line(d, 9, "x = 1\n" * 30)),
    M("too much code in a row", "code-in-a-row", lambda d: d.node.cells.pop(7)),
]
PRACTICE = [
    M("a comparison without a prediction", "predictions", lambda d: d.replace(6, 'predict("90.A", ...)', "spellings")),
    M("a prediction is never compared", "predictions", lambda d: d.replace(7, 'compare("90.A", ', "(")),
    M("a prediction nobody knows", "predictions", lambda d: d.replace(6, "90.A", "90.Q")),
    M("a prediction is made already", "asked-first", lambda d: d.replace(6, "...", '"two"')),
    M("nothing is asked before a prediction", "asked-first", lambda d: d.move(10, 12)),
    M("an outcome is written down, not computed", "outcomes", lambda d: d.replace(7, COMPUTED, '"two"')),
    M("an outcome is not marked", "outcomes", lambda d: d.cell(7).update(metadata={})),
    M("an outcome shows before its comparison", "outcomes", lambda d: d.move(8, 6)),
    M("an outcome is not explained", "explained", lambda d: d.move(8, 7)),
    M("an exercise of no kind", "exercise-kinds", lambda d: d.replace(23, "(change one value)", "(think)")),
    M("two exercises of one kind", "exercise-kinds", lambda d: d.replace(27, "(fill a hole)", "(write one)")),
    M("an exercise nobody knows", "exercise-kinds", lambda d: d.replace(23, "### 90.1", "### 90.7")),
    M("a check of another exercise", "exercise-cells", lambda d: d.replace(24, "90.1", "90.2")),
    M("the way to the hints is gone", "exercise-cells", lambda d: d.replace(27, "Stuck?", "Or")),
    M("a solution is deleted", "exercise-cells", lambda d: d.node.cells.pop(28)),
    M(
        "a folded solution shows its first line",
        "exercise-cells",
        lambda d: d.replace(29, "# A solution: unfold the cell to read it.", "def f(): 1 #"),
    ),
    M("a stub is solved", "stub-open", lambda d: d.replace(28, "...", "word.lower()"), "whole"),
    M("a solution is wrong", "solution-passes", lambda d: d.replace(29, "lower", "upper"), "whole"),
    M("a solution passes by luck", "solution-varied", lambda d: d.replace(29, "word.lower()", LUCK), "sections"),
]
NUMBERS = [
    M("a number in prose is wrong", "number-wrong", lambda d: d.replace(10, "2<!--=90-09:rows", "3<!--=90-09:rows")),
    M("a number is rounded wrongly", "number-wrong", lambda d: d.replace(12, "0.67<", "0.66<")),
    M("a mark is removed", "number-unmarked", lambda d: d.replace(12, "<!--=90-11:share-->", "")),
    M("a number is added", "number-unmarked", lambda d: add_prose(d, 12, "That took 5 steps.")),
    M(
        "a number in words is wrong",
        "number-wrong",
        lambda d: d.replace(12, "two<!--=90-09:rows", "three<!--=90-09:rows"),
    ),
    M("a number in words is added", "number-unmarked", lambda d: add_prose(d, 12, "That took Twenty-five steps.")),
    M("a word's mark is removed", "number-unmarked", lambda d: d.replace(12, "two<!--=90-09:rows-->", "two")),
    M("a number with its unit is added", "number-unmarked", lambda d: add_prose(d, 12, "That took 12ms.")),
    M("a mark stands behind no number", "number-unmarked", lambda d: add_prose(d, 12, "Some<!--=-->.")),
    M("a mark names a cell that is not there", "mark-form", lambda d: d.replace(10, "90-09:rows", "90-99:rows")),
    M("a mark names a field that is not there", "number-wrong", lambda d: d.replace(10, "1.letters", "1.signs")),
]
MUTATIONS = [*RECORDED, *FRAME, *CODE, *FORM, *PRACTICE, *NUMBERS]

HARMLESS = [
    M("a sentence is reworded", "", lambda d: d.replace(35, "is not enough for", "does not do for")),
    M(
        "the question of a section is reworded",
        "",
        lambda d: d.replace(13, "How many words has", "What is the count of"),
    ),
    M("a sentence is added", "", lambda d: add_prose(d, 21, "It never guesses.")),
    M("a comment is added", "", lambda d: add_line(d, 9, "# one row a word"), "whole"),
    M("a blank line is added", "", lambda d: d.replace(11, '"counts"', '\n"counts"'), "whole"),
    M("a variable is renamed", "", lambda d: d.replace(11, "word", "each"), "whole"),
    M("a section's heading is reworded", "", lambda d: d.replace(13, "## A sentence", "## One sentence")),
    M("an answer is reworded", "", lambda d: d.replace(34, "It compares signs.", "A computer compares signs.")),
    M("an exercise's statement is reworded", "", lambda d: d.replace(27, "Write the word", "Give the word")),
    M("a number that states no result is added", "", lambda d: add_prose(d, 12, "Think of 12<!--=--> words.")),
    M("a word that counts nothing is added", "", lambda d: add_prose(d, 12, "One of them is first, both come twice.")),
    M("a version and an id are named", "", lambda d: add_prose(d, 12, "As in Python 3.12, lesson 01, with UTF-8.")),
    M("a number is rounded further", "", lambda d: d.replace(12, "0.67<", "0.7<")),
    M("a link to the net is added", "", lambda d: add_prose(d, 12, "See [the story](https://example.org/a#b).")),
    M("a term is defined in one more file", "", lambda d: d.edit("notebooks/glossary.md", "# Glossary", "# All words")),
    M(
        "another test is added",
        "",
        lambda d: d.files.update({"tests/test_more.py": "def test_more():\n    assert True\n"}),
    ),
    M("prose is added elsewhere", "", lambda d: add_prose(d, 1, "And 4 more, all in 5 minutes."), elsewhere=True),
]
