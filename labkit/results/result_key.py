"""What makes two retrievals the same: who asks, under which policy, of which snapshot, for what, by which pipeline.

Taught in 08_result_key.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from json.encoder import encode_basestring as spelled
from typing import Any, NamedTuple

from labkit.canonical import canonical_bytes, canonical_hash
from labkit.search_request import MAX_K, SearchRequest

SHOWN_DIGITS = 8
"""How much of an id the small table shows: enough to tell two apart by eye."""


@dataclass(frozen=True)
class Pipeline:
    """The steps that make a result; whoever changes what they do gives them a new version."""

    name: str = "literal-search-read"
    version: int = 1
    max_passages: int = MAX_K

    def __post_init__(self) -> None:
        # 1, 1.0 and True are equal to Python, and three values in the canonical form.
        if not (type(self.version) is type(self.max_passages) is int):
            raise TypeError("a pipeline's version and max_passages are whole numbers")

    def as_json(self) -> dict[str, Any]:
        """The three fields."""
        return asdict(self)


PIPELINE = Pipeline()


@dataclass(frozen=True, kw_only=True)
class ResultKey:
    """Everything that a stored result depends on, and nothing that differs between two equal retrievals."""

    principal: str
    policy_id: str
    corpus_id: str
    request: SearchRequest
    pipeline: Pipeline = PIPELINE

    def as_json(self) -> dict[str, Any]:
        """The five parts, defaults filled."""
        return {
            "principal": self.principal,
            "policy_id": self.policy_id,
            "corpus_id": self.corpus_id,
            "request": self.request.as_json(),
            "pipeline": self.pipeline.as_json(),
        }

    @property
    def cache_key(self) -> str:
        """`canonical_hash` of the five parts: 64 hex digits, under which a result is kept."""
        try:
            rest = _asked(self.principal, self.request).encode()
        except UnicodeEncodeError:  # a lone surrogate: refused in the words of the canonical form
            return canonical_hash(self.as_json())
        begun = _begun(self.corpus_id, self.pipeline, self.policy_id).copy()
        begun.update(rest)
        return begun.hexdigest()


class Difference(NamedTuple):
    """One part in which two keys differ, such as `request.k`, and what each of them has there."""

    part: str
    first: Any
    second: Any


@dataclass(frozen=True)
class Explanation:
    """Every part in which two keys differ, as data; shows itself as a small table."""

    differences: tuple[Difference, ...]

    def rows(self) -> list[dict[str, str]]:
        """A row for each difference, ids cut; one row that says so when there is none."""
        rows = [_row(*each) for each in self.differences]
        return rows or [_row("none", "the same key", "the same key")]

    def __repr__(self) -> str:
        lines = [Difference._fields, *(tuple(row.values()) for row in self.rows())]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        header, *body = (
            " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )
        return "\n".join([header, "-+-".join("-" * width for width in widths), *body])


def explain(first: ResultKey, second: ResultKey) -> Explanation:
    """Why a result kept under the first key does not answer the second: each part that differs, in the key's order."""
    parts = zip(_parts(asdict(first)), _parts(asdict(second)), strict=True)
    return Explanation(tuple(Difference(name, one, other) for (name, one), (_, other) in parts if one != other))


@lru_cache(maxsize=8)
def _begun(corpus_id: str, pipeline: Pipeline, policy_id: str) -> Any:
    # In sorted order these three come first, and they stay from request to request: hashed once, copied after that.
    constant = {"corpus_id": corpus_id, "pipeline": pipeline.as_json(), "policy_id": policy_id}
    return hashlib.sha256(canonical_bytes(constant)[:-1] + b",")


def _asked(principal: str, request: SearchRequest) -> str:
    # The rest of the canonical spelling, by hand: a general encoder takes several times as long, on every look-up.
    named = "" if request.ranking == "shared" else f'"ranking":{spelled(request.ranking)},'
    return (
        f'"principal":{spelled(principal)},"request":{{"collection":{spelled(request.collection)},"k":{request.k},'
        f'"query":{spelled(request.query)},{named}"version":{spelled(request.version)}}}}}'
    )


def _parts(value: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, dict):
            yield from _parts(part, f"{path}{name}.")
        else:
            yield f"{path}{name}", part


def _row(part: str, first: Any, second: Any) -> dict[str, str]:
    length = SHOWN_DIGITS if part.endswith("_id") else None
    return {"part": part, "first": str(first)[:length], "second": str(second)[:length]}
