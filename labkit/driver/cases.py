"""The named requests of a recording: the published cases, in their order, and one that the published run leaves out."""

from dataclasses import dataclass
from typing import Any

from labkit.access.access_cases import access_cases
from labkit.fixtures import read_fixture
from labkit.results.retrieve_cases import retrieve_cases
from labkit.service.refusals import STATUS

LABS = ("access", "results")
LEFT_OUT = "both_granted_foreign_handle"
PATHS = {"search": "/search", "read": "/read"}
WAITS = "real_ttl_expired_miss"
"""The one case for which real time has to pass."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """One request, and the status and outcome that must come back.

    A read is given the handle that `issued` describes: issued to whom, by which request, with which fields changed.
    With `failing_tool` it goes to the server whose tool fails; with `waits`, once the first case's entry is dead.
    """

    name: str
    path: str
    authorization: tuple[str, ...]
    status: int
    outcome: str
    request: Any = None
    issued: dict[str, Any] | None = None
    failing_tool: bool = False
    waits: bool = False
    method: str = "POST"


def published(lab: str) -> list[dict[str, Any]]:
    """What was published for this lab, in order: case, method, path, status, outcome, and more where it matters."""
    return read_fixture("outcomes.json")[lab]


def exchanges(lab: str) -> tuple[Exchange, ...]:
    """Every request of a recording, in the order in which it is sent."""
    return _of_access() if lab == "access" else _of_results()


def outcome_of(status: int, body: Any) -> str:
    """A reply in a word or two: a refusal's code, `2 handles`, `text returned`, or what the cache did."""
    if status != 200:
        return body["error"]["code"]
    if "results" in body:
        return f"{len(body['results'])} handles"
    return body.get("cache", "text returned")


def _of_access() -> tuple[Exchange, ...]:
    rows = {case.name: case for case in access_cases()}
    wanted = {row["case"]: row["status"] for row in published("access")}
    return tuple(
        Exchange(
            name=name,
            path=PATHS[rows[name].operation],
            authorization=rows[name].authorization,
            status=status,
            outcome=rows[name].outcome,
            request=rows[name].request,
            issued=rows[name].issued,
            failing_tool=rows[name].tool == "fails",
        )
        for name, status in [*wanted.items(), (LEFT_OUT, STATUS[rows[LEFT_OUT].outcome])]
    )


def _of_results() -> tuple[Exchange, ...]:
    rows = {case.name: case for case in retrieve_cases()}
    return tuple(
        Exchange(
            name=row["case"],
            path=row["path"],
            authorization=rows[row["case"]].authorization,
            status=row["status"],
            outcome=rows[row["case"]].outcome,
            request=rows[row["case"]].request,
            failing_tool=("tool", "fails") in rows[row["case"]].before,
            waits=row["case"] == WAITS,
        )
        for row in published("results")
    )
