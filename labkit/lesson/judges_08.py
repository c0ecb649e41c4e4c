"""How the exercises of 08 are judged: which case an answer fails, and the thought behind it."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

from labkit.errors import Refusal
from labkit.lesson.exercise import Failure, Raised, Unanswered, call
from labkit.search_request import search_request

FORM = "fields may come and go; here one value of `mine` is to be changed, and its four fields stay"
ONE_CHANGE = "more than one value may be changed; one change is enough, and shows which value moved the key"
K = "another k that finds the same will do; k is a part of the request, whatever is found"
CASE = "capitals make another word; they are lowered before the key is made"
OTHER_REQUEST = "any change will do; but the two requests must ask for the same"
REFUSED = "every equal number is the same k; a k that is no whole number is refused before there is a key"
NO_REQUEST = "any value makes a request; what has not the accepted form is refused before there is a key"
NO_TEXT = "whatever holds the parts is a key; a key is one text, such as `canonical_hash` gives"
DRAWN = "a new key for each retrieval is safe; then no second request ever has it, and nothing is ever a hit"
PRINCIPAL = "who asks need not be in the key; then one is given what was kept for another"
POLICY = "the policy need not be in the key; then an answer outlives the rules it was made under"
CORPUS = "the snapshot need not be in the key; then an old text is given out as the present one"
PIPELINE = "the steps need not be in the key; then results of old steps pass for results of new ones"
REQUEST = "a part of the request may be left out; then the answer to one question is given to another"
RUN = "the run belongs in the key; then no second request ever has it, and nothing is ever a hit"
TIME = "the time belongs in the key; then an answer can be reused only in the instant it was made"
TOKEN = "the token says who asks; a principal whose token is renewed is the same principal"
OVERWRITTEN = "a later field cannot replace an earlier one; in a dictionary it does, and the caller wrote it"
DROPPED = "the caller's field may be thrown away; then two different requests share one entry"
VALUES = "the names and the number of fields are enough; then two questions share one entry"
NAMELESS = "the values are enough; without their names nothing says which value is whose"
BOUNDARY = "parts may be joined as they are; then nothing says where one ends"
ORDER = "the order of a request's fields is a part of it; it is not"
NO_LIST = "the names may come in any form; a list of texts is asked for"
UNSORTED = "the names may come in any order, or twice; each comes once, in the order of the alphabet"
TOP_ONLY = "the outer parts are enough; then `request` is named, and not which of its fields"
BARE = "the inner name is enough; another part may have a field of that name, so the path stands in front"
ONE_SIDED = "both have the same parts; a ranking contract is written only when it is not the usual one"
FIRST_ONLY = "one difference is enough; whoever repairs that one misses again"
UNSEEN = "a part may differ and not be named; then whoever looks for the reason looks elsewhere"
NOT_DIFFERENT = "a part may be named that is the same in both; then whoever looks for the reason is misled"
EQUAL = "something always differs; two equal keys have no such part"
STUB = {"query": "JSON", "collection": "serialization", "version": "3.12", "k": 3}
NEEDED = {
    "principal": PRINCIPAL,
    "policy_id": POLICY,
    "corpus_id": CORPUS,
    "pipeline": PIPELINE,
    "query": REQUEST,
    "collection": REQUEST,
    "version": REQUEST,
    "k": REQUEST,
}
OF_THE_RUN = {"run_id": RUN, "asked_at": TIME, "token": TOKEN}
SEPARATORS = ("", ":", "|", "/", ",", ";", "-", "_", " ", "\n", "\0")


def grade_request(answer: Any, _rng: random.Random) -> Failure | None:
    changed = _changed(answer)
    if changed == []:
        raise Unanswered
    if changed is None:
        return Failure("`mine`", "a dictionary of the four fields", FORM)
    if len(changed) > 1:
        return Failure(f"`mine`, with another {' and another '.join(changed)}", "one value changed", ONE_CHANGE)
    try:
        request = search_request(answer)
    except Refusal:
        return Failure("`search_request(mine)`", "not refused", REFUSED if changed == ["k"] else NO_REQUEST)
    if request == search_request({"query": "json", "collection": "serialization"}):
        return None
    thought = {"k": K, "query": CASE if request.query == "json" else OTHER_REQUEST}.get(changed[0], OTHER_REQUEST)
    return Failure("the two keys", "one and the same", thought)


def _changed(answer: Any) -> list[str] | None:
    """The fields whose value is another than the stub's; None for what has not its fields."""
    if type(answer) is not dict or answer.keys() != STUB.keys():
        return None
    return [name for name, value in STUB.items() if type(answer[name]) is not type(value) or answer[name] != value]


def grade_record_key(answer: Any, rng: random.Random) -> Failure | None:
    record = {name: f"{name}-{rng.randint(100, 999)}" for name in (*NEEDED, *OF_THE_RUN)}

    def key(changed: dict[str, str]) -> str:
        return _text(answer, record | changed)

    if key({}) != key({}):
        return Failure("the same retrieval, twice", "the same key", DRAWN)
    for name, thought in OF_THE_RUN.items():
        if key({name: "another"}) != key({}):
            return Failure(f"the same retrieval with another `{name}`", "the same key", thought)
    for case, first, second, thought in _other_records():
        if key(first) == key(second):
            return Failure(case, "another key", thought)
    return None


