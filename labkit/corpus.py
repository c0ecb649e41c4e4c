"""Documents and passages as frozen values, and the one id of the whole snapshot; every hash is derived, none believed.

Taught in 02_corpus.
"""

import hashlib
import random
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain
from typing import Any

from labkit.canonical import canonical_hash, is_object
from labkit.errors import ConfigError
from labkit.fixtures import read_fixture

SCHEMA_VERSION = 1
WORDS = [f"w{number:03d}" for number in range(240)]
"""What a synthetic passage is drawn from: 8 to 16 words of 240, so that each word stands in about 5 % of passages."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of one version of one document: what may be found, pointed at and read."""

    passage_id: str
    source_id: str
    version: str
    document_revision: str
    source_sha256: str
    start_line: int
    end_line: int
    text_sha256: str
    byte_count: int
    text: str
    url: str

    def as_json(self) -> dict[str, Any]:
        """The eleven fields, in this order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Document:
    """One version of one source, and the passages cut from it."""

    source_id: str
    version: str
    url: str
    text: str
    source_sha256: str
    document_revision: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Corpus:
    """A snapshot: documents in order, and an id that moves when any of them does, but not with their order."""

    documents: tuple[Document, ...]

    @cached_property
    def corpus_id(self) -> str:
        """The hash of the sorted document revisions."""
        return canonical_hash(sorted(document.document_revision for document in self.documents))

    @cached_property
    def cut_id(self) -> str:
        """The hash of the sorted passage ids: it moves with the spans, too, as `corpus_id` does not."""
        listed = sorted(passage.passage_id for passage in self.passages)
        return _sha256("".join(listed))  # each has 64 digits: none can run into the next

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage, document by document."""
        return tuple(passage for document in self.documents for passage in document.passages)

    @cached_property
    def sources(self) -> frozenset[str]:
        """The ids of its sources; versions of one source share one."""
        return frozenset(document.source_id for document in self.documents)

    def passage(self, passage_id: str) -> Passage:
        """The passage of this id; KeyError for one that this snapshot does not hold."""
        return self._by_id[passage_id]

    def as_json(self) -> dict[str, Any]:
        """The shape of `fixtures/corpus.json`; `load_corpus` reads it back."""
        documents = [_document_as_json(document) for document in self.documents]
        return {"schema_version": SCHEMA_VERSION, "snapshot_id": self.corpus_id, "documents": documents}

    def __repr__(self) -> str:
        return f"Corpus({len(self.documents)} documents, {len(self.passages)} passages, {self.corpus_id[:8]})"

    @cached_property
    def _by_id(self) -> dict[str, Passage]:
        return {passage.passage_id: passage for passage in self.passages}


def document(
    source_id: str, version: str, url: str, text: str, spans: Sequence[tuple[int, int]] | None = None
) -> Document:
    """A document with every hash derived; spans are first and last lines, from 1; None is one passage of all lines.

    ValueError for a span that the text does not have.
    """
    lines = text.split("\n")
    source_sha256 = _sha256(text)
    named = {"source_id": source_id, "version": version, "url": url, "source_sha256": source_sha256}
    revision = canonical_hash(named)
    cut = [
        _passage((source_id, version, revision, source_sha256), url, start, end, _between(lines, start, end))
        for start, end in (spans if spans is not None else [(1, len(lines))])
    ]
    return Document(source_id, version, url, text, source_sha256, revision, tuple(cut))


def corpus_of(documents: Iterable[Document]) -> Corpus:
    """A snapshot of these documents; ValueError when two are the same version of one source."""
    corpus = Corpus(tuple(documents))
    if twice := _first_twice((each.source_id, each.version) for each in corpus.documents):
        raise ValueError(f"two documents of one source and one version ({twice[0]}, {twice[1]}); wanted one")
    if twice := _first_twice((each.source_id, each.start_line, each.passage_id) for each in corpus.passages):
        raise ValueError(f"two passages of one document ({twice[0]}, line {twice[1]}) with the same lines; wanted one")
    return corpus


def load_corpus(data: Any = None) -> Corpus:
    """The snapshot in `data` (the fixture's when None), each hash derived again.

    ConfigError names the first entry that differs from what its content gives; nothing is served then.
    """
    claimed = read_fixture("corpus.json") if data is None else data
    with _naming("snapshot", claimed):
        corpus = corpus_of(_derived(each, f"documents[{place}]") for place, each in _numbered(claimed["documents"]))
    derived = corpus.as_json()
    # Documents first: whoever changed one is told so, not that the id of the whole has moved.
    inside = _differences(claimed["documents"], derived["documents"], "documents")
    for path in chain(inside, _differences(claimed, derived, "snapshot")):
        raise ConfigError("broken_snapshot", f"{path} is not what its content gives")
    return corpus


