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


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["get", "peek", "revoke", "grant"]), st.sampled_from("abc")),
        st.tuples(st.just("put"), st.sampled_from("abc"), st.integers(0, 6)),
        st.tuples(st.just("clear")),
        st.tuples(st.just("advance"), st.sampled_from([0.25, 1, 2.5])),
        st.tuples(st.just("look_at"), st.integers(0, 9)),
    ),
    max_size=40,
)


def do(play, name, *values):
    if name == "put":
        play.put(values[0], size=values[1])
    else:
        getattr(play, name)(*values)


def mirror(store, clock, revoked, name, *values):
    """The same step on a plain map: what is revoked never gets there."""
    if name == "advance":
        clock.advance(*values)
    elif name == "clear":
        store.clear()
    elif name in ("revoke", "grant"):
        (revoked.add if name == "revoke" else revoked.discard)(values[0])
    elif name == "put" and values[0] not in revoked:
        store.put(values[0], 1, size=values[1])
    elif name in ("get", "peek") and values[0] not in revoked:
        getattr(store, name)(values[0])


@given(st.integers(1, 3), st.integers(1, 4), st.integers(5, 12), STEPS)
@settings(max_examples=200, deadline=None)
def test_any_instant_told_is_what_the_live_map_held_then(max_entries, ttl, max_bytes, steps):
    play = Timeline(ttl=ttl, max_entries=max_entries, max_bytes=max_bytes)
    clock, revoked = FakeClock(), set()
    store = BoundedMap(Bounds(ttl=ttl, max_entries=max_entries, max_bytes=max_bytes), clock=clock)
    truth = []

    for name, *values in steps:
        if name == "look_at":
            play.look_at(min(values[0], play.latest))  # back, and back again to act
            play.look_at(play.latest)
            continue
        reached = clock() + values[0] if name == "advance" else clock()
        for due in sorted(entry.deadline for entry in store.held() if clock() < entry.deadline <= reached):
            for instant_there in (math.nextafter(due, 0), due):  # the live map, asked on both sides of each deadline
                clock.move_to(max(clock(), instant_there))
                truth.append((clock(), store.held()))
        if name == "advance":
            values = [reached - clock()]
            play.look_at(reached)
        else:
            do(play, name, *values)
        mirror(store, clock, revoked, name, *values)
        truth.append((clock(), store.held()))

    latest_at = {now: kept for now, kept in truth}  # of one instant, what it was in the end
    for now, kept in latest_at.items():
        assert held(play.events, now) == kept


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
