"""A literal index: one word, SQLite's FTS5, BM25, under one of two ranking contracts.

`shared` counts words over the whole snapshot, `permitted` over exactly the eligible passages; a score of the one is
never compared with a score of the other. Taught in 03_search, and in 07_ranking.
"""

import itertools
import json
import re
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from labkit.corpus import Corpus, Passage
from labkit.errors import Refusal

TERM = re.compile("[A-Za-z0-9]{1,64}")
KEPT_SETS = 8
"""Eligible sets laid out on one connection, or indexed on their own; the one longest unused makes room."""

RANKED = "SELECT rowid, bm25(passages) FROM passages WHERE passages MATCH ? ORDER BY bm25(passages), rowid LIMIT ?"
ELIGIBLE = RANKED.replace("ORDER", "AND +rowid IN {eligible} ORDER")
"""The statement behind `search`; the plus keeps the row ids away from FTS5, which would use them as below."""
OBVIOUS = ELIGIBLE.replace("+rowid", "rowid").replace("bm25(passages), rowid LIMIT", "rank LIMIT")
"""What one would write first, kept for its plan: FTS5 runs the match anew for each eligible row."""

RowsBySource = Mapping[tuple[str, str], list[int]]
"""The rows of each source in each version."""

_NUMBER = itertools.count()


class Hit(NamedTuple):
    """A passage and its BM25 score, as SQLite gives it: below 0, and lower is better."""

    passage: Passage
    native_score: float


def term_of(query: Any) -> str:
    """The one word of a query, in lower case; Refusal unless the raw text is 1 to 64 ASCII letters and digits."""
    # On the raw text: lower-casing first would let the Kelvin sign in as a k.
    if not (type(query) is str and TERM.fullmatch(query)):
        raise Refusal("invalid_request", "a query is one word of 1 to 64 letters A-Z, a-z and digits")
    return query.lower()