def synthetic(n: int, seed: int = 0) -> Corpus:
    """A made-up corpus of n passages, the same for the same seed; ten passages a document, a line each.

    Every tenth document has version 3.9, the others 3.12. The ids of its sources are s00000, s00001, ….
    """
    draw = random.Random(seed)
    lines = [" ".join(draw.choices(WORDS, k=draw.randint(8, 16))) for _ in range(n)]
    return corpus_of(_synthetic(number, lines[start : start + 10]) for number, start in enumerate(range(0, n, 10)))


def _synthetic(number: int, lines: list[str]) -> Document:
    version = "3.9" if number % 10 == 9 else "3.12"
    spans = [(line, line) for line in range(1, len(lines) + 1)]
    return document(f"s{number:05d}", version, f"https://synthetic.invalid/{number}", "\n".join(lines), spans)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _between(lines: list[str], start: int, end: int) -> str:
    _expect_within(lines, start, end)
    return "\n".join(lines[start - 1 : end])


def _expect_within(lines: list[str], start: int, end: int) -> None:
    if not 1 <= start <= end <= len(lines):
        raise ValueError(f"a passage of lines {start} to {end} in a text of {len(lines)}")


def _first_twice(values: Iterable[tuple[Any, ...]]) -> tuple[Any, ...] | None:
    seen: set[tuple[Any, ...]] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def _passage(source: tuple[str, str, str, str], url: str, start: int, end: int, text: str) -> Passage:
    _, _, revision, _ = source
    text_sha256, byte_count = _sha256(text), len(text.encode())
    named = {"document_revision": revision, "start_line": start, "end_line": end, "text_sha256": text_sha256}
    return Passage(canonical_hash(named), *source, start, end, text_sha256, byte_count, text, url)


@contextmanager
def _naming(entry: str, claimed: Any) -> Generator[None]:
    """What is wrong with the shape of an object is told with the entry it was found in."""
    try:
        if not is_object(claimed):
            raise TypeError("wanted an object")
        yield
    except KeyError as missing:
        raise ConfigError("broken_snapshot", f"{entry}: no {missing.args[0]}, which a snapshot has there") from None
    except (TypeError, ValueError) as error:
        raise ConfigError("broken_snapshot", f"{entry}: not the shape of a snapshot: {error}") from error


def _numbered(claimed: Any) -> Iterable[tuple[int, Any]]:
    if type(claimed) is not list:
        raise TypeError("wanted a list")
    return enumerate(claimed)


def _derived(claimed: Any, path: str) -> Document:
    with _naming(path, claimed):
        source_id, version, url, text = (claimed[name] for name in ("source_id", "version", "url", "text"))
        if not all(type(part) is str and part for part in (source_id, version, url, text)):
            raise TypeError("source_id, version, url and text are text, not empty")
        lines = text.split("\n")
        passages = _numbered(claimed["passages"])
        spans = [_span(passage, lines, f"{path}.passages[{place}]") for place, passage in passages]
        return document(source_id, version, url, text, spans)


def _span(claimed: Any, lines: list[str], path: str) -> tuple[int, int]:
    with _naming(path, claimed):
        start, end = claimed["start_line"], claimed["end_line"]
        if not (type(start) is int and type(end) is int):
            raise TypeError("start_line and end_line are whole numbers")
        _expect_within(lines, start, end)
        return start, end


def _document_as_json(each: Document) -> dict[str, Any]:
    named = ("source_id", "version", "url", "text", "source_sha256", "document_revision")
    kept = ("passage_id", "start_line", "end_line", "text_sha256", "byte_count")
    passages = [{name: getattr(passage, name) for name in kept} for passage in each.passages]
    return {**{name: getattr(each, name) for name in named}, "passages": passages}


def _differences(claimed: Any, derived: Any, path: str) -> Iterator[str]:
    if type(claimed) is not type(derived):
        yield path
    elif isinstance(derived, dict):
        if claimed.keys() != derived.keys():
            yield f"{path}: the set of keys"
        for key in derived:  # the caller stops at the first difference: a missing key is not looked up
            yield from _differences(claimed[key], derived[key], f"{path}.{key}")
    elif isinstance(derived, list):
        for place, (one, other) in enumerate(zip(claimed, derived, strict=True)):
            yield from _differences(one, other, f"{path}[{place}]")
    elif claimed != derived:
        yield path
