"""Predictions and exercises of 10_result_cache."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from labkit.lesson import judges_10 as judges
from labkit.lesson.exercise import Exercise, Wrong
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "10.A": Prediction(
        "only what is completed is kept",
        {
            "hit": "the first answer, nothing, was kept; an answer without evidence is not completed",
            "miss": "nothing was kept, and the next such answer may be; an answer of this kind never is",
            "bypass": "there is no evidence, so there is nothing to keep, this time and every time",
        },
    ),
    "10.B": Prediction(
        "evidence outlives its handles",
        {
            "hit": "what is kept needs neither handle nor tool",
            "unissued_or_expired_handle": "a hit reads its handles again; no handle is part of what is kept",
            "tool_failure": "a hit asks the tool for the text; the text is kept, the tool is not asked",
        },
    ),
    "10.C": Prediction(
        "authorize before look-up",
        {
            "hit": "the entry has time left and so may be used; what holds now decides, not what held when it was kept",
            "miss": "another policy makes another key, so nothing is found; the request does not come that far",
            "collection_denied": "the grant is looked at before there is a key",
        },
    ),
    "10.D": Prediction(
        "stored values are copied in and out",
        {
            "the old text": "a copy was put away; a copy of the outer dictionary, with the same list inside",
            "the new text": "the list inside is one object with two names",
            "refused": "a changed result no longer agrees with its hash; nothing looks at the hash here",
        },
    ),
    "10.E": Prediction(
        "a hit never extends the deadline",
        {
            "at 3 s": "the grant counts at once; it does where it is looked at, and this gate looks at its memory",
            "at 4 s": "what was remembered dies a second later; each use gives it another second",
            "never": "each use moves the deadline on, and the next use comes before it",
        },
    ),
}


def _cache(copied_in: Callable[[Any], Any], copied_out: Callable[[Any], Any]) -> Callable[[], Any]:
    def make_cache() -> Any:
        kept: dict[str, Any] = {}
        return (lambda key, result: kept.update({key: copied_in(result)})), lambda key: copied_out(kept.get(key))

    return make_cache


def _entries(keeps: Callable[[dict[str, Any], str, Any], Any], kept: Any = None) -> Callable[[], Any]:
    """A cache that copies as it should, and keeps in a way of its own, or in one place for all caches."""

    def make_cache() -> Any:
        here: dict[str, Any] = {} if kept is None else kept
        return (lambda key, result: keeps(here, key, deepcopy(result))), lambda key: deepcopy(here.get(key))

    return make_cache


def _one(here: dict[str, Any], key: str, result: Any) -> None:
    here.clear()
    here[key] = result


def _asks_with(flaw: str) -> Callable[..., Any]:
    """A whole path with one flaw."""

    def ask(principal: str, query: str, granted: set[str], kept: dict[Any, Any], now: float, find: Any) -> Any:
        keys = {"one for all": query, "one question": principal, "joined": principal + query}
        key = keys.get(flaw, (principal, query))
        deadline, found = kept.get(key, (now - 1.0, ()))
        if flaw == "wiped" and principal not in granted:
            kept.clear()
        if flaw not in ("warm", "searched") and principal not in granted:
            return ("denied", ())
        if deadline > now or (flaw == "alive at deadline" and deadline == now):
            kept[key] = (now + 1.0 if flaw == "extends" else deadline, found)
            return "hit", found
        if flaw == "warm" and principal not in granted:
            return ("denied", ())
        try:
            found = find(query)
        except LookupError:
            if flaw == "failure kept":
                kept[key] = (now + 1.0, ())
            if flaw != "swallowed":
                raise
            found = ()
        if (found or flaw == "kept nothing") and flaw != "always finds" and principal in granted:
            kept[key] = (now + 1.0, found)
        return ("denied", ()) if principal not in granted else ("miss" if found else "bypass", found)

    return ask


EXERCISES = {
    "10.1": Exercise(
        "a hit never extends the deadline",
        judges.grade_third,
        (
            "When was the result kept, and until when does it live?",
            "The hit in the middle changes nothing. Either the life is longer, or the third request comes sooner.",
            "Let the third request come before one second has passed.",
        ),
        (
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.99, 1.0]}, judges.EXTENDS),
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.75, 1.25]}, judges.EXTENDS),
            Wrong({"ttl": 0.25, "asks at": [0.0, 0.75, 1.0]}, judges.SHORTER),
            Wrong({"ttl": 86400, "asks at": [0.0, 0.75, 1.0]}, judges.BOUNDS),
            Wrong({"ttl": True, "asks at": [0.0, 0.75, 1.0]}, judges.BOUNDS),
            Wrong({"ttl": "forever", "asks at": [0.0, 0.75, 1.0]}, judges.BOUNDS),
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.75, 0.5]}, judges.BACK),
            Wrong({"ttl": 2.0, "asks at": [0.0, 0.75, 0.9]}, judges.ONE_CHANGE),
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.75]}, judges.FORM),
        ),
    ),
    "10.2": Exercise(
        "stored values are copied in and out",
        judges.grade_make_cache,
        (
            "Which objects are inside the dictionary that is copied?",
            "Copying when something is kept is half of it. Who else holds what is kept, after a hit?",
            "Use `deepcopy` twice: on what is kept, and on what is looked up.",
        ),
        (
            Wrong(_cache(dict, lambda kept: kept), judges.SHARED_INSIDE),
            Wrong(_cache(lambda result: result, deepcopy), judges.SHARED_INSIDE),
            Wrong(_cache(deepcopy, lambda kept: kept), judges.LIVE_HIT),
            Wrong(_cache(deepcopy, lambda kept: deepcopy(kept) or {}), judges.NEVER_PUT),
            Wrong(
                _cache(deepcopy, lambda kept: kept and {**kept, "evidence": list(kept["evidence"])}), judges.LIVE_HIT
            ),
            Wrong(_entries(_one), judges.ONE_ENTRY),
            Wrong(_entries(dict.setdefault), judges.FIRST_STAYS),
            Wrong(_entries(dict.__setitem__, {}), judges.ONE_STORE),
            Wrong(lambda: (lambda _key, _result: None, lambda _key: None), judges.LOST),
            Wrong(lambda: (lambda _key, _result: None, lambda _key: {"status": "completed"}), judges.NOT_KEPT),
            Wrong(lambda: {}, judges.PAIR_OF_FUNCTIONS),
        ),
    ),
    "10.3": Exercise(
        "authorize, look up, search, keep",
        judges.grade_ask,
        (
            "Begin with the grant; a caller who has none must find out nothing, not even by how long it takes.",
            "Keep a pair under a pair: deadline and passages, under principal and query.",
            "A hit needs `deadline > now` and writes nothing; after `find`, nothing found is a bypass, and not kept.",
        ),
        (
            Wrong(_asks_with("warm"), judges.WARM),
            Wrong(_asks_with("searched"), judges.SEARCHED),
            Wrong(_asks_with("wiped"), judges.WIPED),
            Wrong(_asks_with("one for all"), judges.ONE_FOR_ALL),
            Wrong(_asks_with("extends"), judges.EXTENDS),
            Wrong(_asks_with("alive at deadline"), judges.ALIVE_AT_DEADLINE),
            Wrong(_asks_with("kept nothing"), judges.KEPT_NOTHING),
            Wrong(_asks_with("swallowed"), judges.SWALLOWED),
            Wrong(_asks_with("one question"), judges.ONE_QUESTION),
            Wrong(_asks_with("joined"), judges.JOINED),
            Wrong(_asks_with("failure kept"), judges.FAILURE_KEPT),
            Wrong(_asks_with("always finds"), judges.ALWAYS_FINDS),
            Wrong(lambda *_: ("miss", ()), judges.UNGRANTED),
            Wrong(lambda *_: ("denied", ()), judges.ALL_DENIED),
            Wrong(lambda *_: "denied", judges.PAIR),
        ),
    ),
}
