"""Completed results only, as bytes nobody can change, within three exact bounds, on one clock."""

import copy
import json
import math
import random
import threading
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hostile import Disguised, HostileDict, HostileText
from hypothesis import given, settings
from test_canonical import VALUES

from labkit.bounded_map import Drop, Held, Reason
from labkit.canonical import canonical_bytes
from labkit.clock import FakeClock
from labkit.errors import ConfigError
from labkit.results import result_cache
from labkit.results.result_cache import NotKept, ResultCache, parsed


def completed(name="a", *, padding=0):
    """A completed result; each letter of padding is one more byte."""
    return {"status": "completed", "evidence": [{"text": f"é {name}{'x' * padding}", "lines": [1, 2]}]}


def size_of(key, result):
    return len(canonical_bytes(result)) + len(key)


def digest(name):
    """A key as long as every key is."""
    return name.rjust(64, "0")


def held(cache):
    return [entry.key for entry in cache.held()]


@pytest.fixture
def log():
    return []


@pytest.fixture
def cache(clock, log):
    """The defaults: four entries, one second, 65,536 bytes."""
    return ResultCache(clock=clock, on_drop=log.append)


def test_defaults_are_four_entries_one_second_and_sixty_four_kibibytes(clock):
    cache, least = ResultCache(clock=clock), completed(padding=0)
    room = 65536 - size_of("0", least)

    for name in "01234":
        cache.put(name, completed())
    assert held(cache) == ["1", "2", "3", "4"]
    assert cache.put("0", completed(padding=room)) is True
    assert cache.put("1", completed(padding=room + 1)) is False
    clock.advance(math.nextafter(1, 0))
    assert held(cache) == ["0"]
    clock.move_to(1)
    assert held(cache) == []


def test_expiry_and_eviction_happen_at_exactly_their_boundaries(cache, clock, log):
    for name in "abcd":
        cache.put(name, completed(name))  # a b c d, all until 1 s
    clock.advance(math.nextafter(1, 0))
    assert cache.get("a") == completed("a")  # b c d a: alive at the last instant before the deadline
    cache.put("e", completed("e"))  # c d a e: a fifth entry is one too many, and b was longest unused
    assert log == [Drop("b", Reason.ENTRIES, math.nextafter(1, 0), 1.0)]

    clock.move_to(1)

    assert [cache.get(name) for name in "cda"] == [None] * 3  # deadline <= now: the hit bought a nothing
    assert held(cache) == ["e"]
    assert log[1:] == [Drop(name, Reason.EXPIRED, 1.0, 1.0) for name in "acd"]


def test_hit_promotes_and_never_extends_the_deadline(cache, clock):
    cache.put("a", completed())
    cache.put("b", completed())
    clock.advance(0.75)

    cache.get("a")

    assert [(entry.key, entry.deadline) for entry in cache.held()] == [("b", 1.0), ("a", 1.0)]


def test_bytes_for_a_reply_promote_and_count_as_a_hit_does(cache):
    cache.put("a", completed())
    cache.put("b", completed())

    assert cache.get_bytes("a") == canonical_bytes(completed())
    assert cache.get_bytes("c") is None
    assert held(cache) == ["b", "a"]
    assert (cache.stats().hits, cache.stats().misses) == (1, 1)


def test_dead_go_before_a_live_one_is_evicted(cache, clock, log):
    cache.put("dead", completed())
    clock.advance(0.5)
    for name in "abc":
        cache.put(name, completed())
    cache.get("dead")  # a b c dead: the next to be evicted would be a
    clock.advance(0.5)

    cache.put("d", completed())

    assert held(cache) == ["a", "b", "c", "d"]
    assert [(drop.key, drop.reason) for drop in log] == [("dead", Reason.EXPIRED)]