def tokens(text: str) -> list[str]:
    """The words of a text, in order, as FTS5's default tokenizer cuts them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE passages USING fts5(text)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab(passages, instance)")
        connection.execute("INSERT INTO passages VALUES (?)", (text,))
        return [word for (word,) in connection.execute("SELECT term FROM words ORDER BY offset")]


def build_index(corpus: Corpus) -> "Index":
    """The index of a snapshot under `shared`, read-only from now on; close it when done."""
    return Index(corpus.passages)


def build_permitted_index(corpus: Corpus) -> "PermittedIndex":
    """The index of a snapshot under `permitted`; close it when done."""
    return PermittedIndex(corpus.passages)


class Index:
    """FTS5 over some passages, in memory; several threads may search at once, each on a connection of its own."""

    def __init__(self, passages: Sequence[Passage]):
        # Row ids follow passage ids, so that a tie by row id is a tie by passage id.
        self._passages = sorted(passages, key=lambda passage: passage.passage_id)
        self._rows = _rows_by_source(self._passages)
        self._lock = threading.Lock()
        self._idle: list[_Reader] | None = []  # None once closed
        self._address = f"file:/labkit-{next(_NUMBER)}?vfs=memdb"
        # The database lives as long as a connection to it.
        self._keeper = sqlite3.connect(self._address, uri=True, check_same_thread=False)
        _fill(self._keeper, self._passages)

    def ranked(self, query: str, *, k: int = -1) -> tuple[Hit, ...]:
        """The k best of all matches (every one when k is -1), best first, ties by passage id."""
        with self._reader() as reader:
            return self._hits(reader.connection.execute(RANKED, (_quoted(query), k)))

    def search(self, query: str, *, sources: Collection[str], version: str, k: int) -> tuple[Hit, ...]:
        """The k best of the matches that are from these sources in this version: filtered first, then cut."""
        word = _quoted(query)
        if not _any_of(sources, version, self._rows):
            return ()
        with self._reader() as reader:
            statement = ELIGIBLE.format(eligible=reader.laid_out(frozenset(sources), version, self._rows))
            return self._hits(reader.connection.execute(statement, (word, k)))

    def verdict(self, statement: str = ELIGIBLE) -> str:
        """How SQLite would run the statement: `one match, then the filter` or `a match for each eligible row`."""
        with self._reader() as reader:
            eligible = reader.laid_out(frozenset(), "", self._rows)
            plan = reader.connection.execute(f"EXPLAIN QUERY PLAN {statement.format(eligible=eligible)}", ('"a"', 1))
            # FTS5 names the constraints it was handed: M for the match, = for a row id.
            handed = re.search(r"passages VIRTUAL TABLE INDEX \d+:(\S*)", " ".join(row[3] for row in plan))
        return "a match for each eligible row" if handed and "=" in handed[1] else "one match, then the filter"

    def close(self) -> None:
        """Give the memory back; a search that is under way ends well, a later one fails."""
        with self._lock:
            idle, self._idle = self._idle or [], None
        for reader in idle:
            reader.connection.close()
        self._keeper.close()

    def __del__(self) -> None:
        self.close()  # an index that made room for another may still be searched: it goes when nobody holds it

    @contextmanager
    def _reader(self) -> Generator["_Reader"]:
        with self._lock:
            if self._idle is None:
                raise sqlite3.ProgrammingError("the index is closed")
            reader = self._idle.pop() if self._idle else _Reader(self._address)
        try:
            yield reader
        finally:
            self._give_back(reader)

    def _give_back(self, reader: "_Reader") -> None:
        with self._lock:
            if self._idle is not None:
                self._idle.append(reader)
                return
        reader.connection.close()

    def _hits(self, rows: sqlite3.Cursor) -> tuple[Hit, ...]:
        return tuple(Hit(self._passages[row], score) for row, score in rows.fetchall())


class PermittedIndex:
    """An index of its own for each eligible set, built on first use: what one may not see moves nothing one sees.

    Within one snapshot the sources and the version fix the eligible passages, so they name the set.
    """

    def __init__(self, passages: Sequence[Passage]):
        self._passages = passages
        self._rows = _rows_by_source(passages)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[frozenset[str], str], Index] = OrderedDict()

    def search(self, query: str, *, sources: Collection[str], version: str, k: int) -> tuple[Hit, ...]:
        """The k best of the matches among the eligible passages, by the statistics of these alone."""
        word = term_of(query)
        if not _any_of(sources, version, self._rows):
            return ()
        return self._index(frozenset(sources), version).ranked(word, k=k)

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            while self._kept:
                self._kept.popitem()[1].close()

    def _index(self, sources: frozenset[str], version: str) -> Index:
        with self._lock:  # one thread builds, the others wait for what it built
            index = self._kept.get((sources, version))
            if index is None:
                eligible = [self._passages[row] for row in _rows_of(sources, version, self._rows)]
                index = self._kept[sources, version] = Index(eligible)
                if len(self._kept) > KEPT_SETS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end((sources, version))
            return index


class _Reader:
    """A read-only connection, used by one thread at a time, and the eligible sets laid out on it."""

    def __init__(self, address: str):
        self.connection = sqlite3.connect(f"{address}&mode=ro", uri=True, check_same_thread=False, isolation_level=None)
        self.connection.execute("PRAGMA temp_store = MEMORY")
        self._sets: OrderedDict[tuple[frozenset[str], str], str] = OrderedDict()
        self._number = itertools.count()

    def laid_out(self, sources: frozenset[str], version: str, rows: RowsBySource) -> str:
        """The name of a table of these row ids: a look-up in it costs half of one in a subquery's rows."""
        table = self._sets.get((sources, version))
        if table is None:
            table = f"eligible_{next(self._number)}"
            eligible = _rows_of(sources, version, rows)
            self.connection.execute(f"CREATE TEMP TABLE {table} (id INTEGER PRIMARY KEY)")
            self.connection.execute(f"INSERT INTO {table} SELECT value FROM json_each(?)", (json.dumps(eligible),))
            self._sets[sources, version] = table
            if len(self._sets) > KEPT_SETS:
                self.connection.execute(f"DROP TABLE {self._sets.popitem(last=False)[1]}")
        self._sets.move_to_end((sources, version))
        return table


def _fill(connection: sqlite3.Connection, passages: Sequence[Passage]) -> None:
    with connection:
        connection.execute("CREATE VIRTUAL TABLE passages USING fts5(text, content='')")  # the index alone, no copy
        connection.executemany(
            "INSERT INTO passages(rowid, text) VALUES (?, ?)", ((row, each.text) for row, each in enumerate(passages))
        )


def _rows_by_source(passages: Sequence[Passage]) -> RowsBySource:
    rows: dict[tuple[str, str], list[int]] = {}
    for row, passage in enumerate(passages):
        rows.setdefault((passage.source_id, passage.version), []).append(row)
    return rows


def _rows_of(sources: Collection[str], version: str, rows: RowsBySource) -> list[int]:
    return [row for source in sources for row in rows.get((source, version), ())]


def _any_of(sources: Collection[str], version: str, rows: RowsBySource) -> bool:
    # Asked before a set is laid out: else requests for versions that do not exist would push out everybody's sets.
    return any((source, version) in rows for source in sources)


def _quoted(query: str) -> str:
    return f'"{term_of(query)}"'  # as an FTS5 string: AND, OR, NOT and NEAR are words like any other
