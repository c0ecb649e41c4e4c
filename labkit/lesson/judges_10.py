"""How the exercises of 10 are judged: which case an answer fails, and the thought behind it."""

import random
from copy import deepcopy
from typing import Any, NamedTuple

from labkit.errors import ConfigError
from labkit.lesson.exercise import Failure, Raised, Unanswered, call
from labkit.results.retrieve_cases import Lab

FORM = "`mine` may have another form; it keeps its names, its `ttl` and three instants in seconds"
ONE_CHANGE = "more than one value may be changed; one change is enough, and shows which value makes the hit"
EXTENDS = "asking keeps a result alive; its deadline stands from the moment of the put"
SHORTER = "a shorter life helps; the entry is dead even sooner"
BOUNDS = "any life will do; the cache wants a number of seconds, more than zero and an hour at most"
BACK = "a request can come before an earlier one; time goes one way"
PAIR_OF_FUNCTIONS = "a cache of any form will do; two functions are asked for, one that keeps and one that looks up"
SHARED_INSIDE = "a copy of the outer dictionary is a copy; what is inside is still shared with whoever kept it"
LIVE_HIT = "what is kept may be handed out; whoever gets it can change it for all who come later"
NEVER_PUT = "every key has a result; for one that has none, `look_up` gives `None`"
LOST = "a cache that keeps nothing is safe; it is no cache"
NOT_KEPT = "something like the result will do; what was kept has to come back, value for value"
ONE_ENTRY = "there is one result to keep; each key has its own"
FIRST_STAYS = "what was kept first may stay; the newer answer under the same key takes its place"
ONE_STORE = "all caches may share what they keep; each call of `make_cache` makes an empty one"
PAIR = "the outcome or the passages alone are an answer; a pair of both is asked for"
OTHER_OUTCOME = "one outcome is as good as another; each of the four says what was done"
PASSAGES = "the outcome is the whole answer; a hit or a miss comes with what `find` gave, the others with nothing"
SEARCHES = "how often `find` runs does not matter; it runs once for each miss and bypass, and for nothing else"
UNGRANTED = "who asks need not be in `granted`; whoever is not is denied, whatever is kept"
ALL_DENIED = "refusing everything is safe; then nobody can ask"
WARM = "a kept result may be given to whoever had it before; what holds now decides"
SEARCHED = "a search does no harm when its result is thrown away; a refusal that comes late has already cost one"
ONE_FOR_ALL = "one question is one entry; another principal is another request"
ONE_QUESTION = "one principal is one entry; another word is another question"
JOINED = "principal and word may be run together; then nothing says where one ends, and two requests share a key"
ALIVE_AT_DEADLINE = "an entry lives through its deadline, or has none; at `deadline <= now` it is dead"
KEPT_NOTHING = "no passages are an answer to keep; it is a bypass, and looked for again each time"
SWALLOWED = "a failed search is an empty one; the caller would take a failure for an answer"
FAILURE_KEPT = "a failure can be kept for a while; whoever asks after the repair is told of one that is over"
WIPED = "a refusal may drop what is kept; then whoever is refused takes it from all the others"
ALWAYS_FINDS = "searching again is always safe; then what is kept is not reused"
STUB, FAILED = (1.0, 0.0, 0.75, 1.0), "the tool failed"


def grade_third(answer: Any, _rng: random.Random) -> Failure | None:
    values = _values(answer)
    if values is None:
        return Failure("`mine`", "a dictionary of `ttl` and `asks at`, with three instants from 0 to 3600", FORM)
    ttl, first, middle, last = values
    changed = [place for place, value in enumerate(STUB) if values[place] is True or values[place] != value]
    if not changed:
        raise Unanswered
    if len(changed) > 1:
        return Failure("`mine`", "one value changed", ONE_CHANGE)
    if not first <= middle <= last:
        return Failure("`asks at`", "three instants, none before the one ahead of it", BACK)
    try:
        outcomes = _played(ttl, first, middle, last)
    except ConfigError:
        return Failure("`ttl`", "a life that the cache accepts", BOUNDS)
    return None if outcomes[-1] == "hit" else Failure("the third request", "a hit", EXTENDS if changed[0] else SHORTER)


