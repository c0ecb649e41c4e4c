"""A meter beside the gate: it labels every returned byte of source data with who may see it, and counts the rest.

It trusts nothing that the gate decided: it takes a reply, the policy and the corpus, and looks for itself.
"""

from collections.abc import Iterator
from typing import Any

from labkit.access.gate import InForce
from labkit.access.policy import Policy
from labkit.canonical import canonical_bytes
from labkit.corpus import Corpus, Passage


def who_may_see(policy: Policy, source_id: str) -> frozenset[str]:
    """The principals with a grant on some collection that holds this source."""
    holding = {name for name, sources in policy.collections.items() if source_id in sources}
    return frozenset(principal for principal, granted in policy.grants.items() if granted & holding)


def labelled(reply: Any, corpus: Corpus) -> Iterator[tuple[Passage, int]]:
    """Each passage that shows in the reply, with the bytes that show of it.

    An object that names a passage counts whole as that passage's; the text of another, wherever it stands, as its own.
    """
    for owner, part in _walk(reply, None):
        if isinstance(part, dict):
            yield corpus.passage(part["passage_id"]), len(canonical_bytes(part))
            continue
        own = corpus.passage(owner).text if owner else ""
        for passage in corpus.passages:
            if passage.text in part and passage.text not in own:
                yield passage, part.count(passage.text) * passage.byte_count


class LeakMeter:
    """Adds up what was returned, and what of it was outside the grants of whoever it was returned to."""

    def __init__(self) -> None:
        self.replies = 0
        self.returned = 0
        self.outside = 0

    def watch(self, reply: Any, principal: str, in_force: InForce) -> None:
        """Count one reply to this principal, under the policy and the corpus that hold."""
        self.replies += 1
        for passage, size in labelled(reply, in_force.corpus):
            self.returned += size
            if principal not in who_may_see(in_force.policy, passage.source_id):
                self.outside += size

    def __repr__(self) -> str:
        return (
            f"LeakMeter({self.replies} replies, {self.returned} bytes of source data, {self.outside} outside the grant)"
        )


def _walk(value: Any, owner: str | None) -> Iterator[tuple[str | None, dict[str, Any] | str]]:
    """Objects that name a passage, and texts, each with the passage named nearest around it."""
    if isinstance(value, dict):
        if "passage_id" in value:
            owner = value["passage_id"]
            yield owner, value
        value = [*value, *value.values()]  # a key is a place to leak, too
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _walk(part, owner)
    elif isinstance(value, str):
        yield owner, value
