"""A map with three bounds: how long, how many, how many bytes. Every entry that leaves it leaves for a named reason.

Taught in 09_bounded_map.
"""

import heapq
import math
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from labkit.clock import Clock
from labkit.errors import ConfigError

V = TypeVar("V")


class Reason(StrEnum):
    """Why an entry left."""

    EXPIRED = "expired"
    ENTRIES = "evicted for entries"
    BYTES = "evicted for bytes"
    REPLACED = "replaced"
    CLEARED = "cleared"


class Drop(NamedTuple):
    """One entry that left: when it was noticed, and the deadline it had (infinite for none)."""

    key: str
    reason: Reason
    at: float
    deadline: float


class Held(NamedTuple):
    """One entry that is there."""

    key: str
    size: int
    deadline: float


def checked_count(
    value: Any, *, name: str, code: str = "invalid_capacity", low: int = 1, high: float = math.inf
) -> int:
    """The value, a whole number from `low` to `high`; ConfigError with the caller's code for all else, `True` too."""
    if type(value) is int and low <= value <= high:
        return value
    raise ConfigError(code, f"{name}: wanted a whole number from {low} to {high:g}")


def checked_seconds(value: Any, *, name: str, code: str = "invalid_ttl", high: float = sys.float_info.max) -> float:
    """The value as a float, more than 0 and at most `high`; ConfigError for all else: `True`, NaN, 10**400."""
    if type(value) in (int, float) and 0 < value <= high:
        return float(value)
    raise ConfigError(code, f"{name}: wanted a number of seconds, more than 0 and at most {high:g}")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How many entries, how many seconds, how many bytes; None is no bound. Checked here, once."""

    max_entries: int | None = None
    ttl: float | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.max_entries is not None:
            checked_count(self.max_entries, name="max_entries")
        if self.max_bytes is not None:
            checked_count(self.max_bytes, name="max_bytes")
        if self.ttl is not None:
            checked_seconds(self.ttl, name="ttl")


class _Entry(NamedTuple):
    value: Any
    size: int
    deadline: float
    born: int  # the how-manieth put


class BoundedMap(Generic[V]):
    """Keys and values within `Bounds`; each call first drops all that is dead, earliest deadline first.

    `deadline <= now` is dead. The next to be evicted is the one longest unused, and only `get` and `put` are use.
    `on_drop` is told each `Drop` while the lock is held: it may note it, and nothing else.
    """

    def __init__(
        self, bounds: Bounds, *, clock: Clock = time.monotonic, on_drop: Callable[[Drop], object] | None = None
    ):
        self.bounds = bounds
        self._ttl = math.inf if bounds.ttl is None else bounds.ttl
        self._max_entries = math.inf if bounds.max_entries is None else bounds.max_entries
        self._max_bytes = math.inf if bounds.max_bytes is None else bounds.max_bytes
        self._clock = clock
        self._on_drop = on_drop
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._deadlines: list[tuple[float, int, str]] = []  # a heap of deadline, born, key; some may be gone already
        self._puts = 0
        self._size = 0
        self._drops = dict.fromkeys(Reason, 0)

    def get(self, key: str) -> V | None:
        """The value, or None; a hit makes it the last to be evicted and never moves its deadline."""
        with self._lock:
            self._bury(self._clock())
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry.value

    def peek(self, key: str) -> V | None:
        """The value, or None; nothing is promoted."""
        with self._lock:
            self._bury(self._clock())
            entry = self._entries.get(key)
            return None if entry is None else entry.value

    def put(self, key: str, value: V, *, size: int = 0, ttl: float | None = None) -> bool:
        """Keep the value for `ttl` seconds (the map's own when None); False, and the key is gone, when it is too large.

        The value is alive at the instant it was put, however small its ttl.
        """
        lasts = self._ttl if ttl is None else checked_seconds(ttl, name="ttl")
        with self._lock:
            now = self._clock()  # one reading: what is dead and what the new deadline is agree
            self._bury(now)
            if key in self._entries:
                self._drop(key, Reason.REPLACED, now)
            if size > self._max_bytes:
                return False
            self._make_room(size, now)
            self._puts += 1
            self._insert(key, _Entry(value, size, max(now + lasts, math.nextafter(now, math.inf)), self._puts))
            return True

    def discard(self, key: str, reason: Reason = Reason.CLEARED) -> bool:
        """Whether the key was there; it is gone now, for this reason."""
        with self._lock:
            now = self._clock()
            self._bury(now)
            there = key in self._entries
            if there:
                self._drop(key, reason, now)
            return there

    def clear(self) -> None:
        """Drop every entry, the next to be evicted first."""
        with self._lock:
            now = self._clock()
            self._bury(now)
            for key in list(self._entries):
                self._drop(key, Reason.CLEARED, now)
            self._deadlines.clear()

    def held(self) -> tuple[Held, ...]:
        """What is alive, the next to be evicted first."""
        with self._lock:
            self._bury(self._clock())
            return tuple(Held(key, entry.size, entry.deadline) for key, entry in self._entries.items())

    def __len__(self) -> int:
        with self._lock:
            self._bury(self._clock())
            return len(self._entries)

    @property
    def size(self) -> int:
        """Bytes held by what is alive, as they were given to `put`."""
        with self._lock:
            self._bury(self._clock())
            return self._size

    @property
    def drops(self) -> dict[Reason, int]:
        """How many entries have left so far, for each reason."""
        with self._lock:
            self._bury(self._clock())
            return dict(self._drops)

    def _bury(self, now: float) -> None:
        heap = self._deadlines
        while heap and heap[0][0] <= now:
            _, born, key = heapq.heappop(heap)
            if self._is_held(key, born):
                self._drop(key, Reason.EXPIRED, now)

    def _is_held(self, key: str, born: int) -> bool:
        entry = self._entries.get(key)
        return entry is not None and entry.born == born

    def _make_room(self, size: int, now: float) -> None:
        while len(self._entries) >= self._max_entries:
            self._drop(next(iter(self._entries)), Reason.ENTRIES, now)
        while self._size + size > self._max_bytes:
            self._drop(next(iter(self._entries)), Reason.BYTES, now)

    def _insert(self, key: str, entry: _Entry) -> None:
        self._entries[key] = entry
        self._size += entry.size
        if entry.deadline == math.inf:
            return
        heapq.heappush(self._deadlines, (entry.deadline, entry.born, key))  # of two that die together, the older first
        if len(self._deadlines) > 2 * len(self._entries) + 16:  # mostly entries that left before their deadline
            self._deadlines = [row for row in self._deadlines if self._is_held(row[2], row[1])]
            heapq.heapify(self._deadlines)

    def _drop(self, key: str, reason: Reason, now: float) -> None:
        entry = self._entries.pop(key)
        self._size -= entry.size
        self._drops[reason] += 1
        if self._on_drop is not None:
            self._on_drop(Drop(key, reason, now, entry.deadline))