def _values(answer: Any) -> list[Any] | None:
    """The life and the three instants; None when the form is another."""
    if type(answer) is not dict or answer.keys() != {"ttl", "asks at"}:
        return None
    instants = answer["asks at"]
    if type(instants) not in (list, tuple) or len(instants) != 3:
        return None
    in_range = (type(each) in (int, float) and 0 <= each <= 3600 for each in instants)
    return [answer["ttl"], *instants] if all(in_range) else None


def _played(ttl: Any, *instants: float) -> list[str]:
    lab, asked = Lab(ttl=ttl), {"query": "json", "collection": "serialization"}

    def at(instant: float) -> str:
        lab.clock.move_to(instant)
        return lab.outcome(["Bearer synthetic-reader-token"], asked)

    return [at(instant) for instant in instants]


def grade_make_cache(answer: Any, rng: random.Random) -> Failure | None:
    results = [
        {"status": "completed", "evidence": [{"text": f"text {number}"}, {"text": "json.dumps"}]}
        for number in rng.sample(range(100), k=3)
    ]
    keep, look_up = _cache_of(answer)
    mine = deepcopy(results[0])
    call(keep, "one", mine, case="a result is kept")

    def came_back(case: str, thought: str, *, key: str = "one", wanted: Any = results[0]) -> Any:
        found = call(look_up, key, case=case)
        if type(found) is not type(wanted) or found != wanted:
            raise Raised(Failure(case, "None" if wanted is None else "the result as it was kept", thought))
        return found

    case = "a result is kept, then looked up"
    came_back(case, LOST if call(look_up, "one", case=case) is None else NOT_KEPT)
    case = "a key of one cache, looked up in another"
    if call(_cache_of(answer)[1], "one", case=case) == results[0]:
        return Failure(case, "None", ONE_STORE)
    mine["evidence"][0]["text"] = mine["status"] = "changed"
    came_back("its owner changes it, then it is looked up", SHARED_INSIDE)
    came_back("a key that has no result", NEVER_PUT, key="two", wanted=None)
    hit = came_back("a hit", LOST)
    hit["evidence"].append("changed")
    hit["evidence"][0]["text"] = hit["status"] = "changed"
    came_back("what a hit gave is changed, then looked up again", LIVE_HIT)
    call(keep, "two", deepcopy(results[1]), case="a second result is kept")
    came_back("a second result is kept, then the first is looked up", ONE_ENTRY)
    came_back("a second result is kept, then looked up", ONE_ENTRY, key="two", wanted=results[1])
    call(keep, "two", deepcopy(results[2]), case="a newer result is kept")
    came_back("a newer result is kept under the same key, then looked up", FIRST_STAYS, key="two", wanted=results[2])
    return None


def _cache_of(answer: Any) -> tuple[Any, Any]:
    pair = call(answer, case="make_cache()")
    if type(pair) is not list or len(pair) != 2 or not all(map(callable, pair)):
        raise Raised(Failure("make_cache()", "a pair, `put_away` and `look_up`", PAIR_OF_FUNCTIONS))
    return pair[0], pair[1]


class Step(NamedTuple):
    """One request to `ask`, what must come of it, and the thought behind each other outcome that is usual."""

    case: str
    principal: str
    query: str
    later: float
    outcome: str
    thoughts: dict[str, str]
    granted: frozenset[str] = frozenset({"reader", "editor", "readerj"})

    @property
    def searches(self) -> int:
        """How often it has to search."""
        return int(self.outcome not in ("denied", "hit"))


