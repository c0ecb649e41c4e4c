"""A map that keeps within its bounds, and says why each entry left."""

import math
import random
import threading
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.bounded_map import BoundedMap, Bounds, Drop, Held, Reason, checked_count, checked_seconds
from labkit.clock import FakeClock
from labkit.errors import ConfigError


@pytest.fixture
def log():
    return []


@pytest.fixture
def store(clock, log):
    """Three entries, ten seconds, a hundred bytes."""
    return BoundedMap(Bounds(max_entries=3, ttl=10, max_bytes=100), clock=clock, on_drop=log.append)


def keys(store):
    return [held.key for held in store.held()]


def fates(log):
    return [(drop.key, str(drop.reason)) for drop in log]


def test_entry_is_alive_before_its_deadline_and_dead_at_it(store, clock):
    store.put("a", 1)

    clock.advance(math.nextafter(10, 0))
    assert store.get("a") == 1

    clock.move_to(10)
    assert store.get("a") is None


def test_hit_promotes_but_does_not_extend_the_deadline(store, clock):
    store.put("a", 1)  # a
    store.put("b", 2)  # a b
    clock.advance(6)
    assert store.get("a") == 1
    assert keys(store) == ["b", "a"]

    clock.advance(4)

    assert store.get("a") is None  # both died at 10; the hit at 6 bought nothing
    assert keys(store) == []


def test_peek_sees_the_value_and_promotes_nothing(store):
    store.put("a", 1)
    store.put("b", 2)

    assert store.peek("a") == 1
    assert keys(store) == ["a", "b"]


def test_peek_does_not_see_the_dead(store, clock):
    store.put("a", 1)

    clock.advance(10)

    assert store.peek("a") is None


def test_entry_longest_unused_makes_room_for_one_more(store, log):
    for key in "abc":
        store.put(key, key)  # a b c
    store.get("a")  # b c a

    store.put("d", "d")

    assert keys(store) == ["c", "a", "d"]
    assert fates(log) == [("b", "evicted for entries")]


def test_as_many_as_needed_make_room_for_a_large_one(store, log):
    for key, size in [("a", 30), ("b", 30), ("c", 40)]:
        store.put(key, key, size=size)

    store.put("d", "d", size=31)  # room for one entry is made first, and 30 bytes of it are not enough

    assert (keys(store), store.size) == (["c", "d"], 71)
    assert fates(log) == [("a", "evicted for entries"), ("b", "evicted for bytes")]


def test_bytes_may_fill_the_bound_exactly(store, log):
    store.put("a", 1, size=60)
    store.put("b", 2, size=40)

    assert (store.size, log) == (100, [])

    store.put("c", 3, size=1)

    assert (keys(store), store.size) == (["b", "c"], 41)


def test_dead_go_before_a_living_one_is_evicted(store, clock, log):
    store.put("a", 1)
    clock.advance(5)
    store.put("b", 2)
    store.put("c", 3)
    store.get("a")  # b c a: the next to be evicted would be b
    clock.advance(5)

    store.put("d", 4)

    assert keys(store) == ["b", "c", "d"]
    assert fates(log) == [("a", "expired")]


def test_overwriting_evicts_nobody_else_and_counts_the_old_size_no_more(store, clock, log):
    for key in "abc":
        store.put(key, 1, size=30)
    clock.advance(3)

    store.put("a", 2, size=40)

    assert store.held() == (Held("b", 30, 10), Held("c", 30, 10), Held("a", 40, 13))
    assert log == [Drop("a", Reason.REPLACED, 3, 10)]


def test_too_large_a_value_is_not_kept_and_the_old_one_is_gone(store, log):
    store.put("a", 1, size=10)
    store.put("b", 2, size=10)

    assert store.put("a", 3, size=101) is False

    assert (keys(store), store.size) == (["b"], 10)
    assert fates(log) == [("a", "replaced")]


def test_entry_may_have_a_ttl_of_its_own(store, clock):
    store.put("long", 1, ttl=100)
    store.put("short", 2, ttl=1)

    clock.advance(1)
    assert keys(store) == ["long"]

    clock.move_to(99.5)
    assert keys(store) == ["long"]


def test_map_without_a_ttl_lets_nothing_expire(clock):
    store = BoundedMap(Bounds(max_entries=3), clock=clock)
    store.put("a", 1)

    clock.advance(1e12)

    assert store.get("a") == 1


