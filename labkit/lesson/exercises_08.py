"""Predictions and exercises of 08_result_key."""

import random
from typing import Any

from labkit.canonical import canonical_hash, canonical_json
from labkit.errors import Refusal
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction
from labkit.search_request import search_request

PREDICTIONS = {
    "08.A": Prediction(
        "parts with boundaries",
        {
            "two keys": "no caller can type a colon, so none can be inside a part; but whoever names principals "
            "and collections can",
            "one key": "names may hold the sign that joins them",
            "refused": "a colon in a name is an error; nothing here looks at names, and a policy may use any",
        },
    ),
    "08.B": Prediction(
        "the key names who is asking",
        {
            "the reader's": "the answer is made for whoever gets it; this one was made for the first who asked",
            "the editor's": "what was kept was the editor's",
            "nobody's": "an answer is passages and no more; it also says for whom and under what it was made",
        },
    ),
    "08.C": Prediction(
        "nothing of the run in the key",
        {
            "two": "the first is a miss and the rest are hits; but each run puts something of its own into the reply",
            "one": "a key needs a second look to settle; nothing about it ever settles",
            "none": "each search gives out a handle with a new id",
        },
    ),
    "08.D": Prediction(
        "the whole policy is in the key",
        {
            "the same key": "only the caller's own grants matter; the key names the policy, and that is another now",
            "another key": "any change of the policy is another policy",
            "refused": "a grant that is taken back stops everybody; the reader's own still stands",
        },
    ),
    "08.E": Prediction(
        "explain names what differs",
        {
            "none": "the reader would see the same passages; but the snapshot is another one",
            "one": "of all that happened, only the snapshot is part of the key and has changed",
            "three": "each event leaves a trace in the key; equal content has an equal id, however it came about",
        },
    ),
}

K = "another k that finds the same will do; k is a part of the request, whatever is found"
CASE = "capitals make another word; they are lowered before the key is made"
OTHER_REQUEST = "any change will do; but the two requests must ask for the same"
REFUSED = "every equal number is the same k; a k that is no whole number is refused before there is a key"
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
BOUNDARY = "parts may be joined as they are; then nothing says where one ends"
ORDER = "the order of a request's fields is a part of it; it is not"
TOP_ONLY = "the outer parts are enough; then `request` is named, and not which of its fields"
ONE_SIDED = "both have the same parts; a ranking contract is written only when it is not the usual one"
FIRST_ONLY = "one difference is enough; whoever repairs that one misses again"
EQUAL = "something always differs; two equal keys have no such part"
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


