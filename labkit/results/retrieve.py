"""The whole path of a retrieval; read `retrieve` from top to bottom, since its order is the order of the rules.

A cache serves one gate: the keys of two could not tell two cuts of the same documents apart. Taught in 10_result_cache.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from labkit.access.authorize import authorize
from labkit.access.gate import RESTARTS, Gate, InForce
from labkit.canonical import canonical_bytes, canonical_hash
from labkit.corpus import Passage
from labkit.errors import Refusal
from labkit.results.result_cache import ResultCache, parsed
from labkit.results.result_key import ResultKey
from labkit.search_request import SearchRequest, search_request

EVIDENCE = tuple(each.name for each in fields(Passage))
"""What is kept of a passage: all that says what it is, nothing of the search that found it."""


class Outcome(StrEnum):
    """What the cache had to do with an answer."""

    HIT = "hit"
    MISS = "miss"
    BYPASS = "bypass"


@dataclass(frozen=True)
class Answer:
    """A result, the key it is asked under, and whether it was kept, newly made, or is of the kind never kept."""

    cache: Outcome
    key: ResultKey
    content: bytes = field(repr=False)

    @property
    def result(self) -> dict[str, Any]:
        """The result, parsed anew on each use: the caller's own."""
        return parsed(self.content)

    def as_json(self) -> dict[str, Any]:
        """The reply: cache, cache_key and result."""
        return {"cache": str(self.cache), "cache_key": self.key.cache_key, "result": self.result}

    def as_bytes(self) -> bytes:
        """The reply as canonical JSON, around the bytes of the result as they are."""
        return b'{"cache":"%s","cache_key":"%s","result":%s}' % (
            self.cache.encode(),
            self.key.cache_key.encode(),
            self.content,
        )


def retrieve(gate: Gate, cache: ResultCache, principal: str, asked: Any) -> Answer:
    """The evidence for a request: the kept result, or a new one through the gate; Refusal whenever the gate refuses.

    Nobody who may not ask reaches the cache; nothing is kept under a policy or a corpus that was replaced meanwhile.
    """
    request = search_request(asked, gate.ranking)
    for _ in range(1 + RESTARTS):
        look = gate.in_force
        authorize(look.policy, principal, request.collection)
        key = _key(principal, look, request)
        content = cache.get_bytes(key.cache_key)
        if content is not None:
            return Answer(Outcome.HIT, key, content)
        evidence = _evidence(gate, key)
        if evidence is not None and gate.in_force.is_as(look):
            result = result_of(key, evidence)
            cache.put(key.cache_key, result)
            return Answer(Outcome.MISS if evidence else Outcome.BYPASS, key, canonical_bytes(result))
    raise Refusal("tool_failure", "what is in force was replaced, or handles expired, again and again meanwhile")


def result_of(key: ResultKey, evidence: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """A result and the hash over it: `completed`, or `incomplete` where there is no evidence."""
    listed = list(evidence)
    result = {"status": "completed" if listed else "incomplete", **key.as_json(), "evidence": listed}
    return {**result, "result_sha256": canonical_hash(result)}


def _key(principal: str, look: InForce, request: SearchRequest) -> ResultKey:
    ids = {"policy_id": look.policy.policy_id, "corpus_id": look.corpus.corpus_id}
    return ResultKey(principal=principal, request=request, **ids)


def _evidence(gate: Gate, key: ResultKey) -> list[dict[str, Any]] | None:
    """The passages found and read under the key's ids, in rank order; None when they were not found under those."""
    request = key.request
    asked = {"query": request.query, "collection": request.collection, "version": request.version, "k": request.k}
    apart = gate.apart()  # or other misses of the principal, all at once, would push out each other's handles
    try:
        found = apart.search(key.principal, asked)
        read = [apart.read(key.principal, handle) for handle in found["results"]]
    except Refusal as refused:
        if refused.code == "tool_failure":
            raise
        return None  # it was authorized a moment ago, and each handle was issued to it: something moved since
    if (found["policy_id"], found["corpus_id"]) != (key.policy_id, key.corpus_id):
        return None
    return [{name: passage[name] for name in EVIDENCE} for passage in read]