def test_size_is_the_utf8_bytes_of_the_canonical_spelling_and_of_the_key(cache):
    key = digest("a")

    cache.put(key, completed())

    spelled = '{"evidence":[{"lines":[1,2],"text":"é a"}],"status":"completed"}'
    assert cache.stats().bytes == len(spelled) + 1 + 64  # é is two bytes, and no escape


def test_bytes_may_fill_the_bound_exactly_and_one_more_evicts(clock, log):
    size = size_of("a", completed())
    cache = ResultCache(max_bytes=2 * size, clock=clock, on_drop=log.append)

    cache.put("a", completed())
    cache.put("b", completed())
    assert (held(cache), cache.stats().bytes) == (["a", "b"], 2 * size)

    cache.put("c", completed(padding=1))

    assert (held(cache), cache.stats().bytes) == (["c"], size + 1)
    assert [drop.reason for drop in log] == [Reason.BYTES] * 2


def test_overwriting_at_capacity_subtracts_the_old_size_and_evicts_nobody_else(cache, log):
    for name in "abcd":
        cache.put(name, completed())

    cache.put("b", completed(padding=7))

    assert held(cache) == ["a", "c", "d", "b"]
    assert cache.stats().bytes == 4 * size_of("a", completed()) + 7
    assert [(drop.key, drop.reason) for drop in log] == [("b", Reason.REPLACED)]


def test_overwriting_counts_its_second_from_the_new_insertion(cache, clock):
    cache.put("a", completed())
    clock.advance(0.75)

    cache.put("a", completed("again"))

    assert cache.held() == (Held("a", size_of("a", completed("again")), 1.75),)


def test_oversize_value_is_refused_and_the_old_value_of_its_key_is_gone(clock):
    cache = ResultCache(max_bytes=200, clock=clock)
    cache.put("a", completed())
    cache.put("b", completed())
    large = completed(padding=201 - size_of("a", completed()))

    assert cache.put("a", large) is False

    assert held(cache) == ["b"]
    assert cache.get("a") is None
    assert cache.stats().refusals[NotKept.TOO_LARGE] == 1


UNCACHEABLE = {
    "NaN": math.nan,
    "an object": object(),
    "a set": {1},
    "bytes": b"",
    "a key that is no text": {1: 2},
    "a lone surrogate": "\ud800",
    "65 levels": json.loads("[" * 65 + "]" * 65),
}


@pytest.mark.parametrize("value", UNCACHEABLE.values(), ids=UNCACHEABLE)
def test_value_without_a_canonical_form_is_refused_and_changes_nothing(cache, value):
    cache.put("a", completed())
    cache.put("b", completed())
    before = (cache.held(), cache.stats().stores)

    assert cache.put("a", {"status": "completed", "evidence": [value]}) is False

    assert (cache.held(), cache.stats().stores) == before
    assert cache.get("a") == completed()
    assert cache.stats().refusals[NotKept.NOT_CANONICAL] == 1


NO_RESULTS = {
    "nothing": None,
    "a number": 1,
    "a text": "completed",
    "a list": [completed()],
    "another kind of mapping": MappingProxyType(completed()),
    "a dict of its own type": HostileDict(completed()),
    "a key that is no text": {**completed(), 1: 2},
    "a status of its own type": {**completed(), "status": HostileText("completed")},
    "an object that does not say what it is": Disguised(),
}


@pytest.mark.parametrize("name", NO_RESULTS)
def test_what_is_no_result_at_all_is_not_kept_and_no_error(cache, name):
    cache.put("a", completed())

    assert cache.put("a", NO_RESULTS[name]) is False

    assert cache.get("a") == completed()
    assert cache.stats().refusals == {"not completed": 1, "not canonical": 0, "too large": 0}


@pytest.mark.parametrize("key", ["\ud800", None, 3, b"a", [], {}, HostileText("a")], ids=lambda key: type(key).__name__)
def test_key_without_a_canonical_form_is_a_miss_and_nothing_is_kept_under_it(cache, key):
    cache.put("a", completed())

    assert cache.put(key, completed()) is False
    assert cache.get(key) is None
    assert cache.get_bytes(key) is None

    assert held(cache) == ["a"]
    assert (cache.stats().refusals[NotKept.NOT_CANONICAL], cache.stats().misses) == (1, 2)


