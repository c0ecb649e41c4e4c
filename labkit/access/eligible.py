"""Filter, then cut to k: the other way round, passages that may not be seen crowd out those that may.

Taught in 05_eligible.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from labkit.search import Hit


def eligible(ranked: Iterable[Hit], *, sources: Collection[str], version: str, k: int) -> tuple[Hit, ...]:
    """The k best of the hits that are from these sources and of exactly this version, in the order they came."""
    allowed = (hit for hit in ranked if hit.passage.source_id in sources and hit.passage.version == version)
    return tuple(islice(allowed, k))


def recall(found: Sequence[Hit], wanted: Sequence[Hit]) -> float:
    """The share of the wanted passages that were found; 1.0 when none was wanted."""
    there = {hit.passage.passage_id for hit in found}
    return sum(hit.passage.passage_id in there for hit in wanted) / len(wanted) if wanted else 1.0
