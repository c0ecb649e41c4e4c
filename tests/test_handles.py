"""A handle is a pointer with a server's copy behind it: bounded for each principal, and dead at its deadline."""

import json
import math
import re
import threading

import pytest

from labkit.access.handles import Handles, random_id, same, seeded_ids
from labkit.bounded_map import Reason
from labkit.clock import FakeClock
from labkit.errors import ConfigError, Refusal


@pytest.fixture
def handles(clock):
    """Ten a principal, a minute each."""
    return Handles(max_handles=10, handle_ttl=60, clock=clock, new_id=seeded_ids(1))


def row(rank=1):
    return {"principal": "reader", "rank": rank, "native_score": -1.5e-06}


def issue(handles, principal, count):
    return [handle["issued_id"] for handle in handles.issue(principal, map(row, range(1, count + 1)))]


def alive(handles, ids):
    return [handles.issued(issued_id) is not None for issued_id in ids]


def test_handle_is_its_row_with_an_id_and_the_copy_says_the_same(handles):
    (handle,) = handles.issue("reader", [row()])

    assert handle == {**row(), "issued_id": handle["issued_id"]}
    assert handles.issued(handle["issued_id"]) == handle


def test_copy_is_the_servers_own(handles):
    (handle,) = handles.issue("reader", [row()])
    issued_id = handle["issued_id"]

    handle["rank"] = 9
    handles.issued(issued_id)["rank"] = 8

    assert handles.issued(issued_id)["rank"] == 1


def test_handle_is_alive_before_its_deadline_and_dead_at_it(handles, clock):
    ids = issue(handles, "reader", 1)

    clock.advance(math.nextafter(60, 0))
    assert alive(handles, ids) == [True]

    clock.move_to(60)
    assert alive(handles, ids) == [False]


def test_looking_at_a_handle_does_not_keep_it_alive_or_from_being_pushed_out(handles, clock):
    first = issue(handles, "reader", 1)
    issue(handles, "reader", 9)
    clock.advance(30)
    assert alive(handles, first) == [True]

    issue(handles, "reader", 1)

    assert alive(handles, first) == [False]


def test_handles_of_one_search_share_a_deadline_though_the_clock_moves_with_every_reading():
    readings = []

    def restless():
        readings.append(float(len(readings)))
        return readings[-1]

    drops = []
    handles = Handles(max_handles=10, handle_ttl=5, clock=restless, new_id=seeded_ids(1), on_drop=drops.append)

    issue(handles, "reader", 10)

    assert readings == [0.0]
    while len(handles):
        pass
    assert {drop.deadline for drop in drops} == {5.0}


def test_oldest_of_the_same_principal_make_room(handles):
    old = issue(handles, "reader", 4)
    new = issue(handles, "reader", 8)

    assert alive(handles, old) == [False, False, True, True]
    assert alive(handles, new) == [True] * 8


def test_nobody_can_push_out_anothers_handle(handles):
    mine = issue(handles, "reader", 10)

    for _ in range(20):
        issue(handles, "editor", 10)

    assert alive(handles, mine) == [True] * 10


def test_handles_apart_have_the_same_limits_and_make_no_room_for_each_other(handles, clock):
    mine, apart = issue(handles, "reader", 10), handles.apart()

    theirs = issue(apart, "reader", 11)

    assert alive(handles, mine) == [True] * 10
    assert alive(apart, theirs) == [False] + [True] * 10
    assert not set(mine) & set(theirs)
    clock.advance(60)
    assert alive(apart, theirs) == [False] * 11


def test_foreign_id_is_told_from_an_unknown_one(handles):
    (theirs,) = issue(handles, "editor", 1)

    assert handles.issued(theirs) is not None
    assert handles.issued("0" * 32) is None


@pytest.mark.parametrize("issued_id", [None, 3, True, [], {}, ["a"], b"a", ""])
def test_what_is_no_id_is_unknown(handles, issued_id):
    assert handles.issued(issued_id) is None


def test_each_handle_that_leaves_is_told_with_its_reason(clock):
    drops = []
    handles = Handles(max_handles=10, handle_ttl=60, clock=clock, new_id=seeded_ids(1), on_drop=drops.append)
    ids = issue(handles, "reader", 10) + issue(handles, "reader", 1)
    clock.advance(59)
    last = issue(handles, "editor", 1)
    clock.advance(1)

    handles.clear()

    assert [drop.key for drop in drops] == [*ids, *last]
    assert [drop.reason for drop in drops] == [Reason.ENTRIES, *[Reason.EXPIRED] * 10, Reason.CLEARED]


def test_nothing_is_kept_of_principals_whose_handles_are_dead(handles, clock):
    for number in range(100):
        issue(handles, f"p{number}", 2)
    clock.advance(60)

    assert len(handles) == 0
    assert (handles._owners, handles._ids) == ({}, {})


def test_id_is_128_random_bits_as_hex():
    ids = {random_id() for _ in range(100)}

    assert len(ids) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids)


