"""The only door to source text: `search` hands out handles, `read` takes one back; each authorizes before all else.

Read the two methods from top to bottom: their order is the order of the rules. Taught in 04_authorize to 06_handles.
"""

import math
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from labkit.access.authorize import authorize
from labkit.access.eligible import eligible
from labkit.access.handles import HANDLE_TTL, MAX_HANDLES, Handles, random_id, same
from labkit.access.policy import Policy, check_sources
from labkit.access.tool import LiteralTools, Tool, ToolFactory
from labkit.bounded_map import Drop
from labkit.canonical import canonical_hash, is_object
from labkit.clock import Clock
from labkit.corpus import Corpus, Passage
from labkit.errors import ConfigError, Refusal
from labkit.search import Hit
from labkit.search_request import SearchRequest, search_request

RESTARTS = 3
"""How often a search starts again because the policy or the corpus was replaced under it."""
CUT_ANEW = "corpus: a snapshot that was in force here, cut into other passages; give it a gate and a cache of its own"


@dataclass(frozen=True)
class InForce:
    """A policy and the corpus it is for, replaced as one: nobody sees the one without the other."""

    policy: Policy
    corpus: Corpus

    def is_as(self, other: "InForce") -> bool:
        """Whether both ids are the same: restored content is the same content."""
        return (self.policy.policy_id, self.corpus.corpus_id) == (other.policy.policy_id, other.corpus.corpus_id)