@pytest.mark.parametrize("status", ["incomplete", "failed", "Completed", "", None, True, ["completed"]])
def test_only_a_completed_result_is_kept(cache, status):
    cache.put("a", completed())

    assert cache.put("a", {"status": status, "evidence": []}) is False
    assert cache.put("b", {"evidence": []}) is False

    assert cache.get("a") == completed()
    assert held(cache) == ["a"]
    assert cache.stats().refusals[NotKept.INCOMPLETE] == 2


def values_inside(value, path=()):
    """The path of every value in a result, the innermost ones too."""
    yield path
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from values_inside(value[step], (*path, step))


def spoilt(value, path):
    """The same object, with what stands at the path replaced in place."""
    *way, last = path
    for step in way:
        value = value[step]
    value[last] = "spoilt"


PLACES = [path for path in values_inside(completed()) if path]


@pytest.mark.parametrize("path", PLACES, ids=lambda path: ".".join(map(str, path)))
def test_change_to_what_was_put_changes_nothing_kept(cache, path):
    mine = completed()
    cache.put("a", mine)

    spoilt(mine, path)

    assert mine != completed()
    assert cache.get("a") == completed()
    assert cache.get_bytes("a") == canonical_bytes(completed())


@pytest.mark.parametrize("path", PLACES, ids=lambda path: ".".join(map(str, path)))
def test_change_to_what_one_hit_gave_changes_neither_what_is_kept_nor_another_hit(cache, path):
    cache.put("a", completed())
    mine, other = cache.get("a"), cache.get("a")

    spoilt(mine, path)

    assert mine != completed()
    assert other == cache.get("a") == completed()


def test_one_list_put_in_two_places_comes_back_as_two(cache):
    shared = [1]
    cache.put("a", {"status": "completed", "one": shared, "other": shared})

    got = cache.get("a")
    got["one"].append(2)

    assert got["other"] == [1]


@given(VALUES)
@settings(deadline=None)
def test_every_parser_gives_the_same_value_for_all_that_is_canonical(value):
    content = canonical_bytes(value)

    assert repr(parsed(content)) == repr(json.loads(content))


@pytest.mark.parametrize(
    "value",
    [2**64, -(10**30), 10**400, -(10**4299), 1e308, 5e-324, -0.0, 1e16, "\x00\x7f\u2028", {"": [{}]}],
    ids=lambda value: repr(value)[:9],
)
def test_hit_gives_numbers_and_text_back_to_the_last_digit(cache, value):
    cache.put("a", {"status": "completed", "value": value})

    assert repr(cache.get("a")["value"]) == repr(value)


def test_parser_of_this_environment_is_the_quick_one():
    assert result_cache.decode is msgspec.json.decode


@pytest.mark.parametrize("ttl", [0, -1, 0.0, True, math.nan, math.inf, "1", None, 10**400, 3600.001])
def test_ttl_is_seconds_above_zero_and_at_most_an_hour(ttl):
    with pytest.raises(ConfigError) as refused:
        ResultCache(ttl=ttl)

    assert refused.value.code == "invalid_ttl"


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "4", None, 1025, 10**400])
def test_entries_are_a_whole_number_up_to_1024(count):
    with pytest.raises(ConfigError) as refused:
        ResultCache(max_entries=count)

    assert refused.value.code == "invalid_capacity"


@pytest.mark.parametrize("count", [0, -1, False, 65536.0, "1", None, 1_048_577, math.nan])
def test_bytes_are_a_whole_number_up_to_a_mebibyte(count):
    with pytest.raises(ConfigError) as refused:
        ResultCache(max_bytes=count)

    assert refused.value.code == "invalid_capacity"


