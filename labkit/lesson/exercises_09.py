"""Predictions and exercises of 09_bounded_map."""

import random
from typing import Any

from labkit.bounded_map import BoundedMap, Bounds
from labkit.clock import FakeClock
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, is_each_once
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "09.A": Prediction(
        "dead at the deadline",
        {
            "alive": "ten whole seconds have to be over; at ten they are, and one side has to own the instant",
            "dead": "the deadline itself is too late",
            "either": "two readings of a clock never agree; the map reads its clock once for each call",
        },
    ),
    "09.B": Prediction(
        "a hit never extends",
        {
            "gone": "ten seconds are ten seconds; here every read begins them anew",
            "still served": "each read gives it ten more",
            "evicted": "what is old makes room; nothing needs room here",
        },
    ),
    "09.C": Prediction(
        "the longest unused goes",
        {
            "a": "the oldest goes; it was read since, and that counts as use",
            "b": "nobody has asked for it since it was put",
            "c": "the map is full and takes no more; then a cache would keep what it met first",
        },
    ),
    "09.D": Prediction(
        "the dead go first",
        {
            "a, expired": "its time is over, so nobody has to make room",
            "b, evicted for entries": "the longest unused goes; but first the dead go, and then there is room",
            "a, evicted for entries": "the oldest goes; it goes, and for another reason",
        },
    ),
    "09.E": Prediction(
        "a value too large leaves nothing",
        {
            "nothing": "the new value does not fit, and the old one is overtaken",
            "the old value": "a put that fails changes nothing; then a value known to be old would still be served",
            "the new value": "the newest always fits, and others make room; here it never could",
        },
    ),
}

STRICT = "an entry is alive at its deadline; it is dead there"
ROUGH = "a little more is safe; the smallest number was asked for"
USED = "what is read is as old as before; `get` moves it to the end of the line"
REPLACED = "a put of the same key leaves the line as it is; the old entry leaves, and the new one stands at the end"
EXTENDS = "what is used should stay; a hit promotes and never extends"
MISSING = "a key is always there; a miss is an answer, too"
REMAINS = "a dead entry does no harm where it lies; it takes room, and somebody may find it"
TAKEN_OUT = "a hit takes the value out; it stays, for whoever asks next"
BY_SIZE = "the size says who goes; the line is kept by use"
NEWEST = "the newest goes first; it is the one most likely to be asked for"
NO_NEED = "room is made in advance; nobody goes without need"
NEVER_FITS = "everybody makes room for a value that could never fit"
ONE_IS_ENOUGH = "one entry that leaves is enough; a small one may free too little"


