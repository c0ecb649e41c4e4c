"""Predictions and exercises of 01_canonical."""

import json
import math
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from labkit.canonical import NotCanonical, canonical_hash, canonical_json
from labkit.lesson.exercise import Exercise, Failure, Raised, Unanswered, Wrong, call
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "01.A": Prediction(
        "one spelling",
        {
            "same digest": "equal values must have equal digests; but a digest is made from bytes, "
            "and two equal values can be written in two ways",
            "different digests": "the order in which keys were put in is written out; it is, by `json.dumps` alone",
            "refused": "an order of keys can be wrong; JSON objects have none, so there is nothing to refuse",
        },
    ),
    "01.B": Prediction(
        "one spelling",
        {
            "same identity": "Python's `==` decides; but it says that `1` and `True` are equal, "
            "and a search for one passage is no search for `True` passages",
            "different identities": "the two are written differently; they are",
            "refused": "`True` cannot be a count; it cannot, and the schema of a request says so, not its spelling",
        },
    ),
    "01.C": Prediction(
        "no canonical form, no identity",
        {
            "same identity": "`json.dumps` turns the number into text, so the two agree; "
            "then two values that differ would share one identity",
            "different identities": "a number and a text differ; in JSON a key cannot be a number at all",
            "refused": "a value that JSON cannot say has no spelling",
        },
    ),
    "01.D": Prediction(
        "parts with boundaries",
        {
            "two keys": "the parts differ, so the joined text must differ; "
            "but nothing in it says where one part ends and the next begins",
            "one key": "the joined text is the same; it is",
            "refused": "a separator inside a part is an error; a plain join does not look",
        },
    ),
}

BOUNDARY = "nothing in the joined text says where a part ends, so two requests can share a key"
DIGEST = "a digest of the parts is as good; a join writes the parts themselves, and the digest comes later"
NO_TEXT = "the parts themselves, or a number made of them, will do; a key that is joined is one text"
DRAWN = "a text that differs each time keeps all lists apart; then no list has one text, and no key is found again"
UNENDED = "a length beside a part is enough; but nothing says where the length ends, so its digits run into the part"
ORDER = "the parts may come in any order; but who asks and what is asked are not the same part"
KEY_ORDER = "the order of keys is part of a value; the canonical form sorts them"
NO_IDENTITY = "what Python calls equal has an identity; a value that JSON cannot say has none"
OTHER_VALUE = "any change will do; but Python must still call the two equal"
SILENT_TEXT = "a value that JSON cannot say may be written as some text; then it shares a key with that text"
ONE_KEY = "it is enough to refuse; but two requests that differ need two keys"
NAN = "NaN is a number like others; it is not equal to itself, so no key with it can ever be found again"
CHANGED = "a request may be filled in where it lies; its owner still holds it, and sees it change"
OVERRIDDEN = "defaults go on top; then what the caller asked for is lost"
NO_DIGEST = "any spelling will do; an identity is the digest of the canonical form"
UNFILLED = "what was left out stays out; then an omitted default and its explicit equal have two identities"


def grade_equal_but_not_the_same(answer: Any, _rng: random.Random) -> Failure | None:
    original = {"query": "json", "k": 1}
    if repr(answer) == repr(original):
        raise Unanswered
    if answer != original:
        return Failure("`mine == original`", "two requests that Python calls equal", OTHER_VALUE)
    try:
        same = canonical_hash(answer) == canonical_hash(original)
    except NotCanonical:
        return Failure("the identity of `mine`", "a digest, not a refusal", NO_IDENTITY)
    return Failure("the two identities", "two different ones", KEY_ORDER) if same else None


def grade_joined(answer: Any, rng: random.Random) -> Failure | None:
    def joined(*parts: str) -> Any:
        case = f"joined({list(parts)})"
        text = call(answer, list(parts), case=case)
        if not isinstance(text, str):
            raise Raised(Failure(case, "a text", NO_TEXT))
        return text

    one, other, third = (rng.choice("abcdefgh") * rng.randint(1, 3) + str(rng.randint(0, 99)) for _ in range(3))
    whole = joined(one, other)
    if joined(one, other) != whole:
        return Failure(f"{[one, other]}, twice", "the same text", DRAWN)
    if joined(one, "x" + one) == joined("x" + one, one):
        return Failure(f"{[one, 'x' + one]} and the same reversed", "two different texts", ORDER)
    if one not in whole or other not in whole:
        return Failure(f"joined({[one, other]})", "a text that holds the parts", DIGEST)
    # Whatever stands between two parts, a part that holds it is the trap.
    between = whole.partition(one)[2].partition(other)[0]
    word = rng.choice("abcdefgh") * 5
    pairs = [
        ([one + other, third], [one, other + third], BOUNDARY),
        ([one, other, third], [one + between + other, third], BOUNDARY),
        ([one, other], [one + between + other], BOUNDARY),
        ([one + between, other], [one, between + other], BOUNDARY),
        ([one + between + other, third], [one, other + between + third], BOUNDARY),
        ([one, ""], [one], BOUNDARY),
        ([f"5{word}5{word}"], ["2", word, word], UNENDED),  # 12 signs, or a part of 1 sign and two of 5
        ([f"{word}5bbbb4x"], [word, "bbbb", "x1"], UNENDED),  # the same from behind
    ]
    for left, right, thought in pairs:
        if joined(*left) == joined(*right):
            return Failure(f"{left} and {right}", "two different texts", thought)
    return None


