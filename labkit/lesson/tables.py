"""Refusals as rows of a small table, not as tracebacks; and digests cut to what the eye compares."""

from collections.abc import Callable
from types import TracebackType
from typing import Any

from labkit.errors import LabError
from labkit.text_table import Table, table

SHOWN_DIGITS = 8
"""How much of a digest a lesson shows; enough to tell two apart by eye, never enough to look one up."""


def decisions(*asked: tuple[str, Callable[[], Any]], accepted: str = "accepted") -> Table:
    """Try each call and tell what was decided, by which rule, in which function; only the lab's refusals are caught."""
    return table(_decision(label, attempt, accepted) for label, attempt in asked)


def short(digest: str) -> str:
    """The first 8 digits of a digest."""
    return digest[:SHOWN_DIGITS]


def _decision(label: str, attempt: Callable[[], Any], accepted: str) -> dict[str, str]:
    try:
        attempt()
    except LabError as refused:
        where = _where(refused.__traceback__)
        return {"request": label, "decision": f"refused: {refused.code}", "rule": refused.rule, "where": where}
    return {"request": label, "decision": accepted, "rule": "", "where": ""}


def _where(traceback: TracebackType | None) -> str:
    """The innermost public labkit function a refusal came through, such as `canonical.canonical_json`."""
    where = ""
    while traceback:
        module = traceback.tb_frame.f_globals.get("__name__", "")
        code = traceback.tb_frame.f_code
        if module.startswith("labkit.") and not module.startswith("labkit.lesson") and code.co_name[0] != "_":
            where = f"{module.rsplit('.', 1)[-1]}.{code.co_qualname}"
        traceback = traceback.tb_next
    return where