def grade_request(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == {"query": "JSON", "collection": "serialization", "version": "3.12", "k": 3}:
        raise Unanswered
    wanted = search_request({"query": "json", "collection": "serialization"})
    try:
        request = search_request(answer)
    except Refusal:
        return Failure("`search_request(mine)`", "a request that is not refused", REFUSED)
    if request == wanted:
        return None
    thought = CASE if answer["query"] == "json" else K if request.k != wanted.k else OTHER_REQUEST
    return Failure("the two keys", "one and the same", thought)


def grade_record_key(answer: Any, rng: random.Random) -> Failure | None:
    record = {name: f"{name}-{rng.randint(100, 999)}" for name in (*NEEDED, *OF_THE_RUN)}
    key = call(answer, dict(record), case="one retrieval")
    for name, thought in OF_THE_RUN.items():
        case = f"the same retrieval with another `{name}`"
        if call(answer, record | {name: "another"}, case=case) != key:
            return Failure(case, "the same key", thought)
    for name, thought in NEEDED.items():
        case = f"a retrieval with another `{name}`"
        if call(answer, record | {name: "another"}, case=case) == key:
            return Failure(case, "another key", thought)
    return None


def grade_flat_key(answer: Any, rng: random.Random) -> Failure | None:
    asked = {"query": rng.choice(["json", "file"]), "k": rng.randint(1, 10)}

    def key(principal: str, policy_id: str, request: dict[str, Any]) -> Any:
        return call(answer, principal, policy_id, dict(request), case="a key")

    apart = [
        ("the reader sends a field `principal` that says editor", {"principal": "editor"}, "editor", "p1", OVERWRITTEN),
        ("the reader sends a field `policy_id` of another policy", {"policy_id": "p2"}, "reader", "p2", OVERWRITTEN),
        ("the reader asks with a field `principal`, and without", {"principal": "editor"}, "reader", "p1", DROPPED),
    ]
    for case, extra, principal, policy_id, thought in apart:
        if key("reader", "p1", asked | extra) == key(principal, policy_id, asked):
            return Failure(case, "two keys", thought)
    if key("ab", "c", asked) == key("a", "bc", asked):
        return Failure('principal "ab" under policy "c", and "a" under "bc"', "two keys", BOUNDARY)
    if key("reader", "p1", asked) != key("reader", "p1", dict(reversed(asked.items()))):
        return Failure("a request, and its fields in another order", "one key", ORDER)
    return None


def grade_differing(answer: Any, rng: random.Random) -> Failure | None:
    asked = {"query": rng.choice(["json", "file"]), "k": rng.randint(3, 10)}
    key = {"principal": "reader", "policy_id": "p1", "request": asked, "pipeline": {"version": rng.randint(1, 9)}}
    ranked = {"request": asked | {"ranking": "permitted"}}
    two = {"principal": "editor", "request": asked | {"k": 2}}
    cases: list[tuple[str, dict[str, Any], dict[str, Any], list[str], str]] = [
        ("a key and itself", key, dict(key), [], EQUAL),
        ("another k", key, key | {"request": asked | {"k": 1}}, ["request.k"], TOP_ONLY),
        ("a ranking contract in the second only", key, key | ranked, ["request.ranking"], ONE_SIDED),
        ("a ranking contract in the first only", key | ranked, key, ["request.ranking"], ONE_SIDED),
        ("another principal and another k", key, key | two, ["principal", "request.k"], FIRST_ONLY),
    ]
    for case, first, second, wanted, thought in cases:
        got = call(answer, first, second, case=case)
        if got != wanted:
            return Failure(case, str(wanted), thought)
    return None


def _flat(who: str, policy: str, asked: dict[str, Any]) -> str:
    return canonical_hash({"principal": who, "policy_id": policy, **asked})


def _all_but(*left_out: str) -> Any:
    return lambda record: canonical_hash({name: record[name] for name in record if name not in left_out})


def _outer(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return sorted(name for name in first if first[name] != second[name])


def _inner(first: dict[str, Any], second: dict[str, Any], path: str = "") -> list[str]:
    found = list[str]()
    for name, one in first.items():
        other = second.get(name)
        if isinstance(one, dict):
            found += _inner(one, other or {}, f"{path}{name}.")
        elif one != other:
            found.append(path + name)
    return sorted(found)


def _both_sides(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return sorted({*_inner(first, second), *_inner(second, first)})


EXERCISES = {
    "08.1": Exercise(
        "defaults are filled before hashing",
        grade_request,
        (
            "Which of the four fields may be left out, and what stands there then?",
            "Capitals do no harm. One number asks for more than the other request does.",
            "Look at `k`: the default is in the table on what moves a key, in the row of defaults spelled out.",
        ),
        (
            Wrong({"query": "json", "collection": "serialization", "version": "3.12", "k": 3}, CASE),
            Wrong({"query": "JSON", "collection": "serialization", "version": "3.12", "k": 1}, K),
            Wrong({"query": "JSON", "collection": "serialization", "version": "3.12", "k": 2.0}, REFUSED),
            Wrong({"query": "JSON", "collection": "files", "version": "3.12", "k": 2}, OTHER_REQUEST),
        ),
    ),
    "08.2": Exercise(
        "the key names what the result depends on",
        grade_record_key,
        (
            "Ask of each name: could another value of it give another result?",
            "The same principal may come back with a new token, in another run, at another time.",
            "Three names stay out: the token, the run and the time.",
        ),
        (
            Wrong(canonical_hash, RUN),
            Wrong(_all_but("run_id"), TIME),
            Wrong(_all_but("run_id", "asked_at"), TOKEN),
            Wrong(_all_but(*OF_THE_RUN, "principal"), PRINCIPAL),
            Wrong(_all_but(*OF_THE_RUN, "policy_id"), POLICY),
            Wrong(_all_but(*OF_THE_RUN, "corpus_id"), CORPUS),
            Wrong(_all_but(*OF_THE_RUN, "pipeline"), PIPELINE),
            Wrong(_all_but(*OF_THE_RUN, "version"), REQUEST),
        ),
    ),
    "08.3": Exercise(
        "what the caller sends stays inside its part",
        grade_flat_key,
        (
            "What does the dictionary hold when the caller sends a field that is called `principal`?",
            "Two stars spread the caller's fields among your own. Keep them in a part of their own.",
            'Put `"request": asked` in the place of `**asked`.',
        ),
        (
            Wrong(_flat, OVERWRITTEN),
            Wrong(lambda who, policy, asked: canonical_hash({**asked, "principal": who, "policy_id": policy}), DROPPED),
            Wrong(lambda who, policy, asked: canonical_hash(who + policy + canonical_json(asked)), BOUNDARY),
            Wrong(lambda who, policy, asked: canonical_hash([who, policy, list(asked.items())]), ORDER),
        ),
    ),
    "08.4": Exercise(
        "explain names what differs",
        grade_differing,
        (
            "Go through the names that either of the two has.",
            "Where both have a dictionary under a name, do the same inside it, with the name and a dot in front.",
            "Let the function call itself with a third argument, the path so far; sort what is found at the end.",
        ),
        (
            Wrong(_outer, TOP_ONLY),
            Wrong(_inner, ONE_SIDED),
            Wrong(lambda first, second: _both_sides(first, second)[:1], FIRST_ONLY),
            Wrong(lambda first, second: _both_sides(first, second) or ["none"], EQUAL),
        ),
    ),
}