@pytest.mark.parametrize("bounds", [(1, 5e-324, 1), (1024, 3600, 1_048_576)])
def test_bounds_may_stand_on_either_end_of_their_ranges(bounds):
    max_entries, ttl, max_bytes = bounds

    assert ResultCache(max_entries=max_entries, ttl=ttl, max_bytes=max_bytes).held() == ()


def test_clear_leaves_nothing_and_gives_the_reason(cache, log):
    cache.put("a", completed())
    cache.put("b", completed())

    cache.clear()

    assert (held(cache), cache.stats().bytes, cache.get("a")) == ([], 0, None)
    assert [(drop.key, drop.reason) for drop in log] == [("a", Reason.CLEARED), ("b", Reason.CLEARED)]


def test_stats_count_what_was_asked_kept_refused_and_dropped(cache, clock):
    for name in "abcde":
        cache.put(name, completed())  # b c d e: a made room
    cache.put("b", completed())  # c d e b
    cache.put("f", {"status": "incomplete"})
    cache.get("b")
    cache.get("a")
    clock.advance(1)
    cache.put("g", completed())

    stats = cache.stats()

    assert (stats.hits, stats.misses, stats.stores, stats.evictions, stats.expirations) == (1, 1, 7, 1, 4)
    assert stats.refusals == {"not completed": 1, "not canonical": 0, "too large": 0}
    assert stats.drops[Reason.REPLACED] == 1
    assert (stats.entries, stats.bytes) == (1, size_of("g", completed()))


def test_stats_once_taken_stay_as_they_were(cache):
    before = cache.stats()

    cache.put("a", {"status": "incomplete"})
    cache.put("b", completed())
    cache.clear()

    assert sum(before.refusals.values()) == sum(before.drops.values()) == before.stores == 0


def test_dead_are_never_counted_as_held(cache, clock):
    cache.put("a", completed())

    clock.advance(1)

    assert (cache.stats().entries, cache.stats().bytes, cache.stats().expirations) == (0, 0, 1)


def test_stats_are_of_one_instant_on_a_clock_that_never_stands_still(log):
    ticks = iter(range(10_000))
    cache = ResultCache(max_entries=1024, ttl=20, clock=lambda: next(ticks), on_drop=log.append)

    for number in range(200):
        cache.put(str(number), completed())
        stats = cache.stats()

        assert stats.stores - sum(stats.drops.values()) == stats.entries
        assert stats.bytes == sum(size_of(str(n), completed()) for n in range(number + 1 - stats.entries, number + 1))


def test_one_operation_looks_at_the_clock_once():
    looks = []
    cache = ResultCache(clock=lambda: looks.append(None) or 0.0)

    operations = [
        lambda: cache.put("a", completed()),
        lambda: cache.get("a"),
        lambda: cache.get_bytes("a"),
        cache.held,
        cache.stats,
        cache.clear,
    ]
    for operation in operations:
        operation()

    assert len(looks) == len(operations)


class NaiveCache:
    """The same rules with a list and deep copies: every call looks at every entry."""

    def __init__(self, max_entries, ttl, max_bytes):
        self.max_entries, self.ttl, self.max_bytes = max_entries, ttl, max_bytes
        self.rows, self.log, self.now, self.puts = [], [], 0.0, 0  # a row: key, result, size, deadline, born

    def drop(self, row, reason):
        self.rows.remove(row)
        self.log.append((row[0], reason, self.now, row[3]))

    def bury(self):
        for row in sorted(self.rows, key=lambda row: (row[3], row[4])):
            if row[3] <= self.now:
                self.drop(row, "expired")

    def get(self, key):
        self.bury()
        for row in self.rows:
            if row[0] == key:
                self.rows.remove(row)
                self.rows.append(row)
                return copy.deepcopy(row[1])
        return None

    def put(self, key, result):
        if result["status"] != "completed" or math.nan in result.values():
            return False
        self.bury()
        for row in [row for row in self.rows if row[0] == key]:
            self.drop(row, "replaced")
        text = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        size = len(text.encode()) + len(key)
        if size > self.max_bytes:
            return False
        while len(self.rows) >= self.max_entries:
            self.drop(self.rows[0], "evicted for entries")
        while sum(row[2] for row in self.rows) + size > self.max_bytes:
            self.drop(self.rows[0], "evicted for bytes")
        self.puts += 1
        self.rows.append((key, copy.deepcopy(result), size, self.now + self.ttl, self.puts))
        return True

    def clear(self):
        self.bury()
        for row in list(self.rows):
            self.drop(row, "cleared")


