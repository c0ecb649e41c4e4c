"""Predictions and exercises of 12_record."""

import random
from collections.abc import Collection
from typing import Any

from labkit.canonical import canonical_hash
from labkit.fixtures import read_fixture
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "12.A": Prediction(
        "a handle is its principal's own",
        {
            "text returned": "both may read the passage, so either may use the handle; it is bound to who got it",
            "collection_denied": "a foreign handle is denied; the grant is there, and what fails is the binding",
            "handle_binding_mismatch": "the grant is looked at first and is there; then the handle is another's",
            "unissued_or_expired_handle": "the reader has no such handle; the server knows it, as the editor's",
        },
    ),
    "12.B": Prediction(
        "equal requests have one key",
        {
            "none": "a hit is the same answer; it says that it is a hit",
            "one": "one key, one kept result, and another word for what the cache did",
            "all": "what was typed differs; the key and the result hold the normalized request",
        },
    ),
    "12.C": Prediction(
        "nothing of the run in a reply",
        {
            "none": "the same search in the same corpus, under the same policy, by the same steps",
            "one": "a result made anew has something new about it; no time and no id of the run is in it",
            "all": "the old entry is dead, and this one has another key; its key is made of the same parts",
        },
    ),
    "12.D": Prediction(
        "an observation shows no inside",
        {
            "nowhere": "a kept failure and a new one are told in the same words",
            "in the second": "a kept answer can be told from a new one; only if it says so itself",
            "in both": "a service that does other things says other things; not to these two questions",
        },
    ),
    "12.E": Prediction(
        "a hash without a secret is not a signature",
        {
            "nothing": "whoever can edit the body can compute the hashes",
            "cache_key is wrong": "the key belongs to the reader; it was computed anew for the editor",
            "result_sha256 is wrong": "a hash protects what it is over; only from those who cannot compute it",
        },
    ),
}

HIT = "a hit gives the same result; its body says that it is a hit"
PRINCIPAL = "the same evidence makes the same reply; the result says for whom it was made"
OTHER_REQUEST = "two replies of one kind are equal; each says what was asked"
ITSELF = "a reply is equal to itself; two are wanted"
NO_SUCH = "there is an observation of that name"
SELF = "the hash is part of what it is over; it was computed before there was one"
LEFT_OUT = "some fields do not matter; whoever changes one of those is not found out"
ALWAYS = "what a service sends is what it computed; that is what the check is for"
KEY_ALONE = "another key is the whole reason; the question is what made it another"
NEVER_KEPT = "the same key and no hit means that the entry was dropped; a bypass was never put"
EVIDENCE = "the same evidence means the same key; two principals can be given the same"
ERROR_BODY = "each body has a result; an error's has a code alone"
KEPT = "a hit has a reason in the key; it has its result from the cache"
FIRST_PARTS = "policy and corpus are always the same; they are replaced while a service runs"
PARTS = ("principal", "policy_id", "corpus_id", "request", "pipeline")


