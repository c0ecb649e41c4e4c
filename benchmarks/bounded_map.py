"""A hit and a put of the bounded map with a result cache's keys and values: `python -m benchmarks.bounded_map`."""

import threading
import time
from typing import Any

import cachetools
import msgspec

from benchmarks.by_the_letter import ResultCacheByTheLetter, payload
from benchmarks.measure import Row, Work, at_least, at_most, best_times, report
from labkit.bounded_map import BoundedMap, Bounds
from labkit.canonical import canonical_bytes

SIZES = (100, 1_000, 100_000)
HIT_WANTED, PUT_WANTED = (6, 20, 3_000), (2.5, 6, 900)
VALUE = payload()
CONTENT = canonical_bytes(VALUE)
DECODE = msgspec.json.Decoder().decode
KEY_BYTES = 64


def key(number: int) -> str:
    """Looks like a cache key: 64 hex digits."""
    return f"{number:064x}"


def by_the_letter(entries: int) -> ResultCacheByTheLetter:
    """The baseline, full; filled by hand, since its own put looks at every entry."""
    cache = ResultCacheByTheLetter(entries)
    for number in range(entries):
        cache.entries[key(number)] = (time.monotonic() + 3600, VALUE, len(CONTENT) + KEY_BYTES)
    cache.bytes = entries * (len(CONTENT) + KEY_BYTES)
    return cache


def ours(entries: int) -> BoundedMap[bytes]:
    """A bounded map of the same size, full."""
    store: BoundedMap[bytes] = BoundedMap(Bounds(max_entries=entries, ttl=3600, max_bytes=entries * 10_000))
    for number in range(entries):
        store.put(key(number), CONTENT, size=len(CONTENT) + KEY_BYTES)
    return store


def hit(store: BoundedMap[bytes], wanted: str) -> Any:
    """An object of one's own, parsed outside the lock."""
    content = store.get(wanted)
    return DECODE(content) if content is not None else None


def put(store: BoundedMap[bytes], name: str) -> None:
    """Spell a value and keep it, as the result cache does."""
    content = canonical_bytes(VALUE)
    store.put(name, content, size=len(content) + KEY_BYTES)


def ttl_cache_hit(entries: int) -> Work:
    """cachetools with a lock around it, and the same parser."""
    cache: cachetools.TTLCache[str, bytes] = cachetools.TTLCache(entries, 3600)
    lock, wanted = threading.RLock(), key(entries // 2)
    for number in range(entries):
        cache[key(number)] = CONTENT

    def look_up() -> Any:
        with lock:
            content = cache.get(wanted)
        return DECODE(content) if content is not None else None

    return look_up


def slowest(work: Work, calls: int = 5_000, threads: int = 4) -> float:
    """The time that one call in a thousand exceeds, with this many threads calling at once."""
    start, times = threading.Barrier(threads), []

    def run() -> None:
        own: list[float] = []
        start.wait()
        for _ in range(calls):
            before = time.perf_counter()
            work()
            own.append(time.perf_counter() - before)
        times.extend(own)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sorted(times)[int(len(times) * 0.999)]


def rows_for(entries: int, hit_wanted: float, put_wanted: float) -> list[Row]:
    """Hit and put at one size."""
    letter, store, name = by_the_letter(entries), ours(entries), key(entries // 2)
    slow, quick = best_times(lambda: letter.get(name), lambda: hit(store, name))
    slow_put, quick_put = best_times(lambda: letter.put(name, VALUE), lambda: put(store, name))
    theirs, again = best_times(ttl_cache_hit(entries), lambda: hit(store, name))
    return [
        at_least(f"hit, {entries:,} entries", "by the letter", hit_wanted, slow / quick),
        at_most(f"hit, {entries:,} entries", "cachetools.TTLCache", 1.05, again / theirs),
        at_least(f"put, {entries:,} entries", "by the letter", put_wanted, slow_put / quick_put),
    ]


def main() -> None:
    """Measure every row and print them."""
    rows = [row for sizes in zip(SIZES, HIT_WANTED, PUT_WANTED, strict=True) for row in rows_for(*sizes)]
    small, large = ours(SIZES[0]), ours(SIZES[-1])
    few, many = best_times(lambda: hit(small, key(50)), lambda: hit(large, key(50)))
    rows.append(at_most("hit, 100,000 entries", "hit, 100 entries", 1.3, many / few))
    letter, store, name = by_the_letter(1_000), ours(1_000), key(500)
    tails = [(slowest(lambda: letter.get(name), 500), slowest(lambda: hit(store, name))) for _ in range(5)]
    ratio = min(slow for slow, _ in tails) / min(quick for _, quick in tails)
    rows.append(at_least("4 threads, 1,000 entries, p99.9 of a hit", "by the letter", 30, ratio))
    report("Bounded map with a result cache's keys and values", rows)


if __name__ == "__main__":
    main()
