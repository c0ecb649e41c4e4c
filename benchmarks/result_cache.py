"""The result cache itself, and the whole path of a hit: `python -m benchmarks.result_cache`.

The ranges of the cache's bounds are lifted here: a thousand payloads of 2 KB are more than the mebibyte it may hold.
"""

from typing import Any

from benchmarks.bounded_map import HIT_WANTED, PUT_WANTED, SIZES, VALUE, by_the_letter, key, slowest, ttl_cache_hit
from benchmarks.by_the_letter import canonical_hash, hit_by_the_letter, policy
from benchmarks.measure import Row, at_least, at_most, best_times, report
from labkit.access.authorize import authorize
from labkit.access.gate import Gate
from labkit.access.policy import Policy, load_policy
from labkit.bounded_map import BoundedMap, Bounds
from labkit.corpus import Corpus, corpus_of, document
from labkit.results.result_cache import ResultCache
from labkit.results.result_key import ResultKey
from labkit.results.retrieve import retrieve
from labkit.search_request import SearchRequest

PRINCIPALS, ENTRIES = 1_000, 1_024
ASKED = {"query": "json", "collection": "c7", "version": "3.12", "k": 2}


def ours(entries: int) -> ResultCache:
    """A result cache, full."""
    cache = ResultCache()
    cache._kept = BoundedMap(
        Bounds(max_entries=entries, ttl=3600, max_bytes=entries * 10_000), clock=lambda: cache._now
    )
    for number in range(entries):
        cache.put(key(number), VALUE)
    return cache


def rows_for(entries: int, hit_wanted: float, put_wanted: float) -> list[Row]:
    """Hit and put at one size."""
    letter, cache, name = by_the_letter(entries), ours(entries), key(entries // 2)
    slow, quick = best_times(lambda: letter.get(name), lambda: cache.get(name))
    slow_put, quick_put = best_times(lambda: letter.put(name, VALUE), lambda: cache.put(name, VALUE))
    theirs, again = best_times(ttl_cache_hit(entries), lambda: cache.get(name))
    return [
        at_least(f"hit, {entries:,} entries", "by the letter", hit_wanted, slow / quick),
        at_most(f"hit, {entries:,} entries", "cachetools.TTLCache", 1.05, again / theirs),
        at_least(f"put, {entries:,} entries", "by the letter", put_wanted, slow_put / quick_put),
    ]


def world() -> tuple[dict[str, Any], Policy, Corpus]:
    """The policy of the baseline, as it is told and as it is loaded, and a corpus that has its sources."""
    told = policy(PRINCIPALS)
    names = sorted({source for listed in told["collections"].values() for source in listed})
    corpus = corpus_of(document(name, "3.12", "https://synthetic.invalid/", f"json {name}") for name in names)
    return told, load_policy(corpus, {**told, "description": "synthetic"}), corpus


def whole_path() -> list[Row]:
    """From who asks to what comes back: policy id, key, look-up, and an object or a reply of one's own."""
    told, loaded, corpus = world()
    letter, cache = by_the_letter(ENTRIES - 1), ours(ENTRIES)
    request = SearchRequest(**ASKED)
    corpus_id = corpus.corpus_id  # hashed when the snapshot is made, as the policy is

    def asked() -> ResultKey:
        authorize(loaded, "p1", "c7")
        return ResultKey(principal="p1", policy_id=loaded.policy_id, corpus_id=corpus_id, request=request)

    def slow() -> object:
        return hit_by_the_letter(letter, "p1", ASKED, corpus_id, told)

    named = {**asked().as_json(), "policy_id": canonical_hash(told)}
    letter.max_entries = ENTRIES
    letter.put(canonical_hash(named), VALUE)
    cache.put(asked().cache_key, VALUE)
    assert slow() == cache.get(asked().cache_key) == VALUE
    gate = Gate(corpus, loaded)
    retrieve(gate, cache, "p1", ASKED)
    assert retrieve(gate, cache, "p1", ASKED).cache == "hit"

    works = {
        "to objects": (80, lambda: cache.get(asked().cache_key)),
        "to reply bytes": (200, lambda: cache.get_bytes(asked().cache_key)),
        "`retrieve` to objects": (80, lambda: retrieve(gate, cache, "p1", ASKED).result),
        "`retrieve` to the whole reply": (200, lambda: retrieve(gate, cache, "p1", ASKED).as_bytes()),
    }
    rows = []
    for name, (wanted, work) in works.items():
        once, often = best_times(slow, work)
        rows.append(at_least(f"whole hit path, {name}", "by the letter", wanted, once / often))
    gate.close()
    return rows


def main() -> None:
    """Measure every row and print them."""
    rows = [row for sizes in zip(SIZES, HIT_WANTED, PUT_WANTED, strict=True) for row in rows_for(*sizes)]
    small, large = ours(SIZES[0]), ours(SIZES[-1])
    few, many = best_times(lambda: small.get(key(50)), lambda: large.get(key(50)))
    rows.append(at_most("hit, 100,000 entries", "hit, 100 entries", 1.3, many / few))
    letter, cache, name = by_the_letter(1_000), ours(1_000), key(500)
    tails = [(slowest(lambda: letter.get(name), 500), slowest(lambda: cache.get(name))) for _ in range(5)]
    ratio = min(slow for slow, _ in tails) / min(quick for _, quick in tails)
    rows.append(at_least("4 threads, 1,000 entries, p99.9 of a hit", "by the letter", 30, ratio))
    report("Result cache", rows + whole_path())


if __name__ == "__main__":
    main()
