"""How the exercises of 11 are judged: which case an answer fails, and the thought behind it."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from labkit.lesson.exercise import Failure, call

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
NOT_WHOLE = "something of the body will do; the bytes of all chunks are asked for, in their order"
NOT_NONE = "any sign says that a body is too long; `None` is asked for"
PAIR = "a body may be given back in another form; the pair of query and k is asked for, as they were sent"
NO_SIGN = "anything that is no pair says that a body is refused; `None` is asked for"
BOOLEAN = "True is an integer; to Python it is, and in JSON it is not"
FLOAT = "a float that is whole is an integer; it is another value, in JSON as in a key"
TEXT = "text of digits is a number; that is coercion"
NULL = "null counts as not sent; it was sent, and it is no number"
FIELDS = "an unknown field does no harm; it is a caller who believes that it does something"
RANGE = "every integer will do; k is from 1 to 10"
EDGES = "the ends of a range are outside it; 1 and 10 are allowed"
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
        got = read(limit)[0]
        if type(got) not in (bytes, bytearray) or got != body:
            case = "a body of just the limit" if thought == AT_LIMIT else "a body below the limit"
            return Failure(case, "the whole body", thought if got is None else NOT_WHOLE)
    for limit, wanted in [(7, 3), (0, 1)]:
        got, taken = read(limit)
        if got is not None:
            of_body = type(got) in (bytes, bytearray) and body.startswith(got)
            thought = NOT_NONE if not of_body else GIVES_A_PART if len(got) < len(body) else EACH_ALONE
            return Failure("a body over the limit, in chunks that are not", "None", thought)
        if taken != wanted:
            return Failure("a body over the limit", "no chunk after the one that crosses it", READS_ON)
    return None


def grade_admit(answer: Any, rng: random.Random) -> Failure | None:
    query, k = rng.choice(["json", "file", "text"]), rng.randint(2, 9)
    good: list[tuple[dict[str, Any], Any, str]] = [
        ({"query": query, "k": k}, (query, k), ALL_REFUSED),
        ({"query": query, "k": 1}, (query, 1), EDGES),
        ({"k": 10, "query": query}, (query, 10), EDGES),
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
        ({"query": query, "k": 10**18}, RANGE),
        ({"query": query, "k": k, "principal": "editor"}, FIELDS),
        ({"query": query, "principal": "editor"}, FIELDS),
        ({"k": k}, NO_QUERY),
        ({"query": k}, NO_QUERY),
        ({"query": ""}, NO_QUERY),
        ({"query": [query]}, NO_QUERY),
    ]
    for body, wanted, thought in [*good, *[(body, None, thought) for body, thought in bad]]:
        got = call(answer, dict(body), case=f"admit({body})")
        if wanted is None and got is not None:
            return Failure(f"admit({body})", "None", thought if type(got) is list and len(got) == 2 else NO_SIGN)
        if wanted is not None and (type(got) is not list or [*map(type, got)] != [str, int] or got != list(wanted)):
            usual = got is None or (thought == NO_DEFAULT and got == [query, 1])
            return Failure(f"admit({body})", repr(wanted), thought if usual else PAIR)
    return None


def _counted(chunks: Iterable[bytes], taken: list[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        taken.append(chunk)
        yield chunk
