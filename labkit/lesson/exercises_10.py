"""Predictions and exercises of 10_result_cache."""

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from labkit.errors import ConfigError
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction
from labkit.results.retrieve_cases import Lab

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

LATE = "the deadline itself is still in time; at `deadline <= now` the entry is dead"
EXTENDS = "a hit gives a second more; the deadline stands from the moment of the put"
SHORTER = "a shorter life helps; the entry is dead even sooner"
BOUNDS = "a life can be as long as one likes; the cache wants more than zero seconds and an hour at most"
BACK = "a request can come before an earlier one; time goes one way"
SHARED_INSIDE = "a copy of the outer dictionary is a copy; what is inside is still shared with whoever kept it"
LIVE_HIT = "what is kept may be handed out; whoever gets it can change it for all who come later"
NEVER_PUT = "every key has a result; for one that has none, `look_up` gives `None`"
LOST = "a cache that keeps nothing is safe; it is no cache"
WARM = "a kept result may be given to whoever had it before; what holds now decides"
SEARCHED = "a search does no harm when its result is thrown away; a refusal that comes late has already cost one"
ONE_FOR_ALL = "one question is one entry; another principal is another request"
ALIVE_AT_DEADLINE = "an entry lives through its deadline; at `deadline <= now` it is dead"
KEPT_NOTHING = "no passages are an answer to keep; it is a bypass, and looked for again each time"
SWALLOWED = "a failed search is an empty one; the caller would take a failure for an answer"
ALWAYS_FINDS = "searching each time is safe; then nothing is reused"
PASSAGES, FAILED, DENIED = {"json": ["json-text"]}, "the tool failed", ("denied", list[str]())


