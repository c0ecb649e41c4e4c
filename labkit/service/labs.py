"""A lab's app by its name, as `labkit serve` and the driver's servers run it."""

from typing import Any

from fastapi import FastAPI

from labkit.access.access_cases import FailingTool
from labkit.access.handles import seeded_ids
from labkit.errors import ConfigError
from labkit.service.access_app import access_app
from labkit.service.results_app import results_app


def lab_app(name: str, *, ttl: float | None = None, seed: int | None = None, tool: str = "literal") -> FastAPI:
    """The app of the lab `access` or `results`: ids that repeat for a seed, a tool that `fails`, a ttl for results.

    ConfigError `invalid_ttl` for a bad one, and for any of access.
    """
    settings: dict[str, Any] = {}
    if seed is not None:
        settings["new_id"] = seeded_ids(seed)
    if tool == "fails":
        settings["tool_factory"] = FailingTool
    if name == "results":
        return results_app(**settings) if ttl is None else results_app(ttl=ttl, **settings)
    if ttl is not None:
        raise ConfigError("invalid_ttl", "the access lab keeps no result; a ttl is for the results lab")
    return access_app(**settings)
