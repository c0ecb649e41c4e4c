"""Completed results, kept for a short while as bytes that nobody can change.

Taught in 10_result_cache.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from json import loads
from typing import Any

from labkit.bounded_map import BoundedMap, Bounds, Drop, Held, Reason, checked_count, checked_seconds
from labkit.canonical import canonical_bytes, is_object
from labkit.clock import Clock
from labkit.errors import NotCanonical

try:
    from msgspec import ValidationError
    from msgspec.json import decode
except ImportError:  # not in a browser tab: the same values, some three times as slowly
    parsed = loads
else:

    def parsed(content: bytes) -> Any:
        """The value that canonical bytes spell."""
        try:
            return decode(content)
        except ValidationError:  # it counts the sign of a negative integer among the 4,300 digits allowed
            return loads(content)


MAX_ENTRIES, MAX_TTL, MAX_BYTES = 1024, 3600, 1_048_576
"""The largest bounds that may be asked for: entries, seconds, bytes."""


class NotKept(StrEnum):
    """Why a put was refused."""

    INCOMPLETE = "not completed"
    NOT_CANONICAL = "not canonical"
    TOO_LARGE = "too large"


@dataclass(frozen=True, kw_only=True)
class Stats:
    """What the cache has seen and what it holds, at one instant."""

    hits: int
    misses: int
    stores: int
    refusals: dict[NotKept, int]
    drops: dict[Reason, int]
    entries: int
    bytes: int

    @property
    def expirations(self) -> int:
        """Entries that reached their deadline."""
        return self.drops[Reason.EXPIRED]

    @property
    def evictions(self) -> int:
        """Entries that made room, for entries or for bytes."""
        return self.drops[Reason.ENTRIES] + self.drops[Reason.BYTES]


class ResultCache:
    """At most `max_entries` results and `max_bytes` bytes, for `ttl` seconds from when each was put.

    An entry's size is the UTF-8 bytes of its canonical spelling and of its key. Nothing outlives the process.
    """

    def __init__(
        self,
        *,
        max_entries: int = 4,
        ttl: float = 1.0,
        max_bytes: int = 65536,
        clock: Clock = time.monotonic,
        on_drop: Callable[[Drop], object] | None = None,
    ):
        bounds = Bounds(
            max_entries=checked_count(max_entries, name="max_entries", high=MAX_ENTRIES),
            ttl=checked_seconds(ttl, name="ttl", high=MAX_TTL),
            max_bytes=checked_count(max_bytes, name="max_bytes", high=MAX_BYTES),
        )
        self._clock = clock
        self._lock = threading.Lock()
        self._now = 0.0  # read once an operation, so that all that it does and counts is of one instant
        self._kept: BoundedMap[bytes] = BoundedMap(bounds, clock=lambda: self._now, on_drop=on_drop)
        self._hits = self._misses = self._stores = 0
        self._refusals = dict.fromkeys(NotKept, 0)

    def get(self, key: str) -> dict[str, Any] | None:
        """The live result, parsed anew and the caller's own, or None; a hit promotes and never extends the deadline."""
        content = self.get_bytes(key)
        return None if content is None else parsed(content)  # outside the lock: others need not wait for it

    def get_bytes(self, key: str) -> bytes | None:
        """`get`, as the canonical bytes that are kept: a reply can hold them as they are."""
        with self._lock:
            self._now = self._clock()
            content = self._kept.get(key) if type(key) is str else None  # nothing is ever kept under another key
            if content is None:
                self._misses += 1
            else:
                self._hits += 1
            return content

    def put(self, key: str, result: dict[str, Any]) -> bool:
        """Keep a completed result; False when it is not kept, and then its caller still has it.

        What is no completed result, or has no canonical form, or has a key that has none, changes nothing; of one that
        is too large, the result that the key had is gone too: it would be an older answer to the same question.
        """
        if not _is_completed(result):
            return self._refused(NotKept.INCOMPLETE)
        if type(key) is not str:
            return self._refused(NotKept.NOT_CANONICAL)
        try:
            content = canonical_bytes(result)
            size = len(content) + len(key.encode())
        except (NotCanonical, UnicodeEncodeError):
            return self._refused(NotKept.NOT_CANONICAL)
        with self._lock:
            self._now = self._clock()
            kept = self._kept.put(key, content, size=size)
            if kept:
                self._stores += 1
            else:
                self._refusals[NotKept.TOO_LARGE] += 1
            return kept

    def held(self) -> tuple[Held, ...]:
        """Key, bytes and deadline of each live entry, the next to be evicted first."""
        with self._lock:
            self._now = self._clock()
            return self._kept.held()

    def stats(self) -> Stats:
        """All counters, of one instant; the dead are counted as expired, never as held."""
        with self._lock:
            self._now = self._clock()
            return Stats(
                hits=self._hits,
                misses=self._misses,
                stores=self._stores,
                refusals=dict(self._refusals),
                drops=self._kept.drops,
                entries=len(self._kept),
                bytes=self._kept.size,
            )

    def clear(self) -> None:
        """Drop every entry, on shutdown for one."""
        with self._lock:
            self._now = self._clock()
            self._kept.clear()

    def _refused(self, why: NotKept) -> bool:
        with self._lock:
            self._refusals[why] += 1
        return False


def _is_completed(result: Any) -> bool:
    status = result.get("status") if is_object(result) else None
    return type(status) is str and status == "completed"