def grade_third(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == {"ttl": 1.0, "asks at": [0.0, 0.75, 1.0]}:
        raise Unanswered
    try:
        ttl, (first, middle, last) = answer["ttl"], answer["asks at"]
        outcomes = _played(ttl, first, middle, last)
    except ConfigError:
        return Failure("`ttl`", "a life that the cache accepts", BOUNDS)
    except (TypeError, KeyError, ValueError):
        return Failure("`asks at`", "three instants, none before the one ahead of it", BACK)
    if outcomes[-1] == "hit":
        return None
    thought = SHORTER if ttl < 1 else EXTENDS if middle != 0.75 else LATE
    return Failure("the third request", "a hit", thought)


def grade_make_cache(answer: Any, _rng: random.Random) -> Failure | None:
    result = {"status": "completed", "evidence": [{"text": "json.dumps"}]}
    keep, look_up = call(lambda: _two(*answer()), case="make_cache()")
    mine = deepcopy(result)
    call(keep, "one", mine, case="a result is kept")
    if call(look_up, "one", case="it is looked up") != result:
        return Failure("a result is kept, then looked up", "the result", LOST)
    mine["evidence"][0]["text"] = mine["status"] = "changed"
    if call(look_up, "one", case="it is looked up again") != result:
        return Failure("its owner changes it, then it is looked up", "the result as it was kept", SHARED_INSIDE)
    hit = call(look_up, "one", case="a hit")
    hit["evidence"].append("changed")
    hit["status"] = "changed"
    if call(look_up, "one", case="the next hit") != result:
        return Failure("what a hit gave is changed, then looked up again", "the result as it was kept", LIVE_HIT)
    if call(look_up, "two", case="a key that has no result") is not None:
        return Failure("a key that has no result", "None", NEVER_PUT)
    return None


def grade_ask(answer: Any, rng: random.Random) -> Failure | None:
    searched, kept, start = list[str](), dict[Any, Any](), float(rng.randint(0, 9))

    def find(query: str) -> list[str]:
        searched.append(query)
        if query == "broken":
            raise LookupError(FAILED)
        return list(PASSAGES.get(query, []))

    def ask(*arguments: Any) -> Any:
        try:
            return answer(*arguments)
        except LookupError as error:  # here raising is the right reply, unless it is an error of the answer's own
            if str(error) != FAILED:
                raise
            return "raised", list[str]()

    both, editor = {"reader", "editor"}, {"editor"}
    steps: list[tuple[str, str, str, set[str], float, str, int, str]] = [
        ("nobody may ask", "reader", "json", set(), 0.0, "denied", 0, SEARCHED),
        ("the first request", "reader", "json", both, 0.0, "miss", 1, LOST),
        ("the same by the editor", "editor", "json", both, 0.0, "miss", 2, ONE_FOR_ALL),
        ("the reader's again, three quarters of a second later", "reader", "json", both, 0.75, "hit", 2, ALWAYS_FINDS),
        ("the same, the grant taken back", "reader", "json", editor, 0.75, "denied", 2, WARM),
        ("the editor's again, one second later", "editor", "json", both, 1.0, "miss", 3, ALIVE_AT_DEADLINE),
        ("the reader's, one second later with a hit between", "reader", "json", both, 1.0, "miss", 4, EXTENDS),
        ("a word that stands nowhere", "reader", "zzzz", both, 1.0, "bypass", 5, KEPT_NOTHING),
        ("that word again", "reader", "zzzz", both, 1.0, "bypass", 6, KEPT_NOTHING),
        ("a search that fails", "reader", "broken", both, 1.0, "raised", 7, SWALLOWED),
    ]
    for case, principal, query, granted, later, outcome, searches, thought in steps:
        got = call(ask, principal, query, set(granted), kept, start + later, find, case=case)
        if got != [outcome, PASSAGES.get(query, []) if outcome in ("hit", "miss") else []]:
            return Failure(case, outcome, thought)
        if len(searched) != searches:
            return Failure(case, "a search only where one is needed", thought)
    return None


def _played(ttl: Any, *instants: Any) -> list[str]:
    lab, asked = Lab(ttl=ttl), {"query": "json", "collection": "serialization"}

    def at(instant: float) -> str:
        lab.clock.move_to(instant)
        return lab.outcome(["Bearer synthetic-reader-token"], asked)

    return [at(instant) for instant in instants]


def _cache(copied_in: Callable[[Any], Any], copied_out: Callable[[Any], Any]) -> Callable[[], Any]:
    def make_cache() -> Any:
        kept: dict[str, Any] = {}
        return (lambda key, result: kept.update({key: copied_in(result)})), lambda key: copied_out(kept.get(key))

    return make_cache


def _two(keep: Any, look_up: Any) -> tuple[Any, Any]:
    return keep, look_up


def _asks_with(flaw: str) -> Callable[..., Any]:
    """A whole path with one flaw."""

    def ask(principal: str, query: str, granted: set[str], kept: dict[Any, Any], now: float, find: Any) -> Any:
        key = query if flaw == "one for all" else (principal, query)
        deadline, found = kept.get(key, (now - 1.0, []))
        if flaw not in ("warm", "searched") and principal not in granted:
            return DENIED
        if deadline > now or (flaw == "alive at deadline" and deadline == now):
            kept[key] = (now + 1.0 if flaw == "extends" else deadline, found)
            return "hit", found
        if flaw == "warm" and principal not in granted:
            return DENIED
        try:
            found = find(query)
        except LookupError:
            if flaw != "swallowed":
                raise
            found = list[str]()
        if (found or flaw == "kept nothing") and flaw != "always finds" and principal in granted:
            kept[key] = (now + 1.0, found)
        return DENIED if principal not in granted else ("miss" if found else "bypass", found)

    return ask


EXERCISES = {
    "10.1": Exercise(
        "a hit never extends the deadline",
        grade_third,
        (
            "When was the result kept, and until when does it live?",
            "The hit in the middle changes nothing. Either the life is longer, or the third request comes sooner.",
            "Let the third request come before one second has passed.",
        ),
        (
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.99, 1.0]}, EXTENDS),
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.75, 1.25]}, LATE),
            Wrong({"ttl": 0.5, "asks at": [0.0, 0.75, 1.5]}, SHORTER),
            Wrong({"ttl": 86400, "asks at": [0.0, 0.75, 1.0]}, BOUNDS),
            Wrong({"ttl": 1.0, "asks at": [0.0, 0.75, 0.5]}, BACK),
        ),
    ),
    "10.2": Exercise(
        "stored values are copied in and out",
        grade_make_cache,
        (
            "Which objects are inside the dictionary that is copied?",
            "Copying when something is kept is half of it. Who else holds what is kept, after a hit?",
            "Use `deepcopy` twice: on what is kept, and on what is looked up.",
        ),
        (
            Wrong(_cache(dict, lambda kept: kept), SHARED_INSIDE),
            Wrong(_cache(lambda result: result, deepcopy), SHARED_INSIDE),
            Wrong(_cache(deepcopy, lambda kept: kept), LIVE_HIT),
            Wrong(_cache(deepcopy, lambda kept: deepcopy(kept) or {}), NEVER_PUT),
            Wrong(lambda: (lambda _key, _result: None, lambda _key: None), LOST),
        ),
    ),
    "10.3": Exercise(
        "authorize, look up, search, keep",
        grade_ask,
        (
            "Begin with the grant; a caller who has none must find out nothing, not even by how long it takes.",
            "Keep a pair under a pair: deadline and passages, under principal and query.",
            "A hit needs `deadline > now` and writes nothing; after `find`, an empty list is a bypass, and not kept.",
        ),
        (
            Wrong(_asks_with("warm"), WARM),
            Wrong(_asks_with("searched"), SEARCHED),
            Wrong(_asks_with("one for all"), ONE_FOR_ALL),
            Wrong(_asks_with("extends"), EXTENDS),
            Wrong(_asks_with("alive at deadline"), ALIVE_AT_DEADLINE),
            Wrong(_asks_with("kept nothing"), KEPT_NOTHING),
            Wrong(_asks_with("swallowed"), SWALLOWED),
            Wrong(_asks_with("always finds"), ALWAYS_FINDS),
        ),
    ),
}
