"""Predictions and exercises of 09_bounded_map."""

import random
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, in_order
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
OTHERS = "what goes for one entry goes for all; the others stay as they are"
LEFT_BEHIND = "a miss may leave something behind; then the map grows by being asked"
BY_SIZE = "the size says who goes; the line is kept by use"
NEWEST = "the newest goes first; it is the one most likely to be asked for"
NO_NEED = "room is made in advance; nobody goes without need"
NEVER_FITS = "everybody makes room for a value that could never fit"
ALONE = "what fills the map alone is too large; it fits, when all others go"
ONE_IS_ENOUGH = "one entry that leaves is enough; a small one may free too little"
BYTE_OVER = "a byte over the bound does no harm; then two do none, and it is no bound"
A_LIST = "any order will do; what goes first comes first in a list"


def grade_ttl(answer: Any, _rng: random.Random) -> Failure | None:
    if not isinstance(answer, int) or isinstance(answer, bool) or answer < 1:
        return Failure("`mine`", "a whole number of seconds", "a TTL is a number of seconds, more than nought")
    if answer == 7:
        raise Unanswered
    if 3 + answer <= 10:
        return Failure("the entry at second 10", "it is served", STRICT)
    return Failure("the smallest TTL", "one second less is enough", ROUGH) if 3 + answer > 11 else None


grade_leaving = in_order(
    ["a replaced", "b evicted", "c evicted"],
    [("b evicted", "a replaced", USED), ("b evicted", "c evicted", USED), ("a replaced", "c evicted", REPLACED)],
)


def grade_read(answer: Any, rng: random.Random) -> Failure | None:
    deadline, ttl, value = rng.randint(20, 90), rng.randint(5, 15), f"value {rng.randint(100, 999)}"
    before = {"a": (value, deadline), "c": ("another value", deadline + ttl)}
    cases: list[tuple[str, str, float, str | None, str]] = [
        ("at its deadline", "a", deadline, None, STRICT),
        ("just before its deadline", "a", deadline - 0.001, value, STRICT),
        ("after its deadline", "a", deadline + 1, None, STRICT),
        ("a key that is not there", "b", deadline - 1, None, MISSING),
    ]
    for case, key, now, wanted, thought in cases:
        entries = dict(before)
        got = call(answer, entries, key, now, ttl, case=case)
        if type(got) is not type(wanted) or got != wanted:
            return Failure(case, f"{wanted!r}", thought)
        if failure := _left_wrong(case, entries, before, is_dead=now >= deadline):
            return failure
    return None


def _left_wrong(case: str, after: dict[str, Any], before: dict[str, Any], *, is_dead: bool) -> Failure | None:
    """What `read` should not have done to the entries, of which `a` may be dead."""
    if is_dead and "a" in after:
        return Failure(f"{case}, and then in the map", "it is removed", REMAINS)
    if not is_dead and "a" not in after:
        return Failure(f"{case}, and then in the map", "it is still there", TAKEN_OUT)
    if not is_dead and after["a"] != before["a"]:
        return Failure(f"{case}, and then its deadline", "as it was", EXTENDS)
    if after.get("c") != before["c"]:
        return Failure(f"{case}, and then another entry", "as it was", OTHERS)
    return Failure(f"{case}, and then in the map", "nothing new", LEFT_BEHIND) if after.keys() - before else None


def grade_make_room(answer: Any, rng: random.Random) -> Failure | None:
    c, a, d, b = sorted(rng.sample(range(20, 40), k=4))  # first and last in line are of middle size
    held = [("a", a), ("b", b), ("c", c), ("d", d)]
    full = a + b + c + d
    cases: list[tuple[str, list[tuple[str, int]], int, int, list[str] | None, str]] = [
        ("it fits exactly", held, full + 5, 5, [], NO_NEED),
        ("one byte too many", held, full + 5, 6, ["a"], BYTE_OVER),
        ("one has to go", held, full, 10, ["a"], NO_NEED),
        ("two have to go", held, full, a + 10, ["a", "b"], ONE_IS_ENOUGH),
        ("all have to go", held, full, full, ["a", "b", "c", "d"], ONE_IS_ENOUGH),
        ("it could never fit", held, full, full + 1, None, NEVER_FITS),
        ("an empty map", [], full, full, [], NO_NEED),
    ]
    for case, holds, max_bytes, size, wanted, thought in cases:
        got = call(answer, list(holds), max_bytes, size, case=case)
        if type(got) is not type(wanted) or got != wanted:
            return Failure(case, f"{wanted}", _thought_of(got, wanted) or thought)
    return None