def test_entry_is_alive_at_the_instant_it_was_put_however_short_its_ttl():
    store = BoundedMap(Bounds(ttl=1e-9), clock=FakeClock(1e9))

    store.put("a", 1)  # at 1e9 s, one nanosecond is less than a float can add

    assert store.get("a") == 1


def test_dead_leave_earliest_deadline_first_and_of_two_the_older_first(store, clock, log):
    store.put("c", 1, ttl=5)
    store.put("b", 2, ttl=4)
    store.put("a", 3, ttl=5)

    clock.advance(7)
    store.get("z")

    assert log == [
        Drop("b", Reason.EXPIRED, 7, 4),
        Drop("c", Reason.EXPIRED, 7, 5),
        Drop("a", Reason.EXPIRED, 7, 5),
    ]


def test_discard_says_whether_the_key_was_there(store, clock, log):
    store.put("a", 1)
    store.put("b", 2, ttl=1)
    clock.advance(1)

    assert [store.discard(key) for key in "abz"] == [True, False, False]
    assert fates(log) == [("b", "expired"), ("a", "cleared")]


def test_clear_drops_what_is_alive_next_to_be_evicted_first(store, clock, log):
    store.put("a", 1)
    store.put("b", 2)
    store.put("c", 3, ttl=1)
    store.get("a")
    clock.advance(1)

    store.clear()

    assert (len(store), store.size) == (0, 0)
    assert fates(log) == [("c", "expired"), ("b", "cleared"), ("a", "cleared")]


@pytest.mark.parametrize("look", [len, lambda store: store.size, lambda store: len(store.held())])
def test_dead_are_never_counted_as_held(store, clock, look):
    store.put("a", 1, size=5)

    clock.advance(10)

    assert look(store) == 0
    assert store.drops[Reason.EXPIRED] == 1


def test_entries_that_left_early_do_not_pile_up_among_the_deadlines(store):
    for number in range(1000):
        store.put("same", number)

    assert len(store._deadlines) <= 2 * len(store) + 16


class NaiveMap:
    """The same rules, with a list and no cleverness: every call looks at every entry."""

    def __init__(self, max_entries, ttl, max_bytes):
        self.max_entries, self.ttl, self.max_bytes = max_entries, ttl, max_bytes
        self.rows, self.log, self.now, self.puts = [], [], 0.0, 0  # a row: key, value, size, deadline, born

    def drop(self, row, reason):
        self.rows.remove(row)
        self.log.append((row[0], reason, self.now, row[3]))

    def bury(self):
        for row in sorted(self.rows, key=lambda row: (row[3], row[4])):
            if row[3] <= self.now:
                self.drop(row, "expired")

    def find(self, key):
        self.bury()
        return next((row for row in self.rows if row[0] == key), None)

    def get(self, key):
        row = self.find(key)
        if row:
            self.rows.remove(row)
            self.rows.append(row)
        return row and row[1]

    def peek(self, key):
        row = self.find(key)
        return row and row[1]

    def discard(self, key):
        row = self.find(key)
        if row:
            self.drop(row, "cleared")
        return row is not None

    def clear(self):
        self.bury()
        for row in list(self.rows):
            self.drop(row, "cleared")

    def put(self, key, value, size, ttl):
        if row := self.find(key):
            self.drop(row, "replaced")
        if size > self.max_bytes:
            return False
        while len(self.rows) >= self.max_entries:
            self.drop(self.rows[0], "evicted for entries")
        while sum(row[2] for row in self.rows) + size > self.max_bytes:
            self.drop(self.rows[0], "evicted for bytes")
        self.puts += 1
        self.rows.append((key, value, size, self.now + (ttl or self.ttl), self.puts))
        return True


KEYS = st.sampled_from("abcdef")
STEPS = st.one_of(
    st.tuples(st.just("get"), KEYS),
    st.tuples(st.just("peek"), KEYS),
    st.tuples(st.just("put"), KEYS, st.integers(1, 9), st.integers(0, 24), st.sampled_from([None, 1, 3, 7])),
    st.tuples(st.just("discard"), KEYS),
    st.tuples(st.just("clear")),
    st.tuples(st.just("advance"), st.integers(0, 4)),
)


# At least 30 steps: by itself, Hypothesis would draw seven on average, in which hardly an entry makes room.
@given(st.integers(1, 4), st.integers(1, 6), st.integers(1, 20), st.lists(STEPS, min_size=30, max_size=60))
@settings(max_examples=100, deadline=None)
def test_map_agrees_with_a_naive_one_after_every_step(max_entries, ttl, max_bytes, steps):
    expect_agreement(max_entries, ttl, max_bytes, steps)


