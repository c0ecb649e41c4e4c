"""Numbers in prose and the marks behind them: `3<!--=01-07:rows-->` says which output a number repeats.

A number is one in digits or in words: `three<!--=01-07:rows-->`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it.token import Token
from nbformat import NotebookNode

from labkit.nbtools.finding import Problem
from labkit.nbtools.markdown import inlines
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.number_words import PHRASE
from labkit.nbtools.series import Series

DIGITS = r"(?<![\w.,])(?<![A-Za-z]-)[-−]?\d[\d,]*(?:\.\d+)*(?![\d_])"  # noqa: RUF001 - a true minus sign
NUMBER = re.compile(f"{DIGITS}|{PHRASE}", re.IGNORECASE)
LAST_NUMBER = re.compile(rf"(?:{NUMBER.pattern})\Z", re.IGNORECASE)
NO_RESULT = re.compile(
    r"\b(?:Python|SQLite|Unicode|RFC|HTTP|version|lesson|notebook|exercise|cell)s? [\d.]+(?:(?:, | and | or )[\d.]+)*"
    r"|(?<![\w.])0\d(?:[.-]\d+)?(?!\w)"  # ids: 01, 01.2, 01-07
    r"|(?<![\w.])\d+\.\d+\.\d+(?!\w)"
)
"""Versions and ids, which are names and not results."""

MARK = re.compile(r"<!--=(?P<claim>[^>]*)-->")
CLAIM = re.compile(r"(?P<cell>(?P<number>\d\d)-\d+):(?P<field>[^<>]+)")


@dataclass(frozen=True)
class Marked:
    """A number as it stands in prose, and what its mark claims; no claim for a number that states no result."""

    cell: NotebookNode
    number: str
    claim: str


def number_unmarked(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Every number in prose carries a mark: the output it comes from, or `<!--=-->` when it states no result."""
    for cell in lesson.cells[1:]:
        for number, mark in _numbers(cell):
            if mark is None:
                yield Problem(
                    "a number without a mark", cell, f"{number}<!--=NN-07:field--> or {number}<!--=-->", number
                )
            elif not number:
                yield Problem("a mark without a number in front of it", cell, "3<!--=NN-07:field-->", mark)


def mark_form(lesson: Lesson, series: Series) -> Iterator[Problem]:
    """Every mark names a cell that exists and runs: `NN-07:field`, of this lesson or another."""
    for marked in claims(lesson):
        found = CLAIM.fullmatch(marked.claim)
        source = claimed_lesson(lesson, series, marked.claim)
        cell = source.cell(found["cell"]) if found and source else None
        if cell is None or cell.cell_type != "code":
            yield Problem(
                f"the mark behind {marked.number} names no code cell", marked.cell, "NN-07:field", marked.claim
            )


def claims(lesson: Lesson) -> list[Marked]:
    """Every number whose mark says that an output has it."""
    marked = [
        Marked(cell, number, mark) for cell in lesson.cells[1:] for number, mark in _numbers(cell) if mark and number
    ]
    return [one for one in marked if one.claim]


def claimed_lesson(lesson: Lesson, series: Series, claim: str) -> Lesson | None:
    """The lesson whose output a mark claims, or None when there is none."""
    number = claim[:2]
    return lesson if number == lesson.number else series.lesson(number)


def _numbers(cell: NotebookNode) -> Iterator[tuple[str, str | None]]:
    """Every number that is a result, and the claim of its mark: None without one, "" for `<!--=-->`.

    A mark behind no number gives an empty number.
    """
    if cell.cell_type != "markdown":
        return
    for inline in inlines(cell.source, headings=False):
        for text, mark in _runs(inline):
            marked = LAST_NUMBER.search(text) if mark is not None else None
            yield from ((number, None) for number in _results(text[: marked.start()] if marked else text))
            if mark is not None:
                yield (marked[0] if marked else ""), mark


def _runs(inline: list[Token]) -> Iterator[tuple[str, str | None]]:
    """Text up to each mark, links and code left out; the last run has none."""
    text, depth = "", 0
    for token in inline:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        found = MARK.fullmatch(token.content) if token.type == "html_inline" else None
        if found:
            yield text, found["claim"]
            text = ""
        elif token.type == "text" and not depth:
            text += token.content
        elif token.type == "softbreak":
            text += " "  # a number in words may go on in the next line
        elif not token.type.endswith("_close"):
            text += "`"  # what stands between two texts keeps their numbers apart
    yield text, None


def _results(text: str) -> list[str]:
    named = [match.span() for match in NO_RESULT.finditer(text)]
    inside = [match for match in NUMBER.finditer(text) if not any(start <= match.start() < end for start, end in named)]
    return [match[0].rstrip(",") for match in inside]