def test_seeded_ids_are_the_same_for_the_same_seed_and_look_like_random_ones():
    sources = [seeded_ids(7), seeded_ids(7), seeded_ids(8)]

    ids = [[source() for _ in range(3)] for source in sources]

    assert ids[0] == ids[1] != ids[2]
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids[0])


def test_honest_json_round_trip_is_the_same_handle(handles):
    (handle,) = handles.issue("reader", [row()])

    reordered = json.loads(json.dumps({name: handle[name] for name in sorted(handle, reverse=True)}))
    respelled = json.loads(json.dumps(handle).replace("-1.5e-06", "-0.0000015"))

    assert same(reordered, handle)
    assert same(respelled, handle)


def nested(levels):
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


DIFFERENT = {
    "another rank": {"rank": 2},
    "the rank as a float": {"rank": 1.0},
    "the rank as true": {"rank": True},
    "the rank as text": {"rank": "1"},
    "no rank": {"rank": None},
    "a score next to it": {"native_score": -1.5000000000000002e-06},
    "NaN": {"native_score": math.nan},
    "infinity": {"native_score": -math.inf},
    "one field more": {"extra": 1},
    "an endless integer": {"rank": 10**5000},
    "a lone surrogate": {"rank": "\ud800"},
    "a lone surrogate as key": {"\ud800": 1},
    "a number as key": {3: 4},
    "100,000 nested lists": {"rank": nested(100_000)},
    "a set": {"rank": {1, 2}},
}


@pytest.mark.parametrize("change", DIFFERENT.values(), ids=DIFFERENT)
def test_any_difference_makes_it_another_and_none_is_a_crash(handles, change):
    (handle,) = handles.issue("reader", [row()])

    assert same({**handle, **change}, handle) is False


def test_missing_field_makes_it_another(handles):
    (handle,) = handles.issue("reader", [row()])

    for name in handle:
        assert same({key: value for key, value in handle.items() if key != name}, handle) is False


@pytest.mark.parametrize("max_handles", [9, 1025, 0, -1, True, 64.0, "64", None, math.nan])
def test_number_of_handles_is_a_whole_number_from_10_to_1024(max_handles):
    with pytest.raises(ConfigError, match=r"^invalid_handle_limits: max_handles"):
        Handles(max_handles=max_handles)


@pytest.mark.parametrize("handle_ttl", [0, -1, 3600.1, True, math.nan, math.inf, "60", None, 10**400])
def test_lifetime_is_more_than_0_and_at_most_3600_seconds(handle_ttl):
    with pytest.raises(ConfigError, match=r"^invalid_handle_limits: handle_ttl"):
        Handles(handle_ttl=handle_ttl)


@pytest.mark.parametrize("limits", [{"max_handles": 10, "handle_ttl": 1e-9}, {"max_handles": 1024, "handle_ttl": 3600}])
def test_limits_may_stand_on_either_end(limits):
    Handles(**limits)


def test_handle_is_not_dead_on_arrival_however_short_its_life():
    handles = Handles(handle_ttl=1e-9, clock=FakeClock(1e9))

    assert alive(handles, issue(handles, "reader", 10)) == [True] * 10


@pytest.mark.usefixtures("eager_switching")
def test_four_threads_leave_each_principal_its_bound():
    handles = Handles(max_handles=10)
    start = threading.Barrier(4)

    def hammer(principal):
        start.wait()
        for _ in range(200):
            issue(handles, principal, 3)

    threads = [threading.Thread(target=hammer, args=(f"p{number % 2}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(handles) == 20
    assert sorted(map(len, handles._ids.values())) == [10, 10]


def refusal_of(gate, principal, handle):
    with pytest.raises(Refusal) as refused:
        gate.read(principal, handle)
    return refused.value.code


def test_foreign_handle_refused(gate):
    asked = {"query": "json", "collection": "serialization"}
    not_granted = gate.search("editor", {"query": "file", "collection": "files"})["results"][0]
    both_granted = gate.search("editor", asked)["results"][0]

    assert refusal_of(gate, "reader", not_granted) == "collection_denied"
    assert refusal_of(gate, "reader", both_granted) == "handle_binding_mismatch"  # the grant is shared, the handle not
    assert gate.read("editor", both_granted)["text"] == gate.read("reader", own_handle(gate, asked))["text"]


def own_handle(gate, asked):
    return gate.search("reader", asked)["results"][0]


def test_policy_revision_and_revoked_grant_refused(gate, policy):
    handle = own_handle(gate, {"query": "json", "collection": "serialization"})

    gate.replace(policy=policy.with_grant("reader", "files"))  # another policy, the grant still there
    assert refusal_of(gate, "reader", handle) == "handle_binding_mismatch"

    gate.replace(policy=policy.without("reader", "serialization"))  # the grant gone
    assert refusal_of(gate, "reader", handle) == "collection_denied"

    gate.replace(policy=policy)  # the very policy it was issued under
    assert gate.read("reader", handle)["source_id"] == "json-text"
