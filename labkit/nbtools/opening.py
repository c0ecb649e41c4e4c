"""How a lesson begins: a title, what goes wrong without the idea, what you can do after it, what it takes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labkit.nbtools.cell_code import tree
from labkit.nbtools.finding import Problem
from labkit.nbtools.markdown import list_items
from labkit.nbtools.notebook import Lesson, headings, tags
from labkit.nbtools.series import Series

VERBS = ("decide", "predict", "explain why", "choose", "compare", "find", "build", "repair", "show")
LABS = ("ground", "access", "results", "harness", "service", "all")

FORM = re.compile(
    r"# (?P<number>\d\d) · (?P<title>[^\n]+)\n\n"
    r"(?P<without>[^\n]+)\n\n"
    r"\*\*After this you can\*\*\n\n"
    r"(?P<objectives>(?:- [^\n]+\n)+)\n"
    r"\| Minutes \| Before this \| Lab \|\n\| --- \| --- \| --- \|\n"
    r"\| (?P<reading>\d+) reading, (?P<exercises>\d+) exercises \| (?P<before>[^|\n]+) \| (?P<lab>\w+) \|\n*"
)


@dataclass(frozen=True)
class Opening:
    """The opening cell, read; `objectives` are (verb, sentence) in order."""

    number: str
    without: str
    objectives: tuple[tuple[str, str], ...]
    before: str
    lab: str


def read_opening(lesson: Lesson) -> Opening | None:
    """The opening, or None when the first cell has not its form."""
    first = lesson.cells[0] if lesson.cells else None
    found = FORM.fullmatch(first.source) if first is not None and first.cell_type == "markdown" else None
    if not found:
        return None
    objectives = tuple(verb_and_sentence(item) for item in list_items(found["objectives"]))
    return Opening(found["number"], found["without"], objectives, found["before"], found["lab"])


def verb_and_sentence(item: str) -> tuple[str, str]:
    """The bold verb an item starts with, in lower case and empty when there is none, and the whole item."""
    found = re.match(r"\*\*([^*]+)\*\*", item)
    return (found[1].lower() if found else "", item)


def opening_form(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """The opening cell has the fixed form: title, one sentence, objectives, a table of minutes, links and lab."""
    opening = read_opening(lesson)
    if opening is None:
        yield Problem("the first cell has not the form of an opening", lesson.cells[0] if lesson.cells else None)
        return
    cell = lesson.cells[0]
    if opening.number != lesson.number:
        yield Problem("the title has another number than the file", cell, lesson.number, opening.number)
    if not re.fullmatch(r"[^.!?]+([.!?](?! [A-Z])[^.!?]*)*[.!?]", opening.without):
        yield Problem("what goes wrong without the idea is not one sentence", cell, "one sentence", opening.without)
    if opening.lab not in LABS:
        yield Problem("the lab is none of the series", cell, ", ".join(LABS), opening.lab)
    if opening.before != "nothing" and not re.fullmatch(r"(\[[^]]+\]\([^)]+\)(, | and )?)+", opening.before):
        yield Problem("what comes before is not `nothing` or links", cell, "links", opening.before)


def objectives(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Two to four objectives, each starting with a bold verb that can be tested."""
    opening = read_opening(lesson)
    if opening is None:
        return
    if not 2 <= len(opening.objectives) <= 4:
        yield Problem("too few or too many objectives", lesson.cells[0], "2 to 4", str(len(opening.objectives)))
    for verb, sentence in opening.objectives:
        if verb not in VERBS:
            yield Problem(
                "an objective starts with no verb that can be tested", lesson.cells[0], ", ".join(VERBS), sentence
            )


def first_cells(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """After the opening come `## Set-up` with a word on a failing import, the set-up cell and `## Words`."""
    titles = [
        title
        for cell in lesson.cells
        if cell.cell_type == "markdown"
        for level, title in headings(cell.source)
        if level == 2
    ]
    if titles[:2] != ["Set-up", "Words"]:
        yield Problem("the first sections are others", None, "Set-up, Words", ", ".join(titles[:2]))
    if len(lesson.cells) > 2 and "setup" not in tags(lesson.cells[2]):
        yield Problem("the third cell is not the set-up cell", lesson.cells[2])


def one_title(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Only the opening has a `#` heading."""
    for cell in lesson.cells[1:]:
        if cell.cell_type == "markdown" and any(level == 1 for level, _ in headings(cell.source)):
            yield Problem("a second title", cell, "one `#` heading, the opening's")


def misconception(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A misconception is named and shown failing, then repaired: code stands between the two paragraphs."""
    places = {
        word: [
            at
            for at, cell in enumerate(lesson.cells)
            if cell.cell_type == "markdown" and re.search(rf"^\*\*{word}\.\*\*", cell.source, re.M)
        ]
        for word in ("Misconception", "Repair")
    }
    if not places["Misconception"] or not places["Repair"]:
        missing = [f"**{word}.**" for word, found in places.items() if not found]
        yield Problem(
            "no misconception is named and repaired",
            None,
            "**Misconception.** … **Repair.** …",
            f"no {', '.join(missing)}",
        )
        return
    between = lesson.cells[places["Misconception"][0] : places["Repair"][-1]]
    if not any(cell.cell_type == "code" and tree(cell).body for cell in between):
        yield Problem(
            "the misconception is not shown failing",
            lesson.cells[places["Misconception"][0]],
            "a code cell before the repair",
        )
