"""Everything a lesson acts on, made anew: what one section does, no other section sees."""

from dataclasses import dataclass

from labkit.access.gate import Gate
from labkit.access.handles import seeded_ids
from labkit.access.policy import Policy, load_policy
from labkit.clock import FakeClock
from labkit.corpus import Corpus, load_corpus


@dataclass(frozen=True)
class World:
    """A clock that stands at 0 s, the fixture's corpus and policy, and a gate over both on that clock."""

    clock: FakeClock
    corpus: Corpus
    policy: Policy
    gate: Gate

    @property
    def may_see(self) -> dict[str, set[str]]:
        """For each principal, the source ids that its grants open together, under the policy this world began with."""
        opened = self.policy.collections
        return {
            who: {source for name in granted for source in opened[name]} for who, granted in self.policy.grants.items()
        }


def fresh_world() -> World:
    """A world in which nothing has happened yet; its gate gives out the same handle ids each time."""
    clock, corpus = FakeClock(), load_corpus()
    policy = load_policy(corpus)
    return World(clock, corpus, policy, Gate(corpus, policy, clock=clock, new_id=seeded_ids(7)))
