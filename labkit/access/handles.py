"""A handle is what search gives instead of text: a pointer, and a copy on the server that an offered one must equal.

Taught in 06_handles.
"""

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from labkit.bounded_map import BoundedMap, Bounds, Drop, Reason, checked_count, checked_seconds
from labkit.canonical import canonical_bytes
from labkit.clock import Clock
from labkit.errors import NotCanonical

MAX_HANDLES = 64
"""Handles one principal can have alive; at least the 10 of one search, so that no reply holds an evicted one."""
HANDLE_TTL = 60.0
"""Seconds from its search until a handle is dead."""


def random_id() -> str:
    """128 random bits as hex."""
    return secrets.token_hex(16)


def seeded_ids(seed: int) -> Callable[[], str]:
    """A source of ids that gives the same ones for the same seed: for lessons, tests and recordings only."""
    bits = random.Random(seed)
    return lambda: f"{bits.getrandbits(128):032x}"


def same(offered: Any, copy: dict[str, Any]) -> bool:
    """Whether an offered handle says what the server's copy says, by canonical form: order and spelling aside."""
    try:
        return canonical_bytes(offered) == canonical_bytes(copy)
    except NotCanonical:
        return False


class Handles:
    """The handles that were issued, until they die: at most `max_handles` a principal, `handle_ttl` seconds each.

    One index over all principals, so that a foreign handle can be told from an unknown one; the bound is each
    principal's own, so that nobody can push out another's.
    """

    def __init__(
        self,
        *,
        max_handles: int = MAX_HANDLES,
        handle_ttl: float = HANDLE_TTL,
        clock: Clock = time.monotonic,
        new_id: Callable[[], str] = random_id,
        on_drop: Callable[[Drop], object] = lambda _: None,
    ):
        code = "invalid_handle_limits"
        self._max_handles = checked_count(max_handles, name="max_handles", code=code, low=10, high=1024)
        self._ttl = ttl = checked_seconds(handle_ttl, name="handle_ttl", code=code, high=3600)
        self._clock, self._new_id, self._on_drop = clock, new_id, on_drop
        self._lock = threading.Lock()
        self._now = 0.0
        self._copies: BoundedMap[bytes] = BoundedMap(Bounds(ttl=ttl), clock=lambda: self._now, on_drop=self._forget)
        self._owners: dict[str, str] = {}
        self._ids: dict[str, dict[str, None]] = {}  # by principal, oldest issued first

    def issue(self, principal: str, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows as handles, each with an `issued_id`, all with one deadline; this principal's oldest make room."""
        handles = [{**row, "issued_id": self._new_id()} for row in rows]
        with self._lock:
            self._now = self._clock()  # one reading: the handles of one search live and die together
            for handle in handles:
                self._keep(principal, handle["issued_id"], canonical_bytes(handle))
        return handles

    def issued(self, issued_id: Any) -> dict[str, Any] | None:
        """The server's copy of a living handle, whoever it was issued to; None for any other id."""
        if type(issued_id) is not str:
            return None
        with self._lock:
            self._now = self._clock()
            copy = self._copies.peek(issued_id)
        return None if copy is None else json.loads(copy)

    def apart(self) -> "Handles":
        """Others of the same limits, clock and ids, of which none is alive yet; neither makes room for the other's."""
        return Handles(max_handles=self._max_handles, handle_ttl=self._ttl, clock=self._clock, new_id=self._new_id)

    def clear(self) -> None:
        """No handle is alive any more."""
        with self._lock:
            self._now = self._clock()
            self._copies.clear()

    def __len__(self) -> int:
        with self._lock:
            self._now = self._clock()
            return len(self._copies)

    def _keep(self, principal: str, issued_id: str, copy: bytes) -> None:
        self._copies.put(issued_id, copy, size=len(copy))
        self._owners[issued_id] = principal
        mine = self._ids.setdefault(principal, {})
        mine[issued_id] = None
        if len(mine) > self._max_handles:
            self._copies.discard(next(iter(mine)), Reason.ENTRIES)

    def _forget(self, drop: Drop) -> None:
        principal = self._owners.pop(drop.key)
        del self._ids[principal][drop.key]
        if not self._ids[principal]:
            del self._ids[principal]
        self._on_drop(drop)
