"""How a lesson ends: recap, three questions, its limits, the test that guards it, the way on."""

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from labkit.nbtools.finding import Problem
from labkit.nbtools.markdown import links, list_items, paragraphs
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.opening import read_opening, verb_and_sentence
from labkit.nbtools.series import Series

CLOSING = ("Exercises", "Recap", "Three questions", "What this does not show", "The test that guards this")
ANSWER = re.compile(r"<details>\s*<summary>Answer</summary>\s*+(?!</details>)(.+?)</details>", re.DOTALL)


def last_cells(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A lesson ends with exercises, recap, three questions, what it does not show and the test that guards it."""
    last = lesson.sections()[-len(CLOSING) :]
    titles = tuple(section.title for section in last)
    if titles != CLOSING:
        yield Problem("the last sections are others", None, ", ".join(CLOSING), ", ".join(titles))
    for section in last:
        if len(section.cells) == 1 and not list_items(section.cells[0].source) + paragraphs(section.cells[0].source):
            yield Problem("a section says nothing", section.cells[0], f"prose under {section.title}", "none")


def recap(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """The recap has one sentence for each objective, in the same order, with the same verb in bold."""
    opening, cell = read_opening(lesson), _cell(lesson, "Recap")
    if opening is None or cell is None:
        return
    wanted = [verb for verb, _ in opening.objectives]
    items = list_items(cell.source)
    got = [verb for verb, _ in map(verb_and_sentence, items)]
    for item in items:
        if re.fullmatch(r"\*\*[^*]*\*\*\W*", item):
            yield Problem("the recap names an objective and says nothing of it", cell, "a sentence", item)
    if wanted != got:
        yield Problem("the recap does not follow the objectives", cell, ", ".join(wanted), ", ".join(got))


def three_questions(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Three numbered questions, each with its answer folded below; one links back to an earlier lesson."""
    cell = _cell(lesson, "Three questions")
    if cell is None:
        return
    numbers = re.findall(r"^(\d)\. \S", cell.source, re.MULTILINE)
    if numbers != ["1", "2", "3"]:
        yield Problem("not three numbered questions", cell, "1, 2, 3", ", ".join(numbers))
    if len(ANSWER.findall(cell.source)) != 3:
        yield Problem(
            "not three folded answers",
            cell,
            "<details><summary>Answer</summary> … three times",
            str(len(ANSWER.findall(cell.source))),
        )
    earlier = [target for target in links(cell.source) if target[:2].isdigit() and target[:2] < lesson.number]
    if lesson.number != "00" and not earlier:
        yield Problem("no question goes back to an earlier lesson", cell, "a link to one", "none")


def guard_test(lesson: Lesson, series: Series) -> Iterator[Problem]:
    """The test that the lesson names exists: the file `tests/test_<module>.py`, and the function in it."""
    cell = _cell(lesson, "The test that guards this")
    if cell is None:
        return
    files = re.findall(r"tests/(test_\w+\.py)", cell.source)
    functions = re.findall(r"(?<!/)\b(test_\w+)\b(?!\.py)", cell.source)
    if not files or not functions:
        yield Problem(
            "no test is named", cell, "`tests/test_<module>.py` and a function", ", ".join(files + functions) or "none"
        )
        return
    if lesson.number != "00" and files[0] != f"test_{lesson.stem[3:]}.py":
        yield Problem(
            "the test belongs to another module", cell, f"tests/test_{lesson.stem[3:]}.py", f"tests/{files[0]}"
        )
    path = series.root / "tests" / files[0]
    existing = _functions(path.read_text(encoding="utf-8")) if path.is_file() else set()
    for function in functions:
        if function not in existing:
            yield Problem("the test named does not exist", cell, f"{function} in tests/{files[0]}", "no such test")


def navigation(lesson: Lesson, series: Series) -> Iterator[Problem]:
    """The last cell links to the lesson before, the table of contents and the lesson after, in that order."""
    if not lesson.cells:
        return
    cell = lesson.cells[-1]
    at = [path.stem for path in series.lessons].index(lesson.stem)
    before, after = series.lessons[max(0, at - 1) : at], series.lessons[at + 1 : at + 2]
    wanted = [*(path.name for path in before), "../README.md#lessons", *(path.name for path in after)]
    if cell.cell_type != "markdown" or links(cell.source) != wanted:
        yield Problem("the last cell does not lead on", cell, ", ".join(wanted), ", ".join(links(cell.source)))
    for path in (*before, *after):
        if not re.search(rf"\[(← )?{path.stem[:2]} [^]]+\]\({re.escape(path.name)}\)", cell.source):
            yield Problem("a link of the navigation does not say its lesson", cell, f"[{path.stem[:2]} …]({path.name})")


def _cell(lesson: Lesson, title: str) -> NotebookNode | None:
    section = next((section for section in lesson.sections() if section.title == title), None)
    return section.cells[0] if section else None


def _functions(source: str) -> set[str]:
    return {
        node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
