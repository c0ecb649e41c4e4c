"""Predictions and exercises of 11_admission."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from labkit.lesson.exercise import Exercise, Failure, Wrong, as_list, call, in_order
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

STRANGER = "a stranger's body may be looked at before its token; then a stranger is told about it"
ROUTE_LATE = "a token comes before everything; which paths there are is no secret, and no path can be asked without one"
TYPE_LATE = "the size says enough; a body of another type is not even measured"
SIZE_LATE = "a body can be parsed and then measured; parsing one that is too large is what the limit prevents"
SCHEMA_EARLY = "fields can be looked at before the text is JSON; until then there are none"
GRANT_EARLY = "the grant comes with the token; for which collection, only the schema has made sure"
READS_ON = "the answer is right, so how it comes about does not matter; its sender decides how much is kept"
AT_LIMIT = "the limit itself is too long; a body of just that length is allowed"
EACH_ALONE = "each chunk is short enough; together they are not"
GIVES_A_PART = "what was read up to the limit is a body; half a request is another request"
ALL_REFUSED = "refusing everything is safe; then nobody can ask"
BOOLEAN = "True is an integer; to Python it is, and in JSON it is not"
FLOAT = "a float that is whole is an integer; it is another value, in JSON as in a key"
TEXT = "text of digits is a number; that is coercion"
NULL = "null counts as not sent; it was sent, and it is no number"
FIELDS = "an unknown field does no harm; it is a caller who believes that it does something"
RANGE = "every integer will do; k is from 1 to 10"
NO_QUERY = "every body has a query that is text; it is the caller who writes it"
NO_DEFAULT = "each body has a k; without one it is 2"

BEFORE = [
    ("the path and method", "the token", ROUTE_LATE),
    ("the token", "the type", STRANGER),
    ("the token", "the size", STRANGER),
    ("the token", "strict JSON", STRANGER),
    ("the token", "the schema", STRANGER),
    ("the type", "the size", TYPE_LATE),
    ("the size", "strict JSON", SIZE_LATE),
    ("strict JSON", "the schema", SCHEMA_EARLY),
    ("the schema", "the grant", GRANT_EARLY),
]
STEPS = ["the path and method", "the token", "the type", "the size", "strict JSON", "the schema", "the grant"]


def grade_read_at_most(answer: Any, rng: random.Random) -> Failure | None:
    chunks = [bytes([rng.randrange(256)]) * size for size in (3, 0, 5, rng.randint(1, 4))]
    body = b"".join(chunks)

    def read(limit: int) -> tuple[Any, int]:
        taken = list[bytes]()
        return call(answer, _counted(chunks, taken), limit, case=f"a limit of {limit} bytes"), len(taken)

    for limit, thought in [(len(body) + 1, ALL_REFUSED), (len(body), AT_LIMIT)]:
        if read(limit)[0] != body:
            case = "a body of just the limit" if thought == AT_LIMIT else "a body below the limit"
            return Failure(case, "the whole body", thought)
    for limit, wanted in [(7, 3), (0, 1)]:
        got, taken = read(limit)
        if got is not None:
            thought = GIVES_A_PART if isinstance(got, bytes) and len(got) < len(body) else EACH_ALONE
            return Failure("a body over the limit, in chunks that are not", "None", thought)
        if taken != wanted:
            return Failure("a body over the limit", "no chunk after the one that crosses it", READS_ON)
    return None


def grade_admit(answer: Any, rng: random.Random) -> Failure | None:
    query, k = rng.choice(["json", "file", "text"]), rng.randint(2, 9)
    good: list[tuple[dict[str, Any], Any, str]] = [
        ({"query": query, "k": k}, (query, k), ALL_REFUSED),
        ({"k": 10, "query": query}, (query, 10), RANGE),
        ({"query": query}, (query, 2), NO_DEFAULT),
    ]
    bad: list[tuple[dict[str, Any], str]] = [
        ({"query": query, "k": True}, BOOLEAN),
        ({"query": query, "k": float(k)}, FLOAT),
        ({"query": query, "k": str(k)}, TEXT),
        ({"query": query, "k": None}, NULL),
        ({"query": query, "k": [k]}, TEXT),
        ({"query": query, "k": 0}, RANGE),
        ({"query": query, "k": 11}, RANGE),
        ({"query": query, "k": k, "principal": "editor"}, FIELDS),
        ({"query": query, "principal": "editor"}, FIELDS),
        ({"k": k}, NO_QUERY),
        ({"query": k}, NO_QUERY),
        ({"query": ""}, NO_QUERY),
    ]
    for body, wanted, thought in [*good, *[(body, None, thought) for body, thought in bad]]:
        got = call(answer, dict(body), case=f"admit({body})")
        if got != as_list(wanted):
            return Failure(f"admit({body})", repr(wanted), thought)
    return None


def _counted(chunks: Iterable[bytes], taken: list[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        taken.append(chunk)
        yield chunk


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
        in_order(STEPS, BEFORE),
        (
            "Which of them need no body at all? Which need one that is understood?",
            "The router is first, who asks comes next, and what the body says comes last.",
            "Path and method, token, type, size; then strict JSON, schema, grant.",
        ),
        (
            Wrong([STEPS[1], STEPS[0], *STEPS[2:]], ROUTE_LATE),
            Wrong([STEPS[0], *STEPS[2:6], STEPS[1], STEPS[6]], STRANGER),
            Wrong([*STEPS[:2], STEPS[3], STEPS[2], *STEPS[4:]], TYPE_LATE),
            Wrong([*STEPS[:3], STEPS[4], STEPS[3], *STEPS[5:]], SIZE_LATE),
            Wrong([*STEPS[:4], STEPS[5], STEPS[4], STEPS[6]], SCHEMA_EARLY),
            Wrong([*STEPS[:2], STEPS[6], *STEPS[2:6]], GRANT_EARLY),
        ),
    ),
    "11.2": Exercise(
        "a body is read up to its limit",
        grade_read_at_most,
        (
            '`b"".join(chunks)` takes every chunk before anything is measured.',
            "Add the chunks one by one, and look at the length after each.",
            "In a loop: add the chunk; longer than the limit, return `None` at once. After the loop, return the body.",
        ),
        (
            Wrong(lambda chunks, limit: body if len(body := b"".join(chunks)) <= limit else None, READS_ON),
            Wrong(lambda chunks, limit: body if len(body := b"".join(chunks)) < limit else None, AT_LIMIT),
            Wrong(_read(lambda _chunk, body, limit: len(body) >= limit), AT_LIMIT),
            Wrong(_read(lambda chunk, _body, limit: len(chunk) > limit), EACH_ALONE),
            Wrong(_read(lambda _chunk, body, limit: len(body) > limit, lambda body, limit: body[:limit]), GIVES_A_PART),
            Wrong(lambda _chunks, _limit: None, ALL_REFUSED),
        ),
    ),
    "11.3": Exercise(
        "no coercion, no other field",
        grade_admit,
        (
            "`isinstance(True, int)` is True. Ask for the type itself.",
            '`body.keys() - {"query", "k"}` holds the fields that nobody asked for.',
            "`type(k) is int` and `1 <= k <= 10`; `type(query) is str` and not empty; no other key. Else `None`.",
        ),
        (
            Wrong(_admits(lambda body: k if isinstance(k := body.get("k", 2), int) else None), BOOLEAN),
            Wrong(_admits(_whole_k), FLOAT),
            Wrong(_admits(_coerced_k), TEXT),
            Wrong(_admits(lambda body: 2 if body.get("k") is None else _strict_k(body)), NULL),
            Wrong(_admits(_strict_k, fields=None), FIELDS),
            Wrong(lambda body: _admits(_strict_k, fields=None)(body) if len(body) <= 2 else None, FIELDS),
            Wrong(_admits(_strict_k, low=0), RANGE),
            Wrong(_admits(_strict_k, query_of=lambda body: "query" in body), NO_QUERY),
            Wrong(_admits(lambda body: k if type(k := body.get("k", 1)) is int else None), NO_DEFAULT),
            Wrong(lambda _body: None, ALL_REFUSED),
        ),
    ),
}
