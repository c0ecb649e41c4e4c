"""What happened to the entries of a map, told for any instant: a pure function of what was recorded and the time.

Every `put` begins a new life, also of a key that had one before. Drawn by the timeline of 09_bounded_map.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from labkit.bounded_map import Held, Reason

RULE = "dead when deadline <= now"


class Act(StrEnum):
    """What is recorded, as it happens."""

    PUT = "put"
    TOO_LARGE = "too large"
    LEFT = "left"
    HIT = "hit"
    SEEN = "seen"
    MISS = "miss"
    REVOKED = "revoked"
    GRANTED = "granted"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that happened to one key; `deadline` and `size` are those of the entry put, `reason` why it left.

    That an entry expired is no event: its deadline says so, and the map notices only when it is asked next.
    """

    at: float
    act: Act
    key: str
    deadline: float = math.inf
    size: int = 0
    reason: Reason | None = None


@dataclass(frozen=True)
class Span:
    """From one instant up to another."""

    start: float
    end: float


@dataclass(frozen=True, kw_only=True)
class Life:
    """One entry from its `put` on, as it stands at the instant `now`; `number` counts the lives of its key from 1.

    `left` is why it left before its deadline, and `end` when it left or died; None for neither.
    """

    key: str
    number: int
    size: int
    born: float
    deadline: float
    now: float
    promoted: tuple[float, ...]
    peeked: tuple[float, ...]
    refused: tuple[float, ...]
    missed: tuple[float, ...]
    revoked: tuple[Span, ...]
    left: Reason | None
    end: float | None
    is_revoked: bool
    last_used: int

    @property
    def name(self) -> str:
        """The key, and which of its lives when it is not the first."""
        return self.key if self.number == 1 else f"{self.key} ({self.number})"

    @property
    def is_alive(self) -> bool:
        """Whether the map holds it."""
        return self.end is None

    @property
    def fate(self) -> str:
        """What has become of it, in words."""
        if self.end is None:
            return "alive, grant revoked" if self.is_revoked else "alive"
        return f"{self.left or Reason.EXPIRED} at {instant(self.end)}"

    @property
    def is_past_deadline(self) -> bool:
        """The rule of expiry, and all of it."""
        return self.deadline <= self.now

    def why(self, rule: str = RULE) -> str:
        """The rule at work, such as `10 <= 3: False`, or its deadline alone: when it left before or no rule is told."""
        if self.left:
            return f"its deadline was {instant(self.deadline)}"
        if not rule:
            return f"its deadline is {instant(self.deadline)}"
        return f"{instant(self.deadline)} <= {instant(self.now)}: {self.is_past_deadline}"


def lives(events: Sequence[Event], now: float) -> tuple[Life, ...]:
    """Every life begun by `now`, in order of birth; what happened later plays no part."""
    past = [(order, event) for order, event in enumerate(events) if event.at <= now]
    begun: dict[str, int] = {}
    told = []
    for order, event in past:
        if event.act is Act.PUT:
            begun[event.key] = begun.get(event.key, 0) + 1
            told.append(_life(_chapter(past, order, event.key), begun[event.key], _revoked(past, event.key), now))
    return tuple(told)


def held(events: Sequence[Event], now: float) -> tuple[Held, ...]:
    """What the map held at `now`, the next to be evicted first: as `BoundedMap.held` would have told it then."""
    alive = sorted((life for life in lives(events, now) if life.is_alive), key=lambda life: life.last_used)
    return tuple(Held(life.key, life.size, life.deadline) for life in alive)


def last_words(events: Sequence[Event], now: float) -> str:
    """What was done last, in words; empty when nothing was done yet."""
    past = [event for event in events if event.at <= now]
    return _said(past[-1]) if past else ""


def instant(seconds: float) -> str:
    """The number as people write it; one a float's least step away from that is `just before` it or `just after` it."""
    for nearby, word in (
        (seconds, ""),
        (math.nextafter(seconds, math.inf), "just before "),
        (math.nextafter(seconds, -math.inf), "just after "),
    ):
        if float(f"{nearby:.10g}") == nearby:
            return f"{word}{nearby:.10g}"
    return f"{seconds:.10g}"


def _chapter(past: list[tuple[int, Event]], birth: int, key: str) -> list[tuple[int, Event]]:
    """The events of one key from a `put` of it up to the next."""
    rest = [(order, event) for order, event in past if order >= birth and event.key == key]
    later = [number for number, (_, event) in enumerate(rest) if number and event.act is Act.PUT]
    return rest[: later[0]] if later else rest


def _life(chapter: list[tuple[int, Event]], number: int, revoked: list[Span], now: float) -> Life:
    put = chapter[0][1]
    leaving = next((event for _, event in chapter if event.act is Act.LEFT), None)
    expired = put.deadline if put.deadline <= now else None
    end = leaving.at if leaving else expired
    return Life(
        key=put.key,
        number=number,
        size=put.size,
        born=put.at,
        deadline=put.deadline,
        now=now,
        promoted=_when(chapter, Act.HIT),
        peeked=_when(chapter, Act.SEEN),
        refused=_when(chapter, Act.REFUSED),
        missed=_when(chapter, Act.MISS),
        revoked=tuple(_within(revoked, put.at, now if end is None else end)),
        left=leaving.reason if leaving else None,
        end=end,
        is_revoked=bool(revoked) and revoked[-1].end == math.inf,
        last_used=max(order for order, event in chapter if event.act in (Act.PUT, Act.HIT)),
    )


def _when(chapter: list[tuple[int, Event]], act: Act) -> tuple[float, ...]:
    return tuple(event.at for _, event in chapter if event.act is act)


def _revoked(past: list[tuple[int, Event]], key: str) -> list[Span]:
    """When the grant on the key was taken back; the last span is open when it still is."""
    turns = [event.at for _, event in past if event.key == key and event.act in (Act.REVOKED, Act.GRANTED)]
    return [Span(start, end) for start, end in zip(turns[::2], [*turns[1::2], math.inf], strict=False)]


def _within(spans: list[Span], start: float, end: float) -> Iterator[Span]:
    for span in spans:
        cut = Span(max(span.start, start), min(span.end, end))
        if cut.start < cut.end:
            yield cut


def _said(event: Event) -> str:
    words = {
        Act.PUT: f"put {event.key}: kept until {instant(event.deadline)}",
        Act.TOO_LARGE: f"put {event.key}: too large, not kept",
        Act.LEFT: f"{event.key}: {event.reason}",
        Act.HIT: f"get {event.key}: hit, promoted, deadline not moved",
        Act.SEEN: f"peek {event.key}: seen, not promoted",
        Act.MISS: f"{event.key}: miss",
        Act.REVOKED: f"grant on {event.key} revoked; what is stored stays stored",
        Act.GRANTED: f"grant on {event.key} given again",
        Act.REFUSED: f"{event.key}: refused, the cache was not asked",
    }
    return f"{words[event.act]} (at {instant(event.at)})"
