"""Eligible search on a million passages, search per request on a few: `python -m benchmarks.search` (two minutes)."""

from collections.abc import Sequence
from contextlib import closing

from benchmarks.by_the_letter import index_per_request, search_by_the_letter
from benchmarks.measure import Row, at_least, best_times, report
from labkit.corpus import Corpus, Passage, synthetic
from labkit.search import Index, build_index, build_permitted_index

PASSAGES, K, TERM = 1_000_000, 10, "w001"


def one_in_a_hundred(corpus: Corpus) -> frozenset[str]:
    """Every hundredth document, all of version 3.12."""
    return frozenset(document.source_id for document in corpus.documents[::100])


def ordered(corpus: Corpus) -> list[Passage]:
    """The passages as an index numbers them."""
    return sorted(corpus.passages, key=lambda passage: passage.passage_id)


def recall(found: Sequence[Passage], wanted: Sequence[Passage]) -> float:
    """The share of the wanted that was found."""
    return len(set(found) & set(wanted)) / len(wanted)


def on_a_million() -> list[Row]:
    """Both ranking contracts on the same eligible set, with the recall of each."""
    corpus = synthetic(PASSAGES)
    sources, passages = one_in_a_hundred(corpus), ordered(corpus)
    rows = {row for row, passage in enumerate(passages) if passage.source_id in sources}
    asked = {"sources": sources, "version": "3.12", "k": K}
    with closing(build_index(corpus)) as shared, closing(build_permitted_index(corpus)) as permitted:

        def letter() -> list[tuple[int, float]]:
            return search_by_the_letter(shared._keeper, "passages", TERM, rows, K)

        slow, quick = best_times(letter, lambda: shared.search(TERM, **asked))
        slow_again, warm = best_times(letter, lambda: permitted.search(TERM, **asked))
        wanted = [passages[row] for row, _ in letter()]
        found = [hit.passage for hit in shared.search(TERM, **asked)]
        own = [hit.passage for hit in permitted.search(TERM, **asked)]
    with closing(Index([passages[row] for row in rows])) as alone:
        wanted_own = [hit.passage for hit in alone.ranked(TERM)[:K]]
    return [
        at_least(f"eligible search, {PASSAGES:,} passages, shared", "by the letter", 12, slow / quick),
        at_least("same, recall", "by the letter", 1, recall(found, wanted)),
        at_least("same, permitted, warm", "by the letter", 100, slow_again / warm),
        at_least("same, recall", "an index of the eligible", 1, recall(own, wanted_own)),
    ]


def per_request(passages: int, wanted: float) -> Row:
    """A kept index against one that is built for the request; one document in a hundred is eligible."""
    corpus = synthetic(passages)
    sources, numbered = one_in_a_hundred(corpus), list(enumerate(ordered(corpus)))
    asked = {"sources": sources, "version": "3.12", "k": K}
    told = [(row, passage.text) for row, passage in numbered]
    eligible = {row for row, passage in numbered if passage.source_id in sources}
    with closing(build_index(corpus)) as index:
        slow, quick = best_times(
            lambda: index_per_request(told, TERM, eligible, K),
            lambda: index.search(TERM, **asked),
        )
    return at_least(f"search per request, {passages:,} passages", "an index for each request", wanted, slow / quick)


def main() -> None:
    """Measure every row and print them."""
    few = [per_request(*sizes) for sizes in ((3, 10), (1_000, 100), (10_000, 150))]
    report("Search", [*few, *on_a_million()])


if __name__ == "__main__":
    main()
