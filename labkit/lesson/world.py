"""Everything a lesson acts on, made anew: what one section does, no other section sees."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from labkit.clock import FakeClock
from labkit.corpus import Corpus, load_corpus

MAY_SEE = MappingProxyType(
    {
        "reader": frozenset({"json-text"}),
        "editor": frozenset({"json-text", "path-read", "path-write"}),
    }
)
"""The two synthetic principals of the series, and the source ids each has a grant on."""


@dataclass(frozen=True)
class World:
    """A clock that stands at 0 s, the fixture corpus, and who may see which of its sources; all this world's own."""

    clock: FakeClock
    corpus: Corpus
    may_see: Mapping[str, frozenset[str]]


def fresh_world() -> World:
    """A world in which nothing has happened yet."""
    return World(clock=FakeClock(), corpus=load_corpus(), may_see=MAY_SEE)