def test_map_agrees_with_a_naive_one_after_each_of_10000_random_steps():
    draw = random.Random(9)
    names = draw.choices(["get", "put", "peek", "advance", "discard", "clear"], [40, 35, 5, 15, 4, 1], k=10_000)

    seen = expect_agreement(4, 9, 30, [random_step(draw, name) for name in names])

    assert min(seen[each] for each in [*Reason, "promoted"]) > 100  # all that can happen did, and often


def random_step(draw, name):
    if name == "put":
        return (
            name,
            draw.choice("abcdef"),
            draw.randint(1, 9),
            draw.choice([0, 1, 5, 12, 25]),
            draw.choice([None, 2, 7]),
        )
    if name == "advance":
        return (name, draw.randint(0, 2))
    return (name,) if name == "clear" else (name, draw.choice("abcdef"))


def expect_agreement(max_entries, ttl, max_bytes, steps):
    """The map and the naive one are asked the same, and compared after each step; counts what happened, by its name."""
    clock, log, seen = FakeClock(), [], Counter[str]()
    store = BoundedMap(Bounds(max_entries=max_entries, ttl=ttl, max_bytes=max_bytes), clock=clock, on_drop=log.append)
    naive = NaiveMap(max_entries, ttl, max_bytes)

    for name, *values in steps:
        before = keys(store)
        if name == "advance":
            clock.advance(values[0])
            naive.now = clock()
        elif name == "put":
            key, value, size, own_ttl = values
            assert store.put(key, value, size=size, ttl=own_ttl) == naive.put(key, value, size, own_ttl)
        else:
            assert getattr(store, name)(*values) == getattr(naive, name)(*values)
        naive.bury()

        assert store.held() == tuple((row[0], row[2], row[3]) for row in naive.rows)
        assert [tuple(drop) for drop in log] == naive.log
        assert store.size == sum(row[2] for row in naive.rows)
        seen.update(drop.reason for drop in log)
        assert store.drops == {reason: seen[reason] for reason in Reason}
        seen["promoted"] += name == "get" and keys(store) != before and not log
        log.clear()
        naive.log.clear()
    return seen


@pytest.mark.usefixtures("eager_switching")
def test_four_threads_leave_exact_counts(log):
    store = BoundedMap(Bounds(max_entries=20, max_bytes=500), on_drop=log.append)
    start = threading.Barrier(4)

    def hammer(offset):
        start.wait()
        for number in range(2000):
            store.put(f"k{(number * 7 + offset) % 50}", number, size=number % 40)
            store.get(f"k{number % 50}")

    threads = [threading.Thread(target=hammer, args=(offset,)) for offset in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert store.size == sum(held.size for held in store.held()) <= 500
    assert len(store) + len(log) == 8000  # every entry put is there or has left for a reason


@pytest.mark.parametrize("count", [0, -1, True, 2.0, "3", None, math.nan, 11])
def test_count_out_of_range_or_no_whole_number_is_refused_in_the_callers_words(count):
    with pytest.raises(ConfigError, match="invalid_handle_limits: max_handles: wanted a whole number from 1 to 10"):
        checked_count(count, name="max_handles", code="invalid_handle_limits", high=10)


@pytest.mark.parametrize("seconds", [0, -1, 0.0, True, "1", None, math.nan, math.inf, 10**400, 3600.001])
def test_seconds_out_of_range_or_no_number_are_refused(seconds):
    with pytest.raises(ConfigError, match="invalid_ttl: ttl: wanted a number of seconds"):
        checked_seconds(seconds, name="ttl", high=3600)


@pytest.mark.parametrize(("low", "high"), [(1, 1024), (1, math.inf)])
def test_count_may_stand_on_either_end_of_its_range(low, high):
    assert [checked_count(count, name="n", low=low, high=high) for count in (1, 1024)] == [1, 1024]


@pytest.mark.parametrize("seconds", [5e-324, 1, 3600])
def test_seconds_may_stand_on_either_end_of_their_range(seconds):
    assert checked_seconds(seconds, name="ttl", high=3600) == seconds


@pytest.mark.parametrize(
    "wrong", [{"max_entries": 0}, {"max_bytes": True}, {"ttl": 10**400}, {"ttl": math.inf}, {"max_entries": 1.5}]
)
def test_bounds_are_checked_when_they_are_made(wrong):
    with pytest.raises(ConfigError, match=r"invalid_(ttl|capacity)"):
        Bounds(**wrong)
