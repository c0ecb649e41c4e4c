"""Who asks what, and what must come back: `fixtures/retrieve_cases.json`, each row played in a lab of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from labkit.access.access_cases import STEPS as ACCESS_STEPS
from labkit.access.authorize import principal_of
from labkit.access.gate import Gate
from labkit.access.handles import seeded_ids
from labkit.access.policy import load_policy
from labkit.access.tool import LiteralTools, Tool
from labkit.clock import FakeClock
from labkit.corpus import Corpus, load_corpus
from labkit.errors import Refusal
from labkit.fixtures import read_fixture
from labkit.results.result_cache import ResultCache
from labkit.results.retrieve import Answer, retrieve


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row: what happens before, who asks (every Authorization header), for what, and what must come back.

    The outcome is `hit`, `miss`, `bypass` or a refusal's code; `evidence` are the sources of what was found, in order.
    `bounds` are the cache's, where the defaults would not do.
    """

    name: str
    authorization: tuple[str, ...]
    request: Any
    outcome: str
    before: tuple[tuple[Any, ...], ...] = ()
    bounds: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[str, ...] | None = None


class FailingTools:
    """A factory of the lab's own tools that fails while it is told to, with a text that nobody may see."""

    def __init__(self) -> None:
        self.fails = False
        self.made = 0
        self._tools = LiteralTools()

    def __call__(self, corpus: Corpus) -> Tool:
        if self.fails:
            raise RuntimeError("private: the tool's own words")
        self.made += 1
        return self._tools(corpus)

    def close(self) -> None:
        """Give the memory of every index back."""
        self._tools.close()


class Lab:
    """The fixtures' corpus and policy behind a gate, a cache, one fake clock, tools that can be made to fail."""

    def __init__(self, **bounds: Any):
        corpus = load_corpus()
        self.clock, self.tools = FakeClock(), FailingTools()
        self.gate = Gate(corpus, load_policy(corpus), clock=self.clock, new_id=seeded_ids(7), tool_factory=self.tools)
        self.cache = ResultCache(clock=self.clock, **bounds)

    def ask(self, authorization: Sequence[str], request: Any) -> Answer:
        """What a caller with these Authorization headers gets, or the Refusal."""
        return retrieve(self.gate, self.cache, principal_of(self.gate.in_force.policy, authorization), request)

    def outcome(self, authorization: Sequence[str], request: Any) -> str:
        """The same in one word: `hit`, `miss`, `bypass` or the refusal's code."""
        try:
            return str(self.ask(authorization, request).cache)
        except Refusal as refused:
            return refused.code

    def happen(self, step: str, *values: Any) -> None:
        """One step of a case's `before`."""
        STEPS[step](self, *values)

    def play(self, case: Case) -> str:
        """All that happens before, then the outcome of the case's own request."""
        for step, *values in case.before:
            self.happen(step, *values)
        return self.outcome(case.authorization, case.request)

    def close(self) -> None:
        """Drop what is kept, every handle and every index."""
        self.cache.clear()
        self.gate.close()
        self.tools.close()


def retrieve_cases() -> tuple[Case, ...]:
    """Every row, in the file's order; the published ones first."""
    return tuple(_case(row) for row in read_fixture("retrieve_cases.json")["cases"])


def _case(row: dict[str, Any]) -> Case:
    listed: dict[str, Any] = {name: tuple(row[name]) for name in ("authorization", "evidence") if name in row}
    return Case(**(row | listed | {"before": tuple(tuple(step) for step in row.get("before", ()))}))


def _retrieve(lab: Lab, authorization: str, request: Any) -> None:
    lab.outcome((authorization,), request)


def _tool(lab: Lab, state: str) -> None:
    lab.tools.fails = state == "fails"


def _of_access(name: str) -> Callable[..., None]:
    def step(lab: Lab, *values: Any) -> None:
        ACCESS_STEPS[name](lab.gate, lab.clock, *values)

    return step


STEPS: dict[str, Callable[..., None]] = {
    "retrieve": _retrieve,
    "tool": _tool,
    **{name: _of_access(name) for name in ACCESS_STEPS},
}