def random_result(draw):
    result: dict[str, Any] = completed(draw.choice("äbc"), padding=draw.choice([0, 1, 40, 150, 400]))
    if draw.random() < 0.1:
        result["status"] = "incomplete"
    elif draw.random() < 0.1:
        result["score"] = math.nan
    return result


@pytest.mark.parametrize(("max_entries", "ttl", "max_bytes"), [(4, 1.0, 900), (1, 0.5, 500), (6, 3600, 1_048_576)])
def test_cache_agrees_with_a_naive_one_after_each_of_10000_random_steps(max_entries, ttl, max_bytes):
    draw, clock, log = random.Random(max_bytes), FakeClock(), []
    bounds = {"max_entries": max_entries, "ttl": ttl, "max_bytes": max_bytes}
    cache, naive = ResultCache(**bounds, clock=clock, on_drop=log.append), NaiveCache(**bounds)

    for _ in range(10_000):
        step, key = draw.choices(["get", "put", "pass", "clear"], [40, 40, 19, 1])[0], draw.choice("abcdefgh")
        if step == "get":
            assert cache.get(key) == naive.get(key)
        elif step == "put":
            result = random_result(draw)
            assert cache.put(key, result) == naive.put(key, result)
        elif step == "pass":
            clock.advance(draw.choice([0.0, 0.125, 0.25, 0.5]))
            naive.now = clock()
        else:
            cache.clear()
            naive.clear()
        naive.bury()

        assert cache.held() == tuple((row[0], row[2], row[3]) for row in naive.rows)
        assert [tuple(drop) for drop in log] == naive.log
        assert cache.stats().bytes == sum(row[2] for row in naive.rows)
        log.clear()
        naive.log.clear()


@pytest.mark.usefixtures("eager_switching")
def test_four_threads_hammering_leave_exact_counts_at_every_moment_and_no_exception(log):
    cache = ResultCache(max_entries=20, max_bytes=3000, on_drop=log.append)
    start, failures, kept, torn = threading.Barrier(4), [], [], []

    def hammer(offset):
        start.wait()
        try:
            for number in range(1000):
                key = digest(str((number * 7 + offset) % 50))
                kept.append(cache.put(key, completed(key, padding=number % 40)))
                stats = cache.stats()  # all that was kept is there or has left, in the midst of the others' calls too
                torn.extend({stats.stores - stats.entries - sum(stats.drops.values())} - {0})
                got = cache.get(digest(str(number % 50)))
                assert got is None or spoil_after(got)
        except Exception as failure:  # noqa: BLE001 - handed to the test below, whatever it is
            failures.append(failure)

    def spoil_after(got):
        whole = got["status"] == "completed" and len(got["evidence"]) == 1
        got["evidence"].clear()  # were two hits one object, another thread would find it empty
        return whole

    threads = [threading.Thread(target=hammer, args=(offset,)) for offset in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    stats = cache.stats()
    assert failures == torn == []
    assert stats.bytes == sum(entry.size for entry in cache.held()) <= 3000
    assert stats.bytes == sum(size_of(key, cache.get(key)) for key in held(cache))
    assert stats.hits + stats.misses == 4000
    assert stats.stores == sum(kept) == stats.entries + len(log)  # all that was kept is there, or left for a reason
