"""Time as something you hand in: a clock is a callable that returns seconds, and a fake one moves only when told."""

import math
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds from a fixed but unknown start, never going back; `time.monotonic` is one."""


class FakeClock:
    """A clock that stands still until it is moved, and moves forward only."""

    def __init__(self, now: float = 0.0):
        self._now = now

    def __call__(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass; ValueError, and no change, for less than 0, NaN or infinity."""
        self.move_to(self._now + seconds)

    def move_to(self, instant: float) -> None:
        """Make it `instant`; ValueError, and no change, for an instant already gone, NaN or infinity."""
        if not (self._now <= instant < math.inf):
            raise ValueError(f"a fake clock moves forward only: it is {self._now:g} s, asked for {instant:g} s")
        self._now = instant

    def __repr__(self) -> str:
        return f"FakeClock({self._now:g} s)"
