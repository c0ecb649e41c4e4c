"""Predictions and exercises of 11_admission."""

from collections.abc import Iterable
from typing import Any

from labkit.lesson import judges_11 as judges
from labkit.lesson.exercise import Exercise, Wrong, in_order
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "11.A": Prediction(
        "no coercion",
        {
            "k = 1": "to Python, True is the integer one, and nobody told the model to be strict",
            "k = 2": "what is no integer counts as not sent; a default stands in for a missing field only",
            "refused": "the model says int, and true is no int in JSON; the model makes one of it where it can",
        },
    ),
    "11.B": Prediction(
        "each key once",
        {
            "serialization": "the first counts, as it does for the program in front; Python's parser takes the last",
            "files": "a later key replaces an earlier one, and what was checked in front was the earlier",
            "refused": "a key that is said twice is an error in JSON; the standard only says that it should not be",
        },
    ),
    "11.C": Prediction(
        "no echo",
        {
            "200": "what the parser reads is let in; the parser reads it, and the model refuses it",
            "422": "the body is refused, and the reply says why; it would, if JSON could say it",
            "500": "the refusal repeats a value that no JSON can say, and breaks",
        },
    ),
    "11.D": Prediction(
        "identity before the body",
        {
            "401": "the dependency of the whole app comes first; it comes after the body was read and parsed",
            "422": "the body is parsed first, and a mistake in it is told to whoever sent it",
            "400": "half an object is a request that cannot be understood; but something did try to understand it",
        },
    ),
    "11.E": Prediction(
        "a body is read up to its limit",
        {
            "none": "a body that will be too long is not asked for; that it will be, nobody has declared",
            "four": "at the limit it is enough; a body of just the limit is allowed, and may end here",
            "five": "the first that crosses the limit settles it",
            "all": "a body is read whole before it is measured; then its sender decides how much memory that takes",
        },
    ),
}


STEPS = judges.STEPS


def _read(limit_reached: Any, given: Any = None) -> Any:
    """A reader that stops when `limit_reached(chunk, body, limit)`, and then gives `given(body, limit)`."""

    def read_at_most(chunks: Iterable[bytes], limit: int) -> Any:
        body = b""
        for chunk in chunks:
            body += chunk
            if limit_reached(chunk, body, limit):
                return given(body, limit) if given else None
        return body

    return read_at_most


def _admits(k_of: Any, *, fields: Any = frozenset({"query", "k"}), query_of: Any = None, low: int = 1) -> Any:
    """An `admit` that takes `k` by `k_of`, which gives None for one that it refuses."""

    def admit(body: dict[str, Any]) -> Any:
        query, k = body.get("query"), k_of(body)
        text = query_of(body) if query_of else (isinstance(query, str) and query)
        if (fields and body.keys() - fields) or not text or k is None or not low <= k <= 10:
            return None
        return query, k

    return admit


def _strict_k(body: dict[str, Any]) -> Any:
    k = body.get("k", 2)
    return k if type(k) is int else None


def _whole_k(body: dict[str, Any]) -> Any:
    k = body.get("k", 2)
    return k if type(k) in (int, float) and k == int(k) else None


def _coerced_k(body: dict[str, Any]) -> Any:
    k = body.get("k", 2)
    return int(k) if type(k) in (int, str) else None


EXERCISES = {
    "11.1": Exercise(
        "one order of admission",
        in_order(judges.STEPS, judges.BEFORE),
        (
            "Which of them need no body at all? Which need one that is understood?",
            "The router is first, who asks comes next, and what the body says comes last.",
            "Path and method, token, type, size; then strict JSON, schema, grant.",
        ),
        (
            Wrong([STEPS[1], STEPS[0], *STEPS[2:]], judges.ROUTE_LATE),
            Wrong([STEPS[0], *STEPS[2:6], STEPS[1], STEPS[6]], judges.STRANGER),
            Wrong([*STEPS[:2], STEPS[3], STEPS[2], *STEPS[4:]], judges.TYPE_LATE),
            Wrong([*STEPS[:3], STEPS[4], STEPS[3], *STEPS[5:]], judges.SIZE_LATE),
            Wrong([*STEPS[:4], STEPS[5], STEPS[4], STEPS[6]], judges.SCHEMA_EARLY),
            Wrong([*STEPS[:2], STEPS[6], *STEPS[2:6]], judges.GRANT_EARLY),
        ),
    ),
    "11.2": Exercise(
        "a body is read up to its limit",
        judges.grade_read_at_most,
        (
            '`b"".join(chunks)` takes every chunk before anything is measured.',
            "Add the chunks one by one, and look at the length after each.",
            "In a loop: add the chunk; longer than the limit, return `None` at once. After the loop, return the body.",
        ),
        (
            Wrong(lambda chunks, limit: body if len(body := b"".join(chunks)) <= limit else None, judges.READS_ON),
            Wrong(lambda chunks, limit: body if len(body := b"".join(chunks)) < limit else None, judges.AT_LIMIT),
            Wrong(_read(lambda _chunk, body, limit: len(body) >= limit), judges.AT_LIMIT),
            Wrong(_read(lambda chunk, _body, limit: len(chunk) > limit), judges.EACH_ALONE),
            Wrong(
                _read(lambda _chunk, body, limit: len(body) > limit, lambda body, limit: body[:limit]),
                judges.GIVES_A_PART,
            ),
            Wrong(_read(lambda _chunk, body, limit: len(body) > limit, lambda _body, _limit: False), judges.NOT_NONE),
            Wrong(lambda chunks, _limit: list(chunks), judges.NOT_WHOLE),
            Wrong(lambda _chunks, _limit: None, judges.ALL_REFUSED),
        ),
    ),
    "11.3": Exercise(
        "no coercion, no other field",
        judges.grade_admit,
        (
            "`isinstance(True, int)` is True. Ask for the type itself.",
            '`body.keys() - {"query", "k"}` holds the fields that nobody asked for.',
            "`type(k) is int` and `1 <= k <= 10`; `type(query) is str` and not empty; no other key. Else `None`.",
        ),
        (
            Wrong(_admits(lambda body: k if isinstance(k := body.get("k", 2), int) else None), judges.BOOLEAN),
            Wrong(_admits(_whole_k), judges.FLOAT),
            Wrong(_admits(_coerced_k), judges.TEXT),
            Wrong(_admits(lambda body: 2 if body.get("k") is None else _strict_k(body)), judges.NULL),
            Wrong(_admits(_strict_k, fields=None), judges.FIELDS),
            Wrong(lambda body: _admits(_strict_k, fields=None)(body) if len(body) <= 2 else None, judges.FIELDS),
            Wrong(_admits(_strict_k, low=0), judges.RANGE),
            Wrong(_admits(_strict_k, query_of=lambda body: "query" in body), judges.NO_QUERY),
            Wrong(_admits(lambda body: k if type(k := body.get("k", 1)) is int else None), judges.NO_DEFAULT),
            Wrong(lambda body: _admits(_strict_k)(body) if body.get("k") != 1 else None, judges.EDGES),
            Wrong(lambda body: _admits(_strict_k)(body) or False, judges.NO_SIGN),
            Wrong(lambda body: body, judges.PAIR),
            Wrong(lambda _body: None, judges.ALL_REFUSED),
        ),
    ),
}