def grade_request_key(answer: Any, rng: random.Random) -> Failure | None:
    term = rng.choice(["json", "file", "path"])
    for value, thought in [
        ({"query": {term}}, SILENT_TEXT),
        ({"query": term, "since": complex(1, rng.randint(1, 9))}, SILENT_TEXT),
        ({"query": term, "weight": math.nan}, NAN),
    ]:
        *_, (name, item) = value.items()
        case = f"a request whose {name} is a {type(item).__name__}"
        if call(_refusing(answer), value, case=case) is not _REFUSED:
            return Failure(case, "a ValueError", thought)
    request = {"query": term, "k": rng.randint(1, 10)}
    turned = dict(reversed(request.items()))
    if call(answer, request, case="a request") != call(answer, turned, case="its keys in another order"):
        return Failure(f"{request} and {turned}", "one key", KEY_ORDER)
    other = request | {"k": request["k"] + 1}
    if call(answer, request, case="a request") == call(answer, other, case="another request"):
        return Failure(f"{request} and {other}", "two keys", ONE_KEY)
    return None


def grade_identity(answer: Any, rng: random.Random) -> Failure | None:
    defaults = {"version": "3.12", "k": 2}
    query, k = rng.choice(["json", "file"]), rng.randint(3, 10)
    for request in ({"query": query}, {"query": query, "k": k}, {"query": query, "version": "3.9"}):
        given = deepcopy(request)
        got = call(answer, given, defaults, case=f"identity({request}, {defaults})")
        if given != request or defaults != {"version": "3.12", "k": 2}:
            return Failure(f"{request}, looked at again afterwards", "the request as it was", CHANGED)
        if got == canonical_hash({**request, **defaults}) != canonical_hash({**defaults, **request}):
            return Failure(f"{request}", "an identity that keeps what the caller asked for", OVERRIDDEN)
        if got == canonical_json({**defaults, **request}):
            return Failure(f"{request}", "a digest of 64 digits", NO_DIGEST)
        if got != canonical_hash({**defaults, **request}):
            return Failure(f"{request}", "the identity of the request with its defaults filled in", UNFILLED)
    return None


_REFUSED = object()


def _refusing(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The answer, with its ValueError as a value: here a refusal is the right reply."""

    def ask(value: Any) -> Any:
        try:
            return answer(value)
        except ValueError:
            return _REFUSED

    return ask if callable(answer) else answer


def _lets_nan_through(request: dict[str, Any]) -> str:
    try:
        return json.dumps(request, sort_keys=True)
    except TypeError as error:
        raise ValueError("not JSON") from error


def _fills_in_place(request: dict[str, Any], defaults: dict[str, Any]) -> str:
    for name, default in defaults.items():
        request.setdefault(name, default)
    return canonical_hash(request)


EXERCISES = {
    "01.1": Exercise(
        "one spelling",
        grade_equal_but_not_the_same,
        (
            "Python's `==` and the canonical form disagree about some numbers.",
            "Look at the section on what moves the identity: which two rows does Python call equal?",
            "Leave `query` alone, and write the number one in another way.",
        ),
        (
            Wrong({"k": 1, "query": "json"}, KEY_ORDER),
            Wrong({"query": "json", "k": 3}, OTHER_VALUE),
            Wrong({"query": "json", "k": 1 + 0j}, NO_IDENTITY),
        ),
    ),
    "01.2": Exercise(
        "parts with boundaries",
        grade_joined,
        (
            "A reader of the joined text must be able to tell where each part ends.",
            "A separator alone is not enough: a part may hold it. What can you say about a part before you write it?",
            "Write the length of each part, a colon, then the part.",
        ),
        (
            Wrong("".join, BOUNDARY),
            Wrong(lambda parts: "-".join(part.replace("-", "--") for part in parts), BOUNDARY),
            Wrong(lambda parts: "".join(f"{random.random()}:{part}" for part in parts), DRAWN),
            Wrong(lambda parts: parts, NO_TEXT),
            Wrong(lambda parts: canonical_hash(parts), DIGEST),
            Wrong(lambda parts: "".join(f"{part}{len(part)}" for part in parts), UNENDED),
            Wrong(lambda parts: "".join(f"{len(part)}{part}" for part in parts), UNENDED),
            Wrong(lambda parts: "".join(f"{len(part)}:{part}" for part in sorted(parts)), ORDER),
        ),
    ),
    "01.3": Exercise(
        "no canonical form, no identity",
        grade_request_key,
        (
            "Try the function on a set, on a complex number, on NaN. What comes back?",
            "`default=str` makes a text of whatever JSON cannot say. Where is that text now?",
            "There is a function in this lesson that refuses them all. Use it, and nothing else.",
        ),
        (
            Wrong(lambda request: json.dumps(request, sort_keys=True, default=str), SILENT_TEXT),
            Wrong(lambda request: json.dumps(request, sort_keys=True), "TypeError cannot happen here"),
            Wrong(_lets_nan_through, NAN),
            Wrong(lambda request: canonical_hash(list(request.items())), KEY_ORDER),
            Wrong(lambda request: len(canonical_hash(request)), ONE_KEY),
        ),
    ),
    "01.4": Exercise(
        "defaults are filled before hashing",
        grade_identity,
        (
            "First make the whole request, then hash it.",
            "Which of the two wins where both name a key? And whose dictionary do you write to?",
            "Make a new dictionary: first the defaults, then the request over them.",
        ),
        (
            Wrong(lambda request, defaults: canonical_hash({**request, **defaults}), OVERRIDDEN),
            Wrong(lambda request, _defaults: canonical_hash(request), UNFILLED),
            Wrong(_fills_in_place, CHANGED),
            Wrong(lambda request, defaults: canonical_json(defaults | request), NO_DIGEST),
        ),
    ),
}
