"""Send the named requests to real servers, and write down what came back.

Taught in 12_record.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from labkit.driver.cases import Exchange, exchanges, outcome_of
from labkit.driver.children import serving
from labkit.fixtures import REPOSITORY, renew_manifest
from labkit.whole_file import write_whole

MODES = {
    "access": "actual-loopback-http-public-fixture-authorization",
    "results": "actual-loopback-http-materialized-result-cache",
}
SEED = 7
TTL = 3.0
"""Seconds that a result is kept: long enough for a busy machine to ask again, short enough to wait for."""
OPTIONS = {"access": (), "results": (f"--ttl={TTL}",)}


def record(lab: str, say: Callable[[str], object] = print) -> dict[str, Any]:
    """The recording of a lab: every named request's reply, as sent; `say` is told a line for each.

    Ids are seeded, so that two recordings are equal.
    """
    observations = []
    for observation in _sent(lab):
        say(line(observation))
        observations.append(observation)
    return {"schema_version": 1, "mode": MODES[lab], "model_called": False, "observations": observations}


def departures(lab: str, recording: dict[str, Any]) -> list[str]:
    """A sentence for each case that came out otherwise than it must."""
    found = []
    for exchange, observation in zip(exchanges(lab), recording["observations"], strict=True):
        wanted = (exchange.status, exchange.outcome)
        came = (observation["status_code"], outcome_of(observation["status_code"], observation["body"]))
        if came != wanted:
            found.append(f"{exchange.name}: wanted HTTP {wanted[0]}, {wanted[1]}; came HTTP {came[0]}, {came[1]}")
    return found


def line(observation: dict[str, Any]) -> str:
    """One observation as one line: `first_miss: HTTP 200 cache=miss`."""
    body = observation["body"]
    cache = f" cache={body['cache']}" if "cache" in body else ""
    return f"{observation['name']}: HTTP {observation['status_code']}{cache}"


def spelled(recording: dict[str, Any]) -> str:
    """A recording as the text of its file."""
    return json.dumps(recording, indent=2, ensure_ascii=False) + "\n"


def kept_at(lab: str) -> Path:
    """The file of the recording that lessons show."""
    return REPOSITORY / "observations" / f"{lab}.json"


def keep(lab: str, recording: dict[str, Any], output: Path | None = None) -> None:
    """Write it to the file, or, for None, in place of the recording that lessons show, and pin that one's hash."""
    write_whole(output or kept_at(lab), spelled(recording).encode())
    if output is None:
        renew_manifest(REPOSITORY)


class Caller:
    """Sends requests to a lab's two servers, and remembers the handles that came back."""

    def __init__(self, working: httpx.Client, failing: httpx.Client):
        self._clients = {False: working, True: failing}
        self._handles: dict[str, Any] = {}

    def send(self, exchange: Exchange) -> httpx.Response:
        """The reply to a named request."""
        client = self._clients[exchange.failing_tool]
        if exchange.issued is None:
            return self._post(client, exchange.path, exchange.authorization, exchange.request)
        handle = self._issued(exchange.issued["to"], exchange.issued["request"]) | exchange.issued.get("change", {})
        return self._post(client, exchange.path, exchange.authorization, {"handle": handle})

    def _issued(self, principal: str, request: Any) -> dict[str, Any]:
        asked = (f"Bearer synthetic-{principal}-token",)
        if (key := json.dumps([*asked, request])) not in self._handles:  # no case has asked for it yet
            self._post(self._clients[False], "/search", asked, request)
        return self._handles[key][0]

    def _post(self, client: httpx.Client, path: str, authorization: tuple[str, ...], body: Any) -> httpx.Response:
        headers = [("Authorization", value) for value in authorization]
        reply = client.post(path, json=body, headers=headers)
        if path == "/search" and reply.is_success:
            self._handles[json.dumps([*authorization, body])] = reply.json()["results"]
        return reply


def _sent(lab: str) -> Iterator[dict[str, Any]]:
    options = (f"--seed={SEED}", *OPTIONS[lab])
    with ExitStack() as open_now:
        addresses = [open_now.enter_context(serving(lab, *options, *more)) for more in [(), ("--failing-tool",)]]
        # Loopback only: a proxy that the machine's environment names has no part in it.
        clients = [open_now.enter_context(httpx.Client(base_url=each, trust_env=False)) for each in addresses]
        caller, first_reply = Caller(*clients), 0.0
        for exchange in exchanges(lab):
            if exchange.waits:
                time.sleep(max(0.0, first_reply + TTL - time.monotonic()))
            reply = caller.send(exchange)
            first_reply = first_reply or time.monotonic()
            seen = {"name": exchange.name, "method": exchange.method, "path": exchange.path}
            yield {**seen, "status_code": reply.status_code, "body": reply.json()}