LATE_REFUSAL = {"miss": UNGRANTED, "bypass": UNGRANTED, "searched": SEARCHED}
AFTER_FAILURE = dict.fromkeys(("hit", "raised", "bypass"), FAILURE_KEPT)
ANEW = {"miss": ALWAYS_FINDS, "searched": ALWAYS_FINDS}
STEPS = (
    Step("nobody may ask", "reader", "json", 0.0, "denied", LATE_REFUSAL | {"hit": UNGRANTED}, frozenset()),
    Step("the first request", "reader", "json", 0.0, "miss", {"denied": ALL_DENIED}),
    Step("the same by the editor", "editor", "json", 0.0, "miss", {"hit": ONE_FOR_ALL}),
    Step("another word", "reader", "text", 0.0, "miss", {"hit": ONE_QUESTION}),
    Step('"son" by "readerj", after "json" by "reader"', "readerj", "son", 0.0, "miss", {"hit": JOINED}),
    Step("the reader's again, three quarters of a second later", "reader", "json", 0.75, "hit", ANEW),
    Step("its grant taken back", "reader", "json", 0.75, "denied", LATE_REFUSAL | {"hit": WARM}, frozenset({"editor"})),
    Step("readerj's again, after that refusal", "readerj", "son", 0.75, "hit", ANEW | {"miss": WIPED}),
    Step("the editor's again, one second later", "editor", "json", 1.0, "miss", {"hit": ALIVE_AT_DEADLINE}),
    Step("the reader's, one second later with a hit between", "reader", "json", 1.0, "miss", {"hit": EXTENDS}),
    Step("a word that stands nowhere", "reader", "zzzz", 1.0, "bypass", {"miss": KEPT_NOTHING}),
    Step("that word again", "reader", "zzzz", 1.0, "bypass", {"hit": KEPT_NOTHING, "miss": KEPT_NOTHING}),
    Step("a search that fails", "reader", "broken", 1.0, "raised", {}),
    Step("that word again, the tool mended", "reader", "broken", 1.0, "miss", AFTER_FAILURE),
)


def grade_ask(answer: Any, rng: random.Random) -> Failure | None:
    searched, kept, start = list[str](), dict[Any, Any](), float(rng.randint(0, 9))
    holds = {word: (f"{word} {rng.randint(0, 99)}", f"{word} 100") for word in ("json", "text", "son", "broken")}

    def find(query: str) -> tuple[str, ...]:
        searched.append(query)
        if query == "broken" and searched.count(query) == 1:
            raise LookupError(FAILED)
        return holds.get(query, ())

    for step in STEPS:
        before, now = len(searched), start + step.later
        got = call(_raising(answer), step.principal, step.query, set(step.granted), kept, now, find, case=step.case)
        if failure := _of_step(step, got, holds.get(step.query, ()), len(searched) - before):
            return failure
    return None


def _raising(answer: Any) -> Any:
    """The answer, with the outcome `raised` when it lets the failure of `find` through; no other error is caught."""

    def ask(*arguments: Any) -> Any:
        try:
            return answer(*arguments)
        except LookupError as error:
            if str(error) != FAILED:
                raise
            return "raised", ()

    return ask if callable(answer) else answer


def _of_step(step: Step, got: Any, passages: tuple[str, ...], searches: int) -> Failure | None:
    if type(got) is not list or len(got) != 2 or type(got[0]) is not str or type(got[1]) not in (list, tuple):
        return Failure(step.case, f'a pair, "{step.outcome}" and passages', PAIR)
    if got[0] != step.outcome:
        if step.outcome == "raised":
            return Failure(step.case, "what `find` raises, let through", SWALLOWED)
        return Failure(step.case, f'"{step.outcome}"', step.thoughts.get(got[0], OTHER_OUTCOME))
    if searches != step.searches:
        thought = step.thoughts.get("searched", SEARCHES)
        return Failure(step.case, "one search" if step.searches else "no search", thought)
    wanted = passages if step.outcome in ("hit", "miss") else ()
    return None if tuple(got[1]) == wanted else Failure(step.case, f"{len(wanted)} passages beside it", PASSAGES)
