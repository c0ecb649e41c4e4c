"""Predictions and exercises of 12_record."""

from collections.abc import Collection
from typing import Any

from labkit.canonical import canonical_hash
from labkit.lesson import judges_12 as judges
from labkit.lesson.exercise import Exercise, Wrong
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


def _verifies_without(*names: str) -> Any:
    return lambda result: (
        canonical_hash({name: value for name, value in result.items() if name not in names}) == result["result_sha256"]
    )


def _behind(
    *, parts: Collection[str] = judges.PARTS, miss: str = "", bypass: str = "not completed", hit: str = "kept"
) -> Any:
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
        judges.grade_pair,
        (
            "What does a body say about when it was made?",
            "One of the observations is the same request again, after the entry was dead.",
            "A miss is told like a miss: put `real_ttl_expired_miss` beside `first_miss`.",
        ),
        (
            Wrong({"one": "first_miss", "the other": "normalized_hit"}, judges.HIT),
            Wrong({"one": "first_miss", "the other": "empty_bypass_first"}, judges.OTHER_REQUEST),
            Wrong({"one": "normalized_hit", "the other": "other_principal_miss"}, judges.PRINCIPAL),
            Wrong({"one": "real_ttl_expired_miss", "the other": "other_principal_miss"}, judges.PRINCIPAL),
            Wrong({"one": "first_miss", "the other": "tool_failure_first"}, judges.REFUSAL),
            Wrong({"one": "empty_bypass_first", "the other": "empty_bypass_again"}, judges.ONE_CHANGE),
            Wrong(["first_miss", "real_ttl_expired_miss"], judges.FORM),
            Wrong({"one": "first_miss", "the other": "first_miss"}, judges.ITSELF),
            Wrong({"one": "first_miss", "the other": "second_miss"}, judges.NO_SUCH),
        ),
    ),
    "12.2": Exercise(
        "a hash verifies from the body alone",
        judges.grade_verifies,
        (
            "Which field cannot have been there when the hash was computed?",
            "A hash is over everything but itself.",
            "A dictionary of all names and values of `result` but those of `result_sha256`.",
        ),
        (
            Wrong(_verifies_without(), judges.SELF),
            Wrong(_verifies_without("result_sha256", "status"), judges.SELF),
            Wrong(lambda result: "result_sha256" in result, judges.LEFT_OUT),
            Wrong(lambda result: len(result["result_sha256"]) == 64, judges.LEFT_OUT),
            Wrong(lambda _result: True, judges.LEFT_OUT),
            Wrong(lambda result: result.pop("result_sha256") == canonical_hash(result), judges.TAKEN_APART),
            Wrong(lambda result: result["result_sha256"], judges.NO_BOOL),
        ),
    ),
    "12.3": Exercise(
        "a part of the key, or a rule of the cache",
        judges.grade_behind,
        (
            "Begin with what needs no look at the first body: an error, a hit, a bypass.",
            "For a miss, go through the five parts of the two results, and return the first that differs.",
            'After the loop nothing differs: the key was the same, and the entry is gone. That is `"dropped"`.',
        ),
        (
            Wrong(_behind(miss="request"), judges.KEY_ALONE),
            Wrong(_behind(miss="kept"), judges.NO_MISS),
            Wrong(_behind(parts=("principal", "request", "pipeline")), judges.FIRST_PARTS),
            Wrong(_behind(parts=("principal", "policy_id", "corpus_id")), judges.UNSEEN),
            Wrong(_behind(bypass="dropped"), judges.NEVER_KEPT),
            Wrong(_behind(hit="dropped"), judges.KEPT),
            Wrong(_by_evidence, judges.EVIDENCE),
            Wrong(lambda first, second: first == second, judges.NO_WORD),
            Wrong(lambda first, second: "dropped" if first == second else "kept", judges.ERROR_BODY),
        ),
    ),
}
