"""What is told of an instant is what the map held then, and nothing that happened later plays a part."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.bounded_map import BoundedMap, Bounds, Reason
from labkit.clock import FakeClock
from labkit.widgets.lives import Act, Event, Span, held, instant, last_words, lives
from labkit.widgets.timeline import Timeline


def put(key, at, deadline):
    return Event(at=at, act=Act.PUT, key=key, deadline=deadline)


def event(key, at, act, reason=None):
    return Event(at=at, act=act, key=key, reason=reason)


@pytest.mark.parametrize(
    ("now", "fate", "why"),
    [
        (0, "alive", "10 <= 0: False"),
        (math.nextafter(10, 0), "alive", "10 <= just before 10: False"),
        (10, "expired at 10", "10 <= 10: True"),
        (math.nextafter(10, 11), "expired at 10", "10 <= just after 10: True"),
        (99, "expired at 10", "10 <= 99: True"),
    ],
)
def test_entry_is_alive_up_to_its_deadline_and_dead_at_it(now, fate, why):
    (life,) = lives([put("a", 0, 10)], now)

    assert (life.fate, life.why(), life.is_alive) == (fate, why, fate == "alive")


def test_key_put_again_begins_a_new_life():
    told = lives([put("a", 0, 10), put("a", 12, 22)], 13)

    assert [(life.name, life.fate) for life in told] == [("a", "expired at 10"), ("a (2)", "alive")]


def test_entry_that_left_early_tells_why_and_when_and_the_rule_is_not_asked():
    (life,) = lives([put("a", 0, 10), event("a", 4, Act.LEFT, Reason.ENTRIES)], 30)

    assert (life.fate, life.why()) == ("evicted for entries at 4", "its deadline was 10")


def test_where_no_rule_is_told_the_deadline_is_all_that_is_said():
    (life,) = lives([put("a", 0, 10)], 10)

    assert life.why(rule="") == "its deadline is 10"


def test_looks_are_told_on_the_life_they_were_about():
    acts = [Act.HIT, Act.SEEN, Act.REFUSED, Act.HIT]
    events = [put("a", 0, 10), *(event("a", at, act) for at, act in enumerate(acts, 1)), event("a", 11, Act.MISS)]
    events += [event("b", 11, Act.MISS), put("a", 12, 22), event("a", 13, Act.HIT)]

    first, second = lives(events, 13)

    assert (first.promoted, first.peeked, first.refused, first.missed) == ((1, 4), (2,), (3,), (11,))
    assert (second.promoted, second.missed) == ((13,), ())


def test_told_in_the_order_of_use_and_a_peek_is_no_use():
    events = [put("a", 0, 10), put("b", 1, 11), event("a", 2, Act.SEEN), event("b", 3, Act.MISS)]

    assert [entry.key for entry in held(events, 3)] == ["a", "b"]
    assert [entry.key for entry in held([*events, event("a", 4, Act.HIT)], 4)] == ["b", "a"]


def test_revoked_grant_leaves_the_entry_stored_and_is_told_for_as_long_as_it_lasts():
    events = [event("a", 1, Act.REVOKED), put("b", 2, 12), event("a", 3, Act.GRANTED), put("a", 3, 13)]
    events += [event("a", 5, Act.REVOKED), event("a", 7, Act.GRANTED), event("a", 9, Act.REVOKED)]

    assert [life.revoked for life in lives(events, 11)] == [(), (Span(5, 7), Span(9, 11))]
    assert [life.fate for life in lives(events, 11)] == ["alive", "alive, grant revoked"]
    assert lives(events, 20)[1].revoked == (Span(5, 7), Span(9, 13))  # up to its death
    assert lives(events, 8)[1].fate == "alive"


def test_what_happened_later_plays_no_part():
    events = [put("a", 0, 10), event("a", 3, Act.HIT), event("a", 4, Act.LEFT, Reason.CLEARED), put("b", 5, 15)]

    for now in (0, 2.5, 3, 4, 4.5, 5):
        past = [one for one in events if one.at <= now]

        assert lives(events, now) == lives(past, now)
        assert last_words(events, now) == last_words(past, now)


LOOKS = [(act, key) for act in ("get", "peek") for key in "abc"]
PUTS = [("put", key, size) for key in "abc" for size in (1, 1, 6)]
WAITS = [("advance", seconds) for seconds in (0.25, 1, 1, 2.5)]
STEPS = [*LOOKS, *PUTS, *WAITS, ("revoke", "a"), ("grant", "a"), ("look_at", 0), ("clear",)]


class LiveMap:
    """A plain map that is asked what it holds after every step, and on both sides of each deadline on the way."""

    def __init__(self, **bounds):
        self.clock, self.revoked = FakeClock(), set()
        self.map = BoundedMap(Bounds(**bounds), clock=self.clock)
        self.held = {0.0: self.map.held()}  # of one instant, what it was in the end

    def note(self):
        self.held[self.clock()] = self.map.held()

    def advance(self, seconds):
        reached = self.clock() + seconds
        for due in sorted(entry.deadline for entry in self.map.held() if entry.deadline <= reached):
            for side in (math.nextafter(due, 0), due):
                self.clock.move_to(max(self.clock(), side))
                self.note()
        self.clock.move_to(reached)

    def do(self, name, *values):
        if name == "advance":
            self.advance(*values)
        elif name == "clear":
            self.map.clear()
        elif name in ("revoke", "grant"):
            (self.revoked.add if name == "revoke" else self.revoked.discard)(values[0])
        elif name == "put" and values[0] not in self.revoked:
            self.map.put(values[0], 1, size=values[1])
        elif name in ("get", "peek") and values[0] not in self.revoked:
            getattr(self.map, name)(values[0])
        self.note()


def do(play, name, *values):
    """The same step on the timeline, which must look to and fro for a look back."""
    if name == "put":
        play.put(values[0], size=values[1])
    else:
        getattr(play, name)(*values)
        play.look_at(play.latest)


@given(st.integers(1, 3), st.integers(2, 6), st.integers(6, 9), st.lists(st.sampled_from(STEPS), min_size=20))
@settings(max_examples=150, deadline=None)
def test_any_instant_told_is_what_the_live_map_held_then(max_entries, ttl, max_bytes, steps):
    live = LiveMap(ttl=ttl, max_entries=max_entries, max_bytes=max_bytes)
    play = Timeline(ttl=ttl, max_entries=max_entries, max_bytes=max_bytes)

    for step in steps:
        live.do(*step)
        do(play, *step)

    assert {now: held(play.events, now) for now in live.held} == live.held


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0"),
        (10.0, "10"),
        (2.25, "2.25"),
        (1e6, "1000000"),
        (math.nextafter(10, 0), "just before 10"),
        (math.nextafter(10, 11), "just after 10"),
        (0.1 + 0.2, "just after 0.3"),
        (1 / 3, "0.3333333333"),
    ],
)
def test_instant_is_said_as_people_would(seconds, words):
    assert instant(seconds) == words


def test_last_words_say_what_was_done_and_what_came_of_it():
    events = [put("a", 0, 10), event("a", 3, Act.REVOKED), event("a", 4, Act.REFUSED)]

    assert last_words(events, 2) == "put a: kept until 10 (at 0)"
    assert last_words(events, 9) == "a: refused, the cache was not asked (at 4)"
    assert last_words([], 9) == ""