def grade_ttl(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == 7 and not isinstance(answer, bool):
        raise Unanswered
    if not isinstance(answer, int) or isinstance(answer, bool) or answer < 1:
        return Failure("`mine`", "a whole number of seconds", "a TTL is a number of seconds, more than nought")
    clock = FakeClock(3)
    held: BoundedMap[str] = BoundedMap(Bounds(ttl=float(answer)), clock=clock)
    held.put("a", "value")
    clock.move_to(10)
    if held.get("a") is None:
        return Failure("the entry at second 10", "it is served", STRICT)
    return Failure("the smallest TTL", "one second less is enough", ROUGH) if answer > 8 else None


def grade_leaving(answer: Any, _rng: random.Random) -> Failure | None:
    drops = ["a replaced", "b evicted", "c evicted"]
    if answer == drops:
        raise Unanswered
    if not is_each_once(answer, drops):
        return Failure("the list", "each of the three drops once", "a drop may be left out or come twice")
    if answer.index("b evicted") != 0:
        return Failure("the first drop", "the one longest unused when `c` came", USED)
    return None if answer[1] == "a replaced" else Failure("the second drop", "what the second `a` does", REPLACED)


def grade_read(answer: Any, rng: random.Random) -> Failure | None:
    deadline = rng.randint(20, 90)
    ttl = rng.randint(5, 15)
    cases: list[tuple[str, str, float, Any, str]] = [
        ("at its deadline", "a", deadline, None, STRICT),
        ("just before its deadline", "a", deadline - 0.001, "value", STRICT),
        ("after its deadline", "a", deadline + 1, None, STRICT),
        ("a key that is not there", "b", deadline - 1, None, MISSING),
    ]
    for case, key, now, wanted, thought in cases:
        entries = {"a": ("value", deadline)}
        got = call(answer, entries, key, now, ttl, case=case)
        if got != wanted:
            return Failure(case, f"{wanted!r}", thought)
        if wanted is None and key == "a" and "a" in entries:
            return Failure(f"{case}, and then in the map", "it is removed", REMAINS)
        if wanted is not None and "a" not in entries:
            return Failure(f"{case}, and then in the map", "it is still there", TAKEN_OUT)
        if entries.get("a", ("value", deadline)) != ("value", deadline):
            return Failure(f"{case}, and then its deadline", "as it was", EXTENDS)
    return None


def grade_make_room(answer: Any, rng: random.Random) -> Failure | None:
    c, a, b = sorted(rng.sample(range(20, 31), k=3))  # the first in line is neither the smallest nor the largest
    held = [("a", a), ("b", b), ("c", c)]
    full = a + b + c
    cases: list[tuple[str, int, int, list[str] | None, str]] = [
        ("it fits beside them", full + 5, 5, [], NO_NEED),
        ("it fits exactly", full + 5, 6, ["a"], NEWEST),
        ("one has to go", full, 10, ["a"], NEWEST),
        ("two have to go", full, a + 10, ["a", "b"], ONE_IS_ENOUGH),
        ("all have to go", full, full, ["a", "b", "c"], ONE_IS_ENOUGH),
        ("it could never fit", full, full + 1, None, NEVER_FITS),
    ]
    for case, max_bytes, size, wanted, thought in cases:
        got = call(answer, list(held), max_bytes, size, case=case)
        if got != wanted:
            first = got[0] if isinstance(got, list) and got else None
            return Failure(case, f"{wanted}", BY_SIZE if first == "b" else NEWEST if first == "c" else thought)
    return None


def _read(
    entries: dict[str, Any], key: str, now: float, ttl: float, *, strict: bool, extends: bool, removes: bool
) -> Any:
    value, deadline = entries.get(key, (None, now))
    if deadline < now or (strict and deadline <= now):
        if removes:
            entries.pop(key, None)
        return None
    if extends:
        entries[key] = (value, now + ttl)
    return value


def _taken(entries: dict[str, Any], key: str, now: float, _ttl: float) -> Any:
    value, deadline = entries.pop(key, (None, now))
    return value if now < deadline else None


def _bytes(entry: tuple[str, int]) -> int:
    return entry[1]


def _room(held: list[tuple[str, int]], max_bytes: int, size: int) -> list[str]:
    used = sum(taken for _, taken in held)
    gone: list[str] = []
    for key, taken in held:
        if used + size <= max_bytes:
            break
        used, gone = used - taken, [*gone, key]
    return gone


EXERCISES = {
    "09.1": Exercise(
        "dead at the deadline",
        grade_ttl,
        (
            "The deadline is three plus the TTL.",
            "At second ten the deadline must not be reached.",
            "The deadline has to be eleven.",
        ),
        (Wrong(6, STRICT), Wrong(10, ROUGH), Wrong(9, ROUGH)),
    ),
    "09.2": Exercise(
        "the longest unused goes",
        grade_leaving,
        (
            "Write down the line after each step, the one longest unused first.",
            "After `get a` the line is b, a.",
            "`c` pushes out b; the second `a` replaces the first; `d` pushes out what stands in front then.",
        ),
        (
            Wrong(["a replaced", "c evicted", "b evicted"], USED),
            Wrong(["c evicted", "b evicted", "a replaced"], USED),
            Wrong(["b evicted", "c evicted", "a replaced"], REPLACED),
        ),
    ),
    "09.3": Exercise(
        "a hit never extends",
        grade_read,
        (
            "Try it at the very instant of the deadline; and look at the deadline after a hit.",
            "`<` should be `<=`, and one line should not be there.",
            "Then a key that is not there comes to `del`; `entries.pop(key, None)` removes and never raises.",
        ),
        (
            Wrong(lambda *given: _read(*given, strict=False, extends=False, removes=True), STRICT),
            Wrong(lambda *given: _read(*given, strict=True, extends=True, removes=True), EXTENDS),
            Wrong(lambda *given: _read(*given, strict=True, extends=False, removes=False), REMAINS),
            Wrong(_taken, TAKEN_OUT),
        ),
    ),
    "09.4": Exercise(
        "the longest unused goes",
        grade_make_room,
        (
            "Begin with the case in which it could never fit.",
            "Walk through `held` from the front, and stop as soon as there is room.",
            "Keep two things: the bytes still used, and the list of those that have gone.",
        ),
        (
            Wrong(lambda held, most, size: _room(held[::-1], most, size) if size <= most else None, NEWEST),
            Wrong(
                lambda held, most, size: _room(sorted(held, key=_bytes)[::-1], most, size) if size <= most else None,
                BY_SIZE,
            ),
            Wrong(_room, NEVER_FITS),
            Wrong(lambda held, most, size: _room(held, most, size)[:1] if size <= most else None, ONE_IS_ENOUGH),
            Wrong(lambda held, _most, _size: [held[0][0]], NO_NEED),
        ),
    ),
}
