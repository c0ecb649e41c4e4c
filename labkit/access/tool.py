"""What the gate calls once a caller is authorized: a tool searches and reads one snapshot, and is closed afterwards."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from labkit.corpus import Corpus, Passage
from labkit.search import Hit, Index, PermittedIndex, build_index, build_permitted_index

KEPT_CORPORA = 2
"""Snapshots whose index is kept: the one in force and the one before it."""
BUILDERS: dict[str, Callable[[Corpus], Index | PermittedIndex]] = {
    "shared": build_index,
    "permitted": build_permitted_index,
}
"""The ranking contracts, by name."""


class Tool(Protocol):
    """Made for one operation, closed after it, on every way out."""

    def search(self, query: str, *, sources: Collection[str], version: str, k: int) -> Sequence[Hit]:
        """The k best passages among these sources in this version, best first."""
        ...

    def read(self, passage_id: str) -> Passage:
        """The passage with its text."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


ToolFactory = Callable[[Corpus], Tool]
"""Trusted code: it is handed the whole snapshot."""


class LiteralTool:
    """The lab's own tool, on an index that outlives it."""

    def __init__(self, corpus: Corpus, index: Index | PermittedIndex):
        self._corpus = corpus
        self._index = index

    def search(self, query: str, *, sources: Collection[str], version: str, k: int) -> tuple[Hit, ...]:
        """The k best passages among these sources in this version, best first."""
        return self._index.search(query, sources=sources, version=version, k=k)

    def read(self, passage_id: str) -> Passage:
        """The passage with its text; KeyError for one that the snapshot does not hold."""
        return self._corpus.passage(passage_id)

    def close(self) -> None:
        """Nothing: the index is kept for the next one."""


class LiteralTools:
    """A factory of `LiteralTool` under one ranking contract; an index is built once for each snapshot.

    By `cut_id`, since an index holds passages: two cuts of the same documents share a `corpus_id`, and no index.
    """

    def __init__(self, ranking: str = "shared"):
        self._build = BUILDERS[ranking]
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Index | PermittedIndex] = OrderedDict()

    def __call__(self, corpus: Corpus) -> LiteralTool:
        with self._lock:  # one thread builds, the others wait for what it built
            index = self._kept.get(corpus.cut_id)
            if index is None:
                index = self._kept[corpus.cut_id] = self._build(corpus)
                if len(self._kept) > KEPT_CORPORA:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(corpus.cut_id)
        return LiteralTool(corpus, index)

    def close(self) -> None:
        """Give the memory of every index back."""
        with self._lock:
            while self._kept:
                self._kept.popitem()[1].close()