def _thought_of(got: Any, wanted: list[str] | None) -> str | None:
    """What leads to this list, when the list itself tells."""
    if got is None or wanted is None:
        return ALONE if got is None else None
    if not isinstance(got, list) or (len(got) == len(wanted) and all(key in got for key in wanted)):
        return A_LIST
    if got[:1] in (["b"], ["c"]):
        return BY_SIZE
    return NEWEST if got[:1] == ["d"] else NO_NEED if got[: len(wanted)] == wanted else None


def _read(mistake: str) -> Callable[..., Any]:
    def read(entries: dict[str, Any], key: str, now: float, ttl: float) -> Any:
        if mistake == "keeps what is not there":
            entries.setdefault(key, (None, now + ttl))
        value, deadline = (entries.pop if mistake == "takes out" else entries.get)(key, (None, now))
        if deadline < now or (deadline == now and mistake != "too late"):
            if mistake != "leaves":
                entries.pop(key, None)
            if mistake == "clears":
                entries.clear()
            return None
        if mistake == "extends":
            entries[key] = (value, now + ttl)
        return value

    return read


def _room(held: Any, max_bytes: int, size: int) -> list[str]:
    used = sum(taken for _, taken in held)
    gone: list[str] = []
    for key, taken in held:
        if used + size <= max_bytes:
            break
        used, gone = used - taken, [*gone, key]
    return gone


def _fits(held: Any, max_bytes: int, size: int) -> list[str] | None:
    return _room(held, max_bytes, size) if size <= max_bytes else None


EXERCISES = {
    "09.1": Exercise(
        "dead at the deadline",
        grade_ttl,
        (
            "The deadline is three plus the TTL.",
            "At second ten the deadline must not be reached.",
            "The deadline has to be eleven.",
        ),
        (Wrong(6, STRICT), Wrong(10, ROUGH), Wrong(9, ROUGH), Wrong(10**400, ROUGH)),
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
            Wrong(_read("too late"), STRICT),
            Wrong(_read("extends"), EXTENDS),
            Wrong(_read("leaves"), REMAINS),
            Wrong(_read("takes out"), TAKEN_OUT),
            Wrong(_read("clears"), OTHERS),
            Wrong(_read("keeps what is not there"), LEFT_BEHIND),
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
            Wrong(lambda held, most, size: _fits(held[::-1], most, size), NEWEST),
            Wrong(lambda held, most, size: _fits(sorted(held, key=itemgetter(1))[::-1], most, size), BY_SIZE),
            Wrong(lambda held, most, size: _fits(sorted(held, key=itemgetter(1)), most, size), BY_SIZE),
            Wrong(_room, NEVER_FITS),
            Wrong(lambda held, most, size: _room(held, most, size) if size < most else None, ALONE),
            Wrong(lambda held, most, size: (_fits(held, most, size) or [])[:1], ONE_IS_ENOUGH),
            Wrong(lambda held, _most, _size: [held[0][0]], NO_NEED),
            Wrong(lambda held, most, size: _room(held, most - 1, size), NO_NEED),
            Wrong(lambda held, most, size: _room(held, most + 1, size), BYTE_OVER),
            Wrong(lambda _held, _most, _size: [], BYTE_OVER),
            Wrong(lambda held, most, size: (_fits(held, most, size) or [])[::-1], A_LIST),
        ),
    ),
}