def grade_pair(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == {"one": "first_miss", "the other": "other_principal_miss"}:
        raise Unanswered
    observed = {each["name"]: each["body"] for each in read_fixture("observations/results.json")["observations"]}
    names = list(answer.values()) if isinstance(answer, dict) else []
    case = "the two bodies"
    if len(names) != 2 or not all(isinstance(name, str) and name in observed for name in names):
        return Failure(case, "two observations of the results lab", NO_SUCH)
    one, other = (observed[name] for name in names)
    if names[0] == names[1]:
        return Failure(case, "two observations", ITSELF)
    if one == other:
        return None
    of_whom = {body["result"]["principal"] for body in (one, other) if "result" in body}
    thought = HIT if "normalized_hit" in names else PRINCIPAL if len(of_whom) == 2 else OTHER_REQUEST
    return Failure(case, "the same bytes", thought)


def grade_verifies(answer: Any, rng: random.Random) -> Failure | None:
    result = _body(rng)["result"]
    if call(answer, dict(result), case="a result as it was sent") is not True:
        return Failure("a result as it was sent", "True", SELF)
    for name in result:
        case = f"a result in which `{name}` was changed"
        if call(answer, result | {name: "changed"}, case=case) is not False:
            return Failure(case, "False", ALWAYS if name == "result_sha256" else LEFT_OUT)
    return None


def grade_behind(answer: Any, rng: random.Random) -> Failure | None:
    first, new = _body(rng), f"new-{rng.randint(10, 99)}"
    error = {"error": {"code": rng.choice(["tool_failure", "collection_denied"])}}
    cases: list[tuple[str, dict[str, Any], str, str]] = [
        ("a refusal", error, "no result", ERROR_BODY),
        ("the same again, at once", first | {"cache": "hit"}, "kept", KEPT),
        ("the same again, later", first, "dropped", KEY_ALONE),
        ("the same by the editor", _made(first, principal="editor"), "principal", EVIDENCE),
        ("a word that stands nowhere", _made(first, "bypass", request=new), "not completed", NEVER_KEPT),
        *[(f"another {part}", _made(first, **{part: new}), part, KEY_ALONE) for part in ("request", "pipeline")],
        *[(f"another {part}", _made(first, **{part: new}), part, FIRST_PARTS) for part in ("policy_id", "corpus_id")],
    ]
    for case, second, wanted, thought in cases:
        if call(answer, first, second, case=case) != wanted:
            return Failure(f"a miss, then {case}", f'"{wanted}"', thought)
    empty = first | {"cache": "bypass"}
    if call(answer, first, empty, case="a bypass") != "not completed":
        return Failure("a bypass under the same key", '"not completed"', NEVER_KEPT)
    return None


def _body(rng: random.Random) -> dict[str, Any]:
    """A reply to a first request, with hashes that verify."""
    request = {"query": rng.choice(["json", "file"]), "collection": "serialization", "k": rng.randint(1, 10)}
    parts = {"principal": "reader", "policy_id": "p1", "corpus_id": "c1", "request": request, "pipeline": "one"}
    return _made({"result": {"status": "completed", **parts, "evidence": [{"text": f"text {rng.randint(1, 99)}"}]}})


def _made(body: dict[str, Any], cache: str = "miss", **parts: Any) -> dict[str, Any]:
    rest = {name: value for name, value in body["result"].items() if name != "result_sha256"} | parts
    key = canonical_hash({name: rest[name] for name in PARTS})
    return {"cache": cache, "cache_key": key, "result": {**rest, "result_sha256": canonical_hash(rest)}}


def _verifies_without(*names: str) -> Any:
    return lambda result: (
        canonical_hash({name: value for name, value in result.items() if name not in names}) == result["result_sha256"]
    )


def _behind(*, parts: Collection[str] = PARTS, miss: str = "", bypass: str = "not completed", hit: str = "kept") -> Any:
    """A `behind` with one flaw: parts it does not look at, or one word for all misses, bypasses or hits."""

    def behind(first: dict[str, Any], second: dict[str, Any]) -> str:
        if "error" in second:
            return "no result"
        if second["cache"] != "miss":
            return {"hit": hit, "bypass": bypass}[second["cache"]]
        if miss and first["cache_key"] != second["cache_key"]:
            return miss
        return next((part for part in parts if first["result"][part] != second["result"][part]), "dropped")

    return behind


def _by_evidence(first: dict[str, Any], second: dict[str, Any]) -> str:
    same = "error" not in second and first["result"]["evidence"] == second["result"]["evidence"]
    return "dropped" if same and second["cache"] == "miss" else _behind()(first, second)


EXERCISES = {
    "12.1": Exercise(
        "nothing of the run in a reply",
        grade_pair,
        (
            "What does a body say about when it was made?",
            "One of the observations is the same request again, after the entry was dead.",
            "A miss is told like a miss: put `real_ttl_expired_miss` beside `first_miss`.",
        ),
        (
            Wrong({"one": "first_miss", "the other": "normalized_hit"}, HIT),
            Wrong({"one": "first_miss", "the other": "empty_bypass_first"}, OTHER_REQUEST),
            Wrong({"one": "normalized_hit", "the other": "other_principal_miss"}, HIT),
            Wrong({"one": "real_ttl_expired_miss", "the other": "other_principal_miss"}, PRINCIPAL),
            Wrong({"one": "first_miss", "the other": "first_miss"}, ITSELF),
            Wrong({"one": "first_miss", "the other": "second_miss"}, NO_SUCH),
        ),
    ),
    "12.2": Exercise(
        "a hash verifies from the body alone",
        grade_verifies,
        (
            "Which field cannot have been there when the hash was computed?",
            "A hash is over everything but itself.",
            "A dictionary of all names and values of `result` but those of `result_sha256`.",
        ),
        (
            Wrong(_verifies_without(), SELF),
            Wrong(_verifies_without("result_sha256", "status"), SELF),
            Wrong(lambda result: "result_sha256" in result, LEFT_OUT),
            Wrong(lambda result: len(result["result_sha256"]) == 64, LEFT_OUT),
        ),
    ),
    "12.3": Exercise(
        "a part of the key, or a rule of the cache",
        grade_behind,
        (
            "Begin with what needs no look at the first body: an error, a hit, a bypass.",
            "For a miss, go through the five parts of the two results, and return the first that differs.",
            'After the loop nothing differs: the key was the same, and the entry is gone. That is `"dropped"`.',
        ),
        (
            Wrong(_behind(miss="request"), EVIDENCE),
            Wrong(_behind(parts=("principal", "request", "pipeline")), FIRST_PARTS),
            Wrong(_behind(parts=("principal", "policy_id", "corpus_id")), KEY_ALONE),
            Wrong(_behind(bypass="dropped"), NEVER_KEPT),
            Wrong(_behind(hit="dropped"), KEPT),
            Wrong(_by_evidence, EVIDENCE),
            Wrong(lambda first, second: "dropped" if first == second else "kept", ERROR_BODY),
        ),
    ),
}