def _other_records() -> Iterator[tuple[str, dict[str, str], dict[str, str], str]]:
    for name, thought in NEEDED.items():
        yield f"a retrieval with another `{name}`", {}, {name: "another"}, thought
    for one, other in permutations(NEEDED, 2):
        exchanged = f"a retrieval, the values of `{one}` and `{other}` exchanged"
        yield exchanged, {one: "a", other: "b"}, {one: "b", other: "a"}, NAMELESS
        for sign in SEPARATORS:
            left, right = {one: f"a{sign}b", other: "c"}, {one: "a", other: f"b{sign}c"}
            yield f"a retrieval of {left}, and one of {right}", left, right, BOUNDARY


def grade_flat_key(answer: Any, rng: random.Random) -> Failure | None:
    asked = {"query": rng.choice(["json", "file"]), "collection": "files", "k": rng.randint(2, 9)}
    usual: dict[str, Any] = {"who": "reader", "policy": "p1", "asked": asked}

    def key(changed: dict[str, Any]) -> str:
        who, policy, fields = (usual | changed).values()
        return _text(answer, who, policy, dict(fields))

    if key({}) != key({}):
        return Failure("a request, and the same again", "one key", DRAWN)
    for case, first, second, thought in _other_requests(asked, ("principal", "policy_id", *_constants(answer))):
        if key(first) == key(second):
            return Failure(case, "two keys", thought)
    if key({}) != key({"asked": dict(reversed(asked.items()))}):
        return Failure("a request, and its fields in another order", "one key", ORDER)
    return None


def _other_requests(
    asked: dict[str, Any], names: Iterable[str]
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any], str]]:
    yield "the reader's request, and the same by the editor", {}, {"who": "editor"}, PRINCIPAL
    yield "a request, and the same under another policy", {}, {"policy": "p2"}, POLICY
    for name in names:
        for part, value in {"who": "editor", "policy": "p2"}.items():
            sent = {"asked": asked | {name: value}}
            yield f"the reader sends a field `{name}` that says {value}", sent, {part: value}, OVERWRITTEN
            yield f"the reader asks with a field `{name}`, and without", sent, {}, DROPPED
    for name, value in {"query": "text", "collection": "plans", "k": 1}.items():
        yield f"a request, and one with another `{name}`", {}, {"asked": asked | {name: value}}, VALUES
    left, right = ({"asked": {"query": "a", "collection": "b"}}, {"asked": {"query": "b", "collection": "a"}})
    yield "a request, the values of `query` and `collection` exchanged", left, right, NAMELESS
    left, right = ({"who": "a", "policy": "b"}, {"who": "b", "policy": "a"})
    yield 'principal "a" under policy "b", and "b" under "a"', left, right, NAMELESS
    for sign in SEPARATORS:
        left, right = {"who": f"a{sign}b", "policy": "c"}, {"who": "a", "policy": f"b{sign}c"}
        yield f'principal "a{sign}b" under policy "c", and "a" under "b{sign}c"', left, right, BOUNDARY


def _constants(answer: Callable[..., Any]) -> Iterator[str]:
    """Each text that a function's own code holds: a part that was given another name is found by it."""
    for constant in getattr(getattr(answer, "__code__", None), "co_consts", ()):
        parts = constant if isinstance(constant, tuple) else (constant,)
        yield from (part for part in parts if isinstance(part, str))


def _text(answer: Any, *arguments: Any) -> str:
    got = call(answer, *arguments, case="a key")
    if not isinstance(got, str):
        raise Raised(Failure("a key", "a text", NO_TEXT))
    return got


def grade_differing(answer: Any, rng: random.Random) -> Failure | None:
    asked = {"query": rng.choice(["json", "file"]), "k": rng.randint(3, 10)}
    key = {"principal": "reader", "policy_id": "p1", "request": asked, "pipeline": {"version": rng.randint(1, 9)}}
    ranked = {"request": asked | {"ranking": "permitted"}}
    two = {"principal": "editor", "request": asked | {"k": 2}}
    cases: list[tuple[str, dict[str, Any], dict[str, Any], list[str], str]] = [
        ("a key and itself", key, dict(key), [], EQUAL),
        ("another k", key, key | {"request": asked | {"k": 1}}, ["request.k"], UNSEEN),
        ("a ranking contract in the second only", key, key | ranked, ["request.ranking"], ONE_SIDED),
        ("a ranking contract in the first only", key | ranked, key, ["request.ranking"], ONE_SIDED),
        ("another principal and another k", key, key | two, ["principal", "request.k"], FIRST_ONLY),
        ("another policy", key, key | {"policy_id": "p2"}, ["policy_id"], UNSEEN),
    ]
    for case, first, second, wanted, thought in cases:
        got = call(answer, first, second, case=case)
        if type(got) is not list or not all(type(name) is str for name in got):
            return Failure(case, str(wanted), NO_LIST)
        if got != wanted:
            return Failure(case, str(wanted), _of_names(got, wanted, thought))
    return None


def _of_names(got: list[str], wanted: list[str], thought: str) -> str:
    """The thought behind a list of names that is not the one; `thought` when one of the parts is missing."""
    if set(got) == set(wanted):
        return UNSORTED
    if not wanted or not got:
        return EQUAL if got else UNSEEN if len(wanted) > 1 else thought
    if not set(got) - set(wanted):
        return thought
    if "request" in got:
        return TOP_ONLY
    bare = {name.rpartition(".")[2] for name in wanted}
    return BARE if set(got) <= bare | set(wanted) else NOT_DIFFERENT
