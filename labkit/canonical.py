"""One spelling and one hash for a value, so that "the same" is a question about bytes.

Taught in 01_canonical.
"""

import hashlib
import json
import math
from collections.abc import Collection, Iterable
from typing import Any

from labkit.errors import NotCanonical

MAX_DEPTH = 64
"""Levels of nesting accepted: a scalar has 0, `[]` has 1. Our choice: deep enough for a request, safe for a parser."""
MAX_PARTS = 1_000_000
"""Values in values accepted, each as often as it is spelled: 40 lists, each twice in the next, are 2**40 to spell."""
SPELLING = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)
"""Made once; it need not look for a list that holds itself, since `_check` has bounded the depth."""
CONTAINERS = frozenset({dict, list, tuple})
"""Exactly these: a subclass says what it holds by code of its own, and may say another thing the next time."""
TEXT = frozenset({str})
PLAIN = frozenset({str, int, bool, type(None)})
"""Types whose values JSON can always say; a lone surrogate and an endless integer show when they are spelled."""


def canonical_bytes(value: Any) -> bytes:
    """The one spelling of a JSON value, as UTF-8: keys sorted by code point, no white space, non-ASCII as it is.

    A tuple is spelled as a list. `True`, `1` and `1.0` stay three values, and text is not Unicode-normalised.
    NotCanonical for NaN, infinities, keys that are not text, lone surrogates, more than `MAX_DEPTH` levels, the rest.
    """
    _check(value)
    try:
        return SPELLING.encode(value).encode()
    except UnicodeEncodeError:
        raise NotCanonical("text holds a lone surrogate; wanted text that UTF-8 can write") from None
    except ValueError:  # Python refuses to spell an integer of more than 4,300 digits
        raise NotCanonical("an integer too long to spell; wanted at most 4,300 digits") from None


def canonical_json(value: Any) -> str:
    """`canonical_bytes` as text, to be read."""
    return canonical_bytes(value).decode()


def canonical_hash(value: Any) -> str:
    """SHA-256 of `canonical_bytes`, as 64 lowercase hex digits."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def is_object(value: Any) -> bool:
    """Whether the value is an object as JSON has them: a dict and texts as its keys, none of a caller's own type."""
    return type(value) is dict and TEXT.issuperset(map(type, value))


def frame(tag: str, content: bytes) -> bytes:
    """One part of a key that cannot run into the next: tag, length in bytes, content (`tag:3:abc`).

    ValueError for a tag that is empty or holds a colon: the reader could not tell where it ends.
    """
    if not tag or ":" in tag:
        raise ValueError("a frame's tag is text without a colon, not empty")
    return b"%s:%d:%s" % (tag.encode(), len(content), content)


def framed_hash(parts: Iterable[tuple[str, bytes]]) -> str:
    """SHA-256 over the (tag, content) parts, framed and in order, as 64 lowercase hex digits."""
    return hashlib.sha256(b"".join(frame(tag, content) for tag, content in parts)).hexdigest()


def _check(value: Any) -> None:
    # Level by level, not by recursion: 100,000 brackets are refused here, not by the interpreter's stack.
    level, seen = [value], 0
    for depth in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for item in level:
            if type(item) not in CONTAINERS:
                _check_scalar(item)
                continue
            seen += len(item)
            if depth == MAX_DEPTH:
                raise NotCanonical(f"nested too deeply; wanted at most {MAX_DEPTH} levels")
            if seen > MAX_PARTS:
                raise NotCanonical(f"too many parts; wanted at most {MAX_PARTS:,}")
            for part in _parts(item):
                if type(part) not in PLAIN:  # most are, and a closer look at each would cost more than this one
                    below.append(part)
        if not below:
            return
        level = below


def _check_scalar(item: Any) -> None:
    kind = type(item)
    if issubclass(kind, float):
        if not math.isfinite(item):
            raise NotCanonical("a number that is not finite; JSON has no NaN and no infinity")
    elif not (item is None or issubclass(kind, str | int)):
        raise NotCanonical(f"a value of type {kind.__name__}; wanted a JSON value")


def _parts(container: dict[Any, Any] | list[Any] | tuple[Any, ...]) -> Collection[Any]:
    if type(container) is not dict:
        return container
    if not TEXT.issuperset(map(type, container)):  # json.dumps would spell 1 and "1" alike
        wrong = next(kind for kind in map(type, container) if kind is not str)
        raise NotCanonical(f"a key of type {wrong.__name__}; wanted text")
    return container.values()
