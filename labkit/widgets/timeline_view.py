"""Buttons, a slider and the picture of a `Timeline`: it passes on what a learner does and shows what comes of it."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import anywidget
from traitlets import Dict, Float

from labkit.bounded_map import checked_count
from labkit.widgets.lives import instant
from labkit.widgets.timeline import Timeline

KEYS = "abcd"
"""What the view offers to put, besides every key that the lesson itself has put."""

_FILES = files("labkit.widgets")


class TimelineView(anywidget.AnyWidget):
    """The live view of one `Timeline`; recorded in a file it leaves the picture, the table and the text."""

    _esm = _FILES.joinpath("timeline.js").read_text(encoding="utf-8")
    _css = _FILES.joinpath("timeline.css").read_text(encoding="utf-8")
    now = Float(0.0).tag(sync=True)
    page = Dict().tag(sync=True)

    def __init__(self, timeline: Timeline):
        self.timeline = timeline
        super().__init__(now=timeline.now, page=page(timeline))
        timeline.watch(self._show)
        self.observe(self._dragged, "now")
        self.on_msg(self._pressed)

    def _dragged(self, change: Mapping[str, Any]) -> None:
        if change["new"] != self.timeline.now:
            self._try(lambda: self.timeline.look_at(change["new"]))

    def _pressed(self, _view: object, message: Mapping[str, Any], _buffers: object) -> None:
        self._try(lambda: act(self.timeline, message))

    def _show(self, error: str = "") -> None:
        self.page = page(self.timeline, error)
        self.now = self.timeline.now

    def _try(self, change: Callable[[], object]) -> None:
        """Do it, and show what went wrong: an exception in a callback would end in a log that no learner reads."""
        try:
            change()
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner must see it
            self._show(f"That did not work. {type(error).__name__}: {error}.")

    # typing.override, which would be said of these two, came with Python 3.12.
    def __repr__(self) -> str:  # pyrefly: ignore[missing-override-decorator]
        return repr(self.timeline)

    def _repr_mimebundle_(  # pyrefly: ignore[missing-override-decorator]
        self, **asked: Any
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        live, metadata = super()._repr_mimebundle_(**asked) or ({}, {})
        return {**live, **self.timeline._repr_mimebundle_()}, metadata


def act(timeline: Timeline, message: Mapping[str, Any]) -> None:
    """Do what a button asks for; KeyError for an act that there is no button for."""
    key = message.get("key", "")
    acts: dict[str, Callable[[], object]] = {
        "put": lambda: timeline.put(key, size=checked_count(message.get("size", 0), name="bytes", low=0)),
        "get": lambda: timeline.get(key),
        "peek": lambda: timeline.peek(key),
        "revoke": lambda: timeline.revoke(key),
        "grant": lambda: timeline.grant(key),
        "start": lambda: timeline.look_at(0),
        "jump_back": timeline.jump_back,
        "step_back": timeline.step_back,
        "tick": timeline.tick,
        "step": timeline.step,
        "jump_just_before": timeline.jump_just_before,
        "jump": timeline.jump,
        "latest": lambda: timeline.look_at(timeline.latest),
    }
    acts[message["act"]]()


def page(timeline: Timeline, error: str = "") -> dict[str, Any]:
    """All that the view shows, as one value, so that no picture stands beside another moment's words."""
    return {
        "picture": timeline.picture,
        "words": error or timeline.words,
        "failed": bool(error),
        "table": timeline.table._repr_html_(),
        "now": timeline.now,
        "instant": instant(timeline.now),
        "horizon": timeline.horizon,
        "grid": timeline.step_seconds / 4,
        "buttons": buttons(timeline),
        "playable": not timeline.is_over,
        "back_note": back_note(timeline),
        "keys": list(dict.fromkeys([*KEYS, *(event.key for event in timeline.events)])),
        "revoked": sorted(timeline.revoked),
        "sized": timeline.bounds.max_bytes is not None,
    }


def buttons(timeline: Timeline) -> dict[str, str]:
    """What the time buttons say; empty where there is nowhere to go."""
    step = f"{timeline.step_seconds:g} s"
    ahead, behind = timeline.next_deadline, timeline.previous_stop
    return {
        "jump_back": "" if behind is None else f"Back to {instant(behind)}",
        "step_back": f"Back {step}" if timeline.now > 0 else "",
        "step": f"Step {step}",
        "jump_just_before": "" if ahead is None else f"Just before {instant(ahead)}",
        "jump": "" if ahead is None else f"To {instant(ahead)}",
        "latest": f"To the latest time, {instant(timeline.latest)}" if timeline.looks_back else "",
    }


def back_note(timeline: Timeline) -> str:
    """Why nothing can be put, got or revoked now; empty when it can."""
    if not timeline.looks_back:
        return ""
    return f"These happen at the latest time only, {instant(timeline.latest)}."
