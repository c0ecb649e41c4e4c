"""How the exercises of 12 are judged: which case an answer fails, and the thought behind it."""

import random
from typing import Any

from labkit.canonical import canonical_hash
from labkit.fixtures import read_fixture
from labkit.lesson.exercise import Failure, Unanswered, call

FORM = "other fields will do; `mine` keeps its two, and each names an observation"
NO_SUCH = "there is an observation of that name in the results lab"
ONE_CHANGE = "both names may be changed; one change is enough, and shows what two equal replies have in common"
ITSELF = "a reply is equal to itself; two are wanted"
PRINCIPAL = "the same evidence makes the same reply; the result says for whom it was made"
HIT = "a hit gives the same result; its body says that it is a hit"
OTHER_REQUEST = "two answers are alike; each says what was asked, and what the cache did"
REFUSAL = "a refusal and an answer are alike; a refusal is a code and nothing more"
NO_BOOL = "anything that can be taken for yes or no will do; `True` or `False` is asked for"
SELF = "the hash may be over other fields, itself among them; it is over all that were there before it"
LEFT_OUT = "some fields do not matter; whoever changes one of those is not found out"
ALWAYS = "what a service sends is what it computed; that is what the check is for"
TAKEN_APART = "the result may be taken apart to check it; whoever sent it in still has it, and its hash is gone"
NO_WORD = "any sign will do; one of the words above is asked for"
ERROR_BODY = "each body has a result; an error's has a code alone"
KEPT = "a hit has a reason in the key; it has its result from the cache"
NEVER_KEPT = "the same key and no hit means that the entry was dropped; a bypass was never put"
KEY_ALONE = "another key is the whole reason; the question is which part made it another"
EVIDENCE = "the same evidence means the same key; two principals can be given the same"
FIRST_PARTS = "policy and corpus are always the same; they are replaced while a service runs"
UNSEEN = "a part of the key need not be looked at; each of the five can be the one that differs"
SAME_KEY = "a miss always has another key; under the same key, the entry itself is gone"
NO_MISS = "what the cache did need not be looked at; a miss was neither kept nor of the kind that never is"
PARTS = ("principal", "policy_id", "corpus_id", "request", "pipeline")
WORDS = ("kept", "not completed", "no result", "dropped", *PARTS)
STUB = {"one": "first_miss", "the other": "other_principal_miss"}


def grade_pair(answer: Any, _rng: random.Random) -> Failure | None:
    observed = {each["name"]: each["body"] for each in read_fixture("observations/results.json")["observations"]}
    case = "the two bodies"
    if type(answer) is not dict or answer.keys() != STUB.keys():
        return Failure("`mine`", "a dictionary of `one` and `the other`", FORM)
    names = [answer["one"], answer["the other"]]
    if not all(type(name) is str and name in observed for name in names):
        return Failure(case, "two observations of the results lab", NO_SUCH)
    changed = sum(answer[field] != name for field, name in STUB.items())
    if changed != 1:
        if not changed:
            raise Unanswered
        return Failure("`mine`", "one name changed", ONE_CHANGE)
    if names[0] == names[1]:
        return Failure(case, "two observations", ITSELF)
    one, other = (observed[name] for name in names)
    return None if one == other else Failure(case, "the same bytes", _of_pair(one, other))


def _of_pair(one: dict[str, Any], other: dict[str, Any]) -> str:
    """The thought behind two bodies that differ."""
    if "error" in one or "error" in other:
        return REFUSAL
    if one["result"]["principal"] != other["result"]["principal"]:
        return PRINCIPAL
    return HIT if one["result"] == other["result"] else OTHER_REQUEST


def grade_verifies(answer: Any, rng: random.Random) -> Failure | None:
    result = made(rng)["result"]
    sent = "a result as it was sent"
    cases = [(sent, result, True, SELF)]
    cases += [(_with(name), result | {name: "changed"}, False, LEFT_OUT) for name in result if name != "result_sha256"]
    cases += [(_with("result_sha256"), result | {"result_sha256": "changed"}, False, ALWAYS)]
    cases += [("a result with a field more", result | {"note": "mine"}, False, LEFT_OUT)]
    for case, given, wanted, thought in cases:
        mine = dict(given)
        got = call(answer, mine, case=case)
        if type(got) is not bool:
            return Failure(case, str(wanted), NO_BOOL)
        if got != wanted:
            return Failure(case, str(wanted), thought)
        if mine != given:
            return Failure(case, "the result as it was, when the answer is given", TAKEN_APART)
    return None


def _with(name: str) -> str:
    return f"a result in which `{name}` was changed"


def grade_behind(answer: Any, rng: random.Random) -> Failure | None:
    first, new = made(rng), f"new-{rng.randint(10, 99)}"
    error = {"error": {"code": rng.choice(["tool_failure", "collection_denied"])}}
    unseen = {name: FIRST_PARTS for name in ("policy_id", "corpus_id")} | {"principal": EVIDENCE}
    cases: list[tuple[str, dict[str, Any], str, str]] = [
        ("a refusal", error, "no result", ERROR_BODY),
        ("the same again, at once", first | {"cache": "hit"}, "kept", KEPT),
        ("the same again, later", first, "dropped", SAME_KEY),
        ("a word that stands nowhere", other(first, "bypass", request=new), "not completed", NEVER_KEPT),
        ("a bypass under the same key", first | {"cache": "bypass"}, "not completed", NEVER_KEPT),
        *[(f"another {part}", other(first, **{part: new}), part, unseen.get(part, UNSEEN)) for part in PARTS],
    ]
    for case, second, wanted, thought in cases:
        got = call(answer, first, second, case=case)
        if type(got) is not str or got not in WORDS:
            return Failure(f"a miss, then {case}", f'"{wanted}"', NO_WORD)
        if got != wanted:
            if wanted in PARTS and got != "dropped":
                thought = KEY_ALONE if got in PARTS else NO_MISS
            return Failure(f"a miss, then {case}", f'"{wanted}"', thought)
    return None


def made(rng: random.Random) -> dict[str, Any]:
    """A reply to a first request, with hashes that verify."""
    request = {"query": rng.choice(["json", "file"]), "collection": "serialization", "k": rng.randint(1, 10)}
    parts = {"principal": "reader", "policy_id": "p1", "corpus_id": "c1", "request": request, "pipeline": "one"}
    return other({"result": {"status": "completed", **parts, "evidence": [{"text": f"text {rng.randint(1, 99)}"}]}})


def other(body: dict[str, Any], cache: str = "miss", **parts: Any) -> dict[str, Any]:
    """The same reply with another outcome or other parts, and with hashes that verify."""
    rest = {name: value for name, value in body["result"].items() if name != "result_sha256"} | parts
    key = canonical_hash({name: rest[name] for name in PARTS})
    return {"cache": cache, "cache_key": key, "result": {**rest, "result_sha256": canonical_hash(rest)}}
