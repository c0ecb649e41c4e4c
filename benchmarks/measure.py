"""Two pieces of work, timed by turns in one run; what tells, on a shared machine, is the ratio of their best times."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

Work = Callable[[], object]
TURN = 0.005
"""Seconds one work is repeated before the other's turn."""


@dataclass(frozen=True)
class Row:
    """One line of the report: what was compared with what, the ratio that is wanted and the one that came out."""

    work: str
    baseline: str
    wanted: str
    ratio: float
    kept: bool


def seconds(work: Work, calls: int) -> float:
    """Seconds of this process a call, over so many calls: what others do on the machine counts less so."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - start) / calls


def best_times(one: Work, other: Work, *, rounds: int = 40) -> tuple[float, float]:
    """The best seconds a call of both, which take turns so that a slow moment of the machine hits both."""
    calls = [calls_in_a_turn(work) for work in (one, other)]
    turns = [(seconds(one, calls[0]), seconds(other, calls[1])) for _ in range(rounds)]
    return min(turn[0] for turn in turns), min(turn[1] for turn in turns)


def calls_in_a_turn(work: Work) -> int:
    """As many calls as fit in a turn: of two turns of unlike length, the shorter finds the quieter moment."""
    work()
    return max(1, int(TURN / min(seconds(work, 1) for _ in range(5))))


def at_least(work: str, baseline: str, wanted: float, ratio: float) -> Row:
    """A row for `baseline takes ratio times as long`, kept from `wanted` on."""
    return Row(work, baseline, f"≥ {wanted:g}", ratio, ratio >= wanted)


def at_most(work: str, baseline: str, wanted: float, ratio: float) -> Row:
    """A row for `ours takes ratio times as long as the baseline`, kept up to `wanted`."""
    return Row(work, baseline, f"≤ {wanted:g}", ratio, ratio <= wanted)


def report(title: str, rows: list[Row]) -> None:
    """Print the rows as a table."""
    table = Table("work", "baseline", "wanted", "times", "kept", title=title)
    for row in rows:
        table.add_row(row.work, row.baseline, row.wanted, f"{row.ratio:,.2f}", "yes" if row.kept else "NO")
    Console().print(table)
