"""What holds for prose: links lead somewhere, pictures speak, headings step down, words mean one thing."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from nbformat import NotebookNode

from labkit.nbtools.finding import Problem
from labkit.nbtools.markdown import anchors, bold, links, named_links, parts, words
from labkit.nbtools.notebook import Lesson, NotANotebook, headings, read_lesson
from labkit.nbtools.series import Series

EMPTY_WORDS = re.compile(r"\b(simply|just|obviously)\b", re.IGNORECASE)
PICTURE = re.compile(r"<(img|svg)\b[^>]*>(\s*<title>)?", re.IGNORECASE)
NAMED = re.compile(r"\b(alt|aria-label|aria-labelledby)\s*=\s*[\"'][^\"']|<title>", re.IGNORECASE)
TERM = re.compile(r"- \*\*(?P<term>[^*]+)\*\*: .+\.")


def dead_link(lesson: Lesson) -> Iterator[Problem]:
    """Every link to a file leads to one that exists, and to a heading in it when it names one."""
    for cell in lesson.cells:
        for target in links(cell.source) if cell.cell_type == "markdown" else ():
            if not re.match(r"[a-z][a-z+.-]*:", target) and not _leads_somewhere(lesson, target):
                yield Problem("the link leads nowhere", cell, "a file, and a heading in it", target)


def numbered_link(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A link that begins with the number of a lesson leads to that lesson."""
    for cell in lesson.cells:
        for text, target in named_links(cell.source) if cell.cell_type == "markdown" else ():
            number = re.match(r"(?:← )?(\d\d)(?!\w)", text)
            if number and ".ipynb" in target and not target.startswith(f"{number[1]}_"):
                yield Problem("the link leads to another lesson than it says", cell, f"{number[1]}_….ipynb", target)


def alt_text(lesson: Lesson) -> Iterator[Problem]:
    """Every picture says what it shows: alt text in prose, a title or label in SVG and HTML."""
    for cell in lesson.cells:
        if any(not NAMED.search(found[0]) for found in PICTURE.finditer(_markup(cell))):
            yield Problem("a picture without words", cell, "alt text, a title or an aria-label that states its finding")


def heading_jump(lesson: Lesson) -> Iterator[Problem]:
    """Headings go down one level at a time: who listens to a page finds the way by them."""
    above = 0
    for cell in lesson.cells:
        for level, title in headings(cell.source) if cell.cell_type == "markdown" else ():
            if level > above + 1:
                yield Problem("a heading jumps down", cell, f"level {above + 1} at most", f"level {level}: {title}")
            above = level


def glossary(lesson: Lesson, series: Series) -> Iterator[Problem]:
    """Each line of `## Words` is `- **term**: definition.` and stands in glossary.md, and the other way round."""
    here = [(cell, line) for cell, line in _word_lines(lesson)]
    link = f" ([{lesson.number}]({lesson.path.name}))"
    for cell, line in here:
        if not TERM.fullmatch(line):
            yield Problem("a line of Words has another form", cell, "- **term**: definition.", line)
        elif line + link not in series.glossary:
            yield Problem("the glossary has not this line", cell, line + link, _nearest(line, series))
    for line in series.glossary:
        if line.endswith(link) and line.removesuffix(link) not in [line for _, line in here]:
            yield Problem("the glossary names this lesson for a line it has not", None, line.removesuffix(link), "none")


def bold_once(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A term is bold where it is defined, in `## Words`, and nowhere else in the lesson."""
    terms = {found["term"] for _, line in _word_lines(lesson) if (found := TERM.fullmatch(line))}
    seen: Counter[str] = Counter()
    for cell in lesson.cells[1:]:
        for text in bold(cell.source) if cell.cell_type == "markdown" else ():
            seen[text] += 1
            if text in terms and seen[text] == 2:
                yield Problem("a term is bold a second time", cell, "once, in Words", text)


def empty_words(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """Told, not enforced: no `simply`, `just` or `obviously`, which say that the reader is slow."""
    for cell in lesson.cells:
        for word in EMPTY_WORDS.findall(words(cell.source)) if cell.cell_type == "markdown" else ():
            yield Problem("a word that belittles", cell, "none of simply, just, obviously", word)


def _markup(cell: NotebookNode) -> str:
    """The HTML and SVG that the cell shows, Markdown pictures as the tags they become."""
    if cell.cell_type == "code":
        data = (out.get("data", {}) for out in cell.outputs)
        return "".join(found.get(kind, "") for found in data for kind in ("text/html", "image/svg+xml"))
    tags = [token.content for token in parts(cell.source, "html_inline")]
    return "".join(tags + [f'<img alt="{token.content.strip()}">' for token in parts(cell.source, "image")])


def _word_lines(lesson: Lesson) -> Iterator[tuple[NotebookNode, str]]:
    for section in lesson.sections():
        if section.title == "Words":
            for cell in section.cells:
                if cell.cell_type == "markdown":
                    yield from ((cell, line) for line in cell.source.splitlines() if line.startswith("- "))


def _nearest(line: str, series: Series) -> str:
    start = line.split(":")[0] + ":"
    return next((kept for kept in series.glossary if kept.startswith(start)), "none")


def _leads_somewhere(lesson: Lesson, target: str) -> bool:
    name, _, anchor = unquote(target).partition("#")
    path = lesson.path.parent / name if name else lesson.path
    if not path.exists():
        return False
    return not anchor or anchor in {known for title in _titles(path) for known in anchors(title)}


def _titles(path: Path) -> list[str]:
    try:
        cells = read_lesson(path).cells if path.suffix == ".ipynb" else ()
    except NotANotebook:
        return []
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    if path.suffix == ".md":
        texts = [path.read_text(encoding="utf-8")]
    return [title for text in texts for _, title in headings(text)]