class Gate:
    """One process's gate: what is in force, the handles it issued, and the tools it may call."""

    def __init__(
        self,
        corpus: Corpus,
        policy: Policy,
        *,
        clock: Clock = time.monotonic,
        new_id: Callable[[], str] = random_id,
        max_handles: int = MAX_HANDLES,
        handle_ttl: float = HANDLE_TTL,
        ranking: str = "shared",
        tool_factory: ToolFactory | None = None,
        on_drop: Callable[[Drop], object] = lambda _: None,
    ):
        check_sources(policy, corpus)
        self.in_force = InForce(policy, corpus)
        self._cuts = {corpus.corpus_id: corpus.cut_id}  # of each snapshot that was ever in force here
        self.ranking = ranking
        self.handles = Handles(
            max_handles=max_handles, handle_ttl=handle_ttl, clock=clock, new_id=new_id, on_drop=on_drop
        )
        self._own_tools = LiteralTools(ranking)
        self._tool_factory: ToolFactory = tool_factory or self._own_tools
        self._replacing = threading.Lock()

    def search(self, principal: str, asked: Any) -> dict[str, Any]:
        """Handles for the k best passages that the principal may see; Refusal, and no tool is made, when it may not."""
        request = search_request(asked, self.ranking)
        for _ in range(1 + RESTARTS):
            look = self.in_force
            sources = authorize(look.policy, principal, request.collection)
            with self._tool(look.corpus) as tool:
                found = tool.search(request.query, sources=sources, version=request.version, k=request.k)
                hits = eligible(found, sources=sources, version=request.version, k=request.k)
                _expect_sound(hits, look.corpus)
            if self.in_force.is_as(look):  # the last look: what is replaced from here on came after the reply
                return self._issued(principal, look, request, hits)
        raise Refusal("tool_failure", "what is in force was replaced again and again during the search")

    def read(self, principal: str, handle: Any) -> dict[str, Any]:
        """The handle's fields, the passage's text and url, and a hash over all; Refusal for a handle not good now."""
        look, copy = self._checked(principal, handle)
        with self._tool(look.corpus) as tool:
            passage = tool.read(copy["passage_id"])
            _expect_genuine(passage, look.corpus)
        self._checked(principal, handle)  # all of it again: reading took time, and what holds now decides
        result = {**copy, "text": passage.text, "url": passage.url}
        return {**result, "result_sha256": canonical_hash(result)}

    def replace(self, *, policy: Policy | None = None, corpus: Corpus | None = None) -> None:
        """Put another policy, another corpus or both in force, in one step; ConfigError, and no change, on a misfit.

        A snapshot that was in force is not put back with its documents cut into other passages: its `corpus_id` would
        be the same, and so would make every handle and every kept result of the old cut good again.
        """
        with self._replacing:
            new = InForce(policy or self.in_force.policy, corpus or self.in_force.corpus)
            check_sources(new.policy, new.corpus)
            if self._cuts.setdefault(new.corpus.corpus_id, new.corpus.cut_id) != new.corpus.cut_id:
                raise ConfigError("snapshot_cut_anew", CUT_ANEW)
            self.in_force = new

    def apart(self) -> "Gate":
        """This gate with handles apart, for whoever reads all that it finds and gives no handle away.

        What is in force, and each look at it, is this gate's own. But nobody else's search can push those handles out,
        they push out nobody's, and they are gone with it.
        """
        return _Apart(self)

    def close(self) -> None:
        """Drop every handle and every index."""
        self.handles.clear()
        self._own_tools.close()

    def _checked(self, principal: str, handle: Any) -> tuple[InForce, dict[str, Any]]:
        """What is in force, and the server's copy of a handle that is good under it.

        The order of the refusals is part of the contract.
        """
        if not is_object(handle):
            raise Refusal("invalid_handle")
        look = self.in_force
        sources = authorize(look.policy, principal, handle.get("collection"))
        copy = self.handles.issued(handle.get("issued_id"))
        if copy is None:
            raise Refusal("unissued_or_expired_handle")
        now = {"principal": principal, "policy_id": look.policy.policy_id, "corpus_id": look.corpus.corpus_id}
        if not same(handle, copy) or any(copy[name] != value for name, value in now.items()):
            raise Refusal("handle_binding_mismatch")
        if copy["source_id"] not in sources:
            raise Refusal("collection_denied")
        return look, copy

    @contextmanager
    def _tool(self, corpus: Corpus) -> Generator[Tool]:
        """A tool that is closed on every way out; whatever goes wrong with it is `tool_failure`, and says no more."""
        try:
            with closing(self._tool_factory(corpus)) as tool:
                yield tool
        except Exception as error:
            raise Refusal("tool_failure") from error

    def _issued(self, principal: str, look: InForce, request: SearchRequest, hits: tuple[Hit, ...]) -> dict[str, Any]:
        asked = {
            "principal": principal,
            "policy_id": look.policy.policy_id,
            "corpus_id": look.corpus.corpus_id,
            "request": request.as_json(),
        }
        reply = {**asked, "search_request_id": canonical_hash(asked)}
        bound = {name: reply[name] for name in ("principal", "policy_id", "corpus_id", "search_request_id")}
        bound["collection"] = request.collection
        rows = [{**bound, "rank": rank, **_pointed_at(hit)} for rank, hit in enumerate(hits, start=1)]
        return {**reply, "results": self.handles.issue(principal, rows)}


class _Apart(Gate):
    def __init__(self, gate: Gate):
        self._gate = gate
        self.ranking, self._tool_factory, self.handles = gate.ranking, gate._tool_factory, gate.handles.apart()

    @property
    def in_force(self) -> InForce:  # pyrefly: ignore[bad-override, missing-override-decorator]
        return self._gate.in_force  # never a copy: the last look must see what holds then

    def replace(self, **changes: Any) -> None:  # pyrefly: ignore[missing-override-decorator]
        self._gate.replace(**changes)

    def close(self) -> None:  # pyrefly: ignore[missing-override-decorator]
        self.handles.clear()


def _expect_sound(hits: Iterable[Hit], corpus: Corpus) -> None:
    for hit in hits:
        _expect_genuine(hit.passage, corpus)
        if not (type(hit.native_score) is float and math.isfinite(hit.native_score)):  # no handle could say it
            raise ValueError("the tool gave a score that is no finite number")


def _expect_genuine(passage: Passage, corpus: Corpus) -> None:
    if passage != corpus.passage(passage.passage_id):
        raise LookupError("the tool gave a passage that differs from the snapshot's")


def _pointed_at(hit: Hit) -> dict[str, Any]:
    # All that says which passage it is, and nothing that says what is in it.
    fields = hit.passage.as_json()
    return {"native_score": hit.native_score} | {name: fields[name] for name in fields if name not in ("text", "url")}
