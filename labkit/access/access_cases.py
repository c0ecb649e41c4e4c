"""Who asks for what, and what must come back: `fixtures/access_cases.json`, each row played on a gate of its own."""

from contextlib import closing
from dataclasses import dataclass
from typing import Any

from labkit.access.authorize import principal_of
from labkit.access.gate import Gate
from labkit.access.handles import seeded_ids
from labkit.access.policy import load_policy
from labkit.clock import FakeClock
from labkit.corpus import Corpus, Passage, corpus_of, document, load_corpus
from labkit.errors import Refusal
from labkit.fixtures import read_fixture
from labkit.search import Hit


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row: who asks (every Authorization header), for what, and the outcome that must come back.

    A read is given `handle` as it is, or the handle that `issued` describes: issued to whom, by which request, at which
    rank, with which fields changed. `before` is what happens first; for a read, between issue and read. An outcome is
    a refusal's code, `2 handles` or `text returned`; `hits` are the sources, versions and scores that must be found.
    """

    name: str
    operation: str
    authorization: tuple[str, ...]
    outcome: str
    request: Any = None
    handle: Any = None
    issued: dict[str, Any] | None = None
    before: tuple[tuple[Any, ...], ...] = ()
    tool: str = "literal"
    hits: tuple[tuple[Any, ...], ...] | None = None


@dataclass(frozen=True)
class Played:
    """What came back: the outcome, and the reply (None when refused)."""

    outcome: str
    reply: Any


def access_cases() -> tuple[Case, ...]:
    """Every row, in the file's order."""
    return tuple(Case(**{name: _frozen(name, value) for name, value in row.items()}) for row in _rows())


def play(case: Case) -> Played:
    """The case on a gate of its own: the fixture's corpus and policy, a fake clock, seeded ids."""
    clock, corpus = FakeClock(), load_corpus()
    factory = FailingTool if case.tool == "fails" else None
    gate = Gate(corpus, load_policy(corpus), clock=clock, new_id=seeded_ids(7), tool_factory=factory)
    with closing(gate):
        handle = _issued(gate, case.issued) if case.issued else case.handle
        for step, *values in case.before:
            STEPS[step](gate, clock, *values)
        try:
            principal = principal_of(gate.in_force.policy, case.authorization)
            reply = gate.search(principal, case.request) if case.operation == "search" else gate.read(principal, handle)
        except Refusal as refusal:
            return Played(refusal.code, None)
    return Played(f"{len(reply['results'])} handles" if case.operation == "search" else "text returned", reply)


def _rows() -> list[dict[str, Any]]:
    return read_fixture("access_cases.json")["cases"]


def _frozen(name: str, value: Any) -> Any:
    return tuple(map(_inner, value)) if name in ("authorization", "before", "hits") else value


def _inner(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _issued(gate: Gate, issued: dict[str, Any]) -> dict[str, Any]:
    reply = gate.search(issued["to"], issued["request"])
    handle = reply["results"][issued.get("rank", 1) - 1] | issued.get("change", {})
    return {name: value for name, value in handle.items() if name not in issued.get("leave_out", ())}


def _revoke(gate: Gate, _: FakeClock, principal: str, collection: str) -> None:
    gate.replace(policy=gate.in_force.policy.without(principal, collection))


def _grant(gate: Gate, _: FakeClock, principal: str, collection: str) -> None:
    gate.replace(policy=gate.in_force.policy.with_grant(principal, collection))


def _add_document(gate: Gate, _: FakeClock, text: str) -> None:
    added = document("added", "3.12", "https://added.invalid/", text)
    gate.replace(corpus=corpus_of([*gate.in_force.corpus.documents, added]))


def _advance(_: Gate, clock: FakeClock, seconds: float) -> None:
    clock.advance(seconds)


def _search(gate: Gate, _: FakeClock, principal: str, request: dict[str, Any], times: int) -> None:
    for _time in range(times):
        gate.search(principal, request)


STEPS = {"revoke": _revoke, "grant": _grant, "add document": _add_document, "advance": _advance, "search": _search}


class FailingTool:
    """A tool that fails, with a text that nobody may see."""

    def __init__(self, _: Corpus):
        pass

    def search(self, *_: Any, **__: Any) -> tuple[Hit, ...]:
        raise RuntimeError("private: the tool's own words")

    def read(self, passage_id: str) -> Passage:
        raise RuntimeError(f"private: {passage_id}")

    def close(self) -> None:
        pass
