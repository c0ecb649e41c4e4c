"""What the rules ask of prose: its links, pictures, bold words, lists, and its words without code."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")


@lru_cache(maxsize=2048)
def blocks(source: str) -> tuple[Token, ...]:
    """The block tokens of the text."""
    return tuple(PARSER.parse(source))


def inlines(source: str, *, headings: bool) -> Iterator[list[Token]]:
    """The parts of every run of prose; HTML is read as prose too, since answers stand inside `<details>`."""
    above = ""
    for token in blocks(source):
        if token.type == "inline" and (headings or above != "heading_open"):
            yield token.children or []
        elif token.type == "html_block":
            for inline in PARSER.parseInline(token.content):
                yield inline.children or []
        above = token.type


def parts(source: str, *kinds: str) -> list[Token]:
    """Every inline part of these kinds, in order."""
    return [token for inline in inlines(source, headings=True) for token in inline if token.type in kinds]


def links(source: str) -> list[str]:
    """The targets of all links and pictures outside code."""
    targets = [token.attrGet("href") or token.attrGet("src") for token in parts(source, "link_open", "image")]
    return [str(target) for target in targets if target]


def named_links(source: str) -> Iterator[tuple[str, str]]:
    """What each link says first, and its target; one around a picture says nothing."""
    for inline in inlines(source, headings=True):
        for opening, inside in pairwise(inline):
            if opening.type == "link_open":
                yield inside.content if inside.type == "text" else "", str(opening.attrGet("href"))


def words(source: str) -> str:
    """The prose that is read: no code, no HTML tags."""
    return " ".join(token.content for token in parts(source, "text"))


def bold(source: str) -> list[str]:
    """Every text that stands in bold."""
    found: list[str] = []
    for inline in inlines(source, headings=True):
        for at, token in enumerate(inline):
            if token.type == "strong_open":
                end = next(n for n in range(at, len(inline)) if inline[n].type == "strong_close")
                found.append("".join(part.content for part in inline[at:end]))
    return found


def paragraphs(source: str) -> list[str]:
    """Every paragraph as it is written, lists and tables left out."""
    return [
        inline.content
        for opening, inline in pairwise(blocks(source))
        if opening.type == "paragraph_open" and opening.level == 0
    ]


def list_items(source: str) -> list[str]:
    """The first paragraph of every item of a list, on one line."""
    tokens = blocks(source)
    return [
        " ".join(inline.content.split())
        for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if item.type == "list_item_open" and inline.type == "inline"
    ]


def anchors(title: str) -> set[str]:
    """What a link may call a heading: JupyterLab keeps case and signs, GitHub does not."""
    plain = re.sub(r"[^\w\- ]", "", title.lower())
    return {title.replace(" ", "-"), plain.replace(" ", "-")}
