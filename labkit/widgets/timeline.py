"""A bounded map on a fake clock, to play with: put, get, revoke, let time pass, look back, and see who lives and why.

All of it works without a front end; `timeline_view` puts buttons on it. Taught in 09_bounded_map.
"""

import math
from collections.abc import Callable
from typing import Any

from labkit.bounded_map import BoundedMap, Bounds, Drop, Reason, checked_seconds
from labkit.clock import FakeClock
from labkit.text_table import Table
from labkit.widgets.lives import RULE, Act, Event, Life, instant, last_words, lives
from labkit.widgets.timeline_picture import horizon, picture
from labkit.widgets.timeline_text import COLUMNS, figure, rows_table, sentences


class Timeline:
    """A bounded map, its fake clock, all that happened, and the instant one looks at: `now`.

    `put`, `get`, `peek`, `revoke`, `grant` and `clear` happen at the latest time only; ValueError while one looks back.
    One reader holds one grant on each key, a stand-in for a principal's grant on a collection: while it is revoked, a
    look-up or `put` of the key is refused before the map is asked, and an entry stays stored, its deadline unmoved.
    With `rule=""` it shows fates without saying by which rule, for a learner to find out.
    """

    def __init__(
        self,
        *,
        ttl: float,
        max_entries: int | None = None,
        max_bytes: int | None = None,
        step: float = 1,
        rule: str = RULE,
    ):
        bounds = Bounds(ttl=checked_seconds(ttl, name="ttl"), max_entries=max_entries, max_bytes=max_bytes)
        self.rule = rule
        self.step_seconds = checked_seconds(step, name="step")
        self._clock = FakeClock()
        self._map: BoundedMap[str] = BoundedMap(bounds, clock=self._clock, on_drop=self._note)
        self._events: list[Event] = []
        self._revoked: set[str] = set()
        self._now = self.latest
        self._watchers: list[Callable[[], object]] = []

    @property
    def bounds(self) -> Bounds:
        """What the map is bound by."""
        return self._map.bounds

    @property
    def latest(self) -> float:
        """How far time has run."""
        return self._clock()

    @property
    def now(self) -> float:
        """The instant one looks at: the latest time, or one before it."""
        return self._now

    @property
    def looks_back(self) -> bool:
        """Whether `now` is before the latest time."""
        return self.now < self.latest

    @property
    def events(self) -> tuple[Event, ...]:
        """All that was recorded, in order."""
        return tuple(self._events)

    @property
    def revoked(self) -> frozenset[str]:
        """The keys whose grant is taken back at the latest time."""
        return frozenset(self._revoked)

    @property
    def lives(self) -> tuple[Life, ...]:
        """A row for each entry that was put by `now`, as it stands at `now`."""
        return lives(self._events, self.now)

    def put(self, key: str, *, size: int = 0) -> str:
        """Put an entry under the key: `kept`, `too large` or `refused`."""
        self._only_at_the_latest_time("put")
        if key in self._revoked:
            return self._record(Act.REFUSED, key)
        if not self._map.put(key, key, size=size):
            return self._record(Act.TOO_LARGE, key, size=size)
        self._record(Act.PUT, key, size=size, deadline=self._map.held()[-1].deadline)
        return "kept"

    def get(self, key: str) -> str:
        """Look the key up: `hit`, `miss` or `refused`."""
        return self._look_up("get", self._map.get, key, found=Act.HIT)

    def peek(self, key: str) -> str:
        """Look the key up without promoting it, as the handles of the access lab do: `seen`, `miss` or `refused`."""
        return self._look_up("peek", self._map.peek, key, found=Act.SEEN)

    def revoke(self, key: str) -> None:
        """Take the grant on the key back; nothing stored changes."""
        self._only_at_the_latest_time("revoke")
        if key not in self._revoked:
            self._revoked.add(key)
            self._record(Act.REVOKED, key)

    def grant(self, key: str) -> None:
        """Give the grant on the key again; what is stored and not expired can be reached again."""
        self._only_at_the_latest_time("grant")
        if key in self._revoked:
            self._revoked.remove(key)
            self._record(Act.GRANTED, key)

    def clear(self) -> None:
        """Drop every entry."""
        self._only_at_the_latest_time("clear")
        self._map.clear()
        self._changed()

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass from the latest time on, and look at the instant reached."""
        self._clock.advance(seconds)
        self._now = self.latest
        self._changed()

    def look_at(self, seconds: float) -> None:
        """Look at this instant; time passes up to it when it has not come yet. ValueError below 0, NaN or infinity."""
        if not 0 <= seconds < math.inf:
            raise ValueError(f"time here starts at 0 s and has no end; wanted a number of seconds, got {seconds!r}")
        if seconds > self.latest:
            self._clock.move_to(seconds)
        self._now = float(seconds)
        self._changed()

    def step(self) -> None:
        """Look one step later."""
        self.look_at(self.now + self.step_seconds)

    def step_back(self) -> None:
        """Look one step earlier, and not before 0."""
        self.look_at(max(0.0, self.now - self.step_seconds))

    def tick(self) -> None:
        """Look one step later, but never past a deadline: so goes time when it plays."""
        self.look_at(min(self.now + self.step_seconds, self.next_deadline or math.inf))

    @property
    def is_over(self) -> bool:
        """Whether one looks at the latest time and nobody is alive: waiting changes nothing more."""
        return not self.looks_back and self.next_deadline is None

    @property
    def next_deadline(self) -> float | None:
        """The first deadline after `now` among the living; None when nobody lives."""
        return min((life.deadline for life in self.lives if life.is_alive), default=None)

    @property
    def previous_stop(self) -> float | None:
        """The deadline before `now` at which an entry died; at a deadline itself, the instant before it."""
        deaths = {life.deadline for life in self.lives if not life.is_alive and not life.left}
        stops = deaths | {math.nextafter(death, 0) for death in deaths}
        return max((stop for stop in stops if stop < self.now), default=None)

    def jump(self) -> None:
        """Look at the next deadline; ValueError when there is none."""
        self.look_at(self._deadline_ahead())

    def jump_just_before(self) -> None:
        """Look at the instant before the next deadline; ValueError when there is none."""
        self.look_at(math.nextafter(self._deadline_ahead(), 0))

    def jump_back(self) -> None:
        """Look at the stop before; ValueError when there is none."""
        stop = self.previous_stop
        if stop is None:
            raise ValueError(f"no entry died before {instant(self.now)}")
        self.look_at(stop)

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call `watcher` after every change."""
        self._watchers.append(watcher)

    @property
    def table(self) -> Table:
        """The rows as text, the same facts as the picture."""
        shown = {"bytes": self.bounds.max_bytes is not None, "deadline <= now": bool(self.rule)}
        return rows_table(self.lives, columns=[name for name in COLUMNS if shown.get(name, True)])

    @property
    def words(self) -> str:
        """The picture in sentences: the time, what was done last, then each entry."""
        last = last_words(self._events, self.now)
        return sentences(self.lives, now=self.now, latest=self.latest, last=last, rule=self.rule)

    @property
    def horizon(self) -> float:
        """Where the axis ends: past every deadline and the latest time, whatever one looks at."""
        deadlines = [event.deadline for event in self._events if event.act is Act.PUT]
        return horizon([self.bounds.ttl or 0, self.latest, *deadlines])

    @property
    def picture(self) -> str:
        """The rows as SVG."""
        return picture(
            self.lives, now=self.now, latest=self.latest, horizon=self.horizon, words=self.words, rule=self.rule
        )

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_mimebundle_(self, **_asked: Any) -> dict[str, str]:
        html = figure(self.picture, self.words, self.table)
        return {"text/plain": repr(self), "text/html": html, "image/svg+xml": self.picture}

    def _look_up(self, what: str, look: Callable[[str], object], key: str, *, found: Act) -> str:
        self._only_at_the_latest_time(what)
        if key in self._revoked:
            return self._record(Act.REFUSED, key)
        return self._record(Act.MISS if look(key) is None else found, key)

    def _only_at_the_latest_time(self, what: str) -> None:
        if self.looks_back:
            latest, now = instant(self.latest), instant(self.now)
            raise ValueError(f"{what} happens at the latest time only, {latest} s; you look back at {now} s")

    def _deadline_ahead(self) -> float:
        deadline = self.next_deadline
        if deadline is None:
            raise ValueError(f"nobody is alive at {instant(self.now)} s, so there is no deadline ahead")
        return deadline

    def _note(self, drop: Drop) -> None:
        if drop.reason is not Reason.EXPIRED:  # the deadline tells that; the map notices only when it is asked
            self._events.append(Event(at=drop.at, act=Act.LEFT, key=drop.key, reason=drop.reason))

    def _record(self, act: Act, key: str, *, size: int = 0, deadline: float = math.inf) -> str:
        self._events.append(Event(at=self.latest, act=act, key=key, size=size, deadline=deadline))
        self._changed()
        return act.value

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()
