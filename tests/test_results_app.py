"""The results lab over a real socket: kept bytes go out as they are kept, and no policy that is gone is obeyed."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from bisect import bisect_right
from dataclasses import dataclass
from functools import partial

import httpx
import pytest
from live_server import EDITOR, JSON_QUERY, READER, SECONDS, answer, head, live_server

from labkit.access.access_cases import FailingTool
from labkit.access.tool import LiteralTools
from labkit.canonical import canonical_bytes, canonical_hash
from labkit.errors import REFUSALS, ConfigError
from labkit.service.access_app import access_app
from labkit.service.admission_cases import admission_cases
from labkit.service.refusals import STATUS
from labkit.service.results_app import AT_ONCE, in_place, results_app

CASES = [case for case in admission_cases() if case.path == "/search" and case.outcome in REFUSALS and not case.fault]
CLIENTS, REQUESTS, REPLACEMENTS = 4, 1000, 20
BETWEEN = REQUESTS // CLIENTS // REPLACEMENTS
"""A client's requests from one replacement to the next."""
BODY = json.dumps(JSON_QUERY).encode()
NEVER = """
import threading
from labkit.service.listen import address_of, listening, serve
from labkit.service.results_app import results_app

def never(corpus):
    print("asked", flush=True)
    threading.Event().wait()

listener = listening()
serve(results_app(tool_factory=never), listener, lambda: print(address_of(listener), flush=True))
"""


class HeldTools:
    """Makes a tool once the test lets it; `asked` counts those that wait for it."""

    def __init__(self):
        self.asked, self.go_on = threading.Semaphore(0), threading.Event()
        self._tools = LiteralTools()

    def __call__(self, corpus):
        self.asked.release()
        assert self.go_on.wait(SECONDS)
        return self._tools(corpus)


@pytest.fixture(scope="module")
def server():
    with live_server(results_app(ttl=3600.0)) as server:
        yield server


@pytest.fixture(scope="module")
def client():
    with httpx.Client(trust_env=False) as client:
        yield client


@pytest.fixture(autouse=True)
def empty(server):
    """Nothing is kept when a test begins."""
    server.app.state.cache.clear()


def retrieve(client, server, body=JSON_QUERY, token=READER):
    return client.post(server.address + "/retrieve", json=body, headers={"Authorization": token})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_row_of_a_search_is_refused_alike_and_never_reaches_the_cache(client, server, case):
    before = server.app.state.cache.stats()

    reply = client.request(case.method, server.address + "/retrieve", headers=case.headers, content=case.content)

    assert reply.status_code == STATUS[case.outcome]
    assert reply.content == b'{"error":{"code":"%s"}}' % case.outcome.encode()
    assert reply.headers["cache-control"] == "private, no-store"
    assert server.app.state.cache.stats() == before


def test_first_is_a_miss_then_a_hit_and_both_say_the_same(client, server):
    first, second = retrieve(client, server), retrieve(client, server, {"query": "JSON", "collection": "serialization"})

    assert (first.json()["cache"], second.json()["cache"]) == ("miss", "hit")
    assert first.json()["result"] == second.json()["result"]
    assert first.json()["cache_key"] == second.json()["cache_key"]
    assert second.headers["cache-control"] == "private, no-store"


def test_hit_holds_the_kept_bytes_as_they_are(client, server):
    key = retrieve(client, server).json()["cache_key"]
    kept = server.app.state.cache.get_bytes(key)

    reply = retrieve(client, server)

    assert reply.content == b'{"cache":"hit","cache_key":"%s","result":%s}' % (key.encode(), kept)
    assert reply.content == canonical_bytes(reply.json())


def test_result_verifies_after_its_way_over_http(client, server):
    result = retrieve(client, server).json()["result"]

    assert result.pop("result_sha256") == canonical_hash(result)


def test_other_principal_misses(client, server):
    assert [retrieve(client, server, token=token).json()["cache"] for token in (READER, EDITOR)] == ["miss", "miss"]


def test_token_withdrawn_while_the_body_comes_is_no_longer_known(server, monkeypatch):
    with server.connection() as slow:
        slow.sendall(head("/retrieve", f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
        slow.recv(1000)  # who it is has been settled

        monkeypatch.setattr(type(server.gate.in_force.policy), "principal_with", lambda *_: None)
        slow.sendall(BODY)

        assert answer(slow) == (401, b'{"error":{"code":"unauthenticated"}}')


def test_what_finds_nothing_is_a_bypass_each_time(client, server):
    body = JSON_QUERY | {"query": "zzzz"}

    assert [retrieve(client, server, body).json()["cache"] for _ in range(2)] == ["bypass", "bypass"]


@pytest.mark.parametrize("path", ["/read", "/search", "/retrieve%0A"])
def test_lab_has_no_path_but_its_own_and_no_public_read(client, server, path):
    reply = client.post(server.address + path, json={"handle": {}}, headers={"Authorization": READER})

    assert (reply.status_code, reply.content) == (404, b'{"error":{"code":"not_found"}}')


def test_failed_tool_says_no_more_than_that_and_keeps_nothing(client):
    with live_server(results_app(tool_factory=FailingTool)) as failing:
        replies = [retrieve(client, failing) for _ in range(2)]

        assert [(reply.status_code, reply.content) for reply in replies] == [
            (503, b'{"error":{"code":"tool_failure"}}')
        ] * 2
        assert failing.app.state.cache.stats().entries == 0


def asks(place):
    """A connection on which a retrieval was asked for."""
    connection = socket.create_connection(place, timeout=SECONDS)
    connection.sendall(head("/retrieve", f"Content-Length: {len(BODY)}") + BODY)
    return connection


def test_slow_tool_keeps_nobody_else_waiting(client):
    tools = HeldTools()
    with live_server(results_app(tool_factory=tools)) as server, asks(server.place) as waiting:
        assert tools.asked.acquire(timeout=SECONDS)
        meanwhile = retrieve(client, server, JSON_QUERY | {"collection": "nowhere"})
        tools.go_on.set()

        assert meanwhile.status_code == 403
        assert answer(waiting)[0] == 200


def test_so_many_retrievals_run_at_once_and_the_others_wait_their_turn(client):
    tools = HeldTools()
    with live_server(results_app(tool_factory=tools)) as server:
        waiting = [asks(server.place) for _ in range(AT_ONCE + 1)]
        for _ in range(AT_ONCE):
            assert tools.asked.acquire(timeout=SECONDS)
        for _ in range(3):  # turns of the loop in which one more could begin
            assert client.post(server.address + "/nothing").status_code == 404

        assert not tools.asked.acquire(blocking=False)

        tools.go_on.set()
        assert [answer(each)[0] for each in waiting] == [200] * (AT_ONCE + 1)
        for each in waiting:
            each.close()


def test_shutdown_waits_for_no_tool_and_what_one_brings_later_is_not_kept():
    tools, threads = HeldTools(), set(threading.enumerate())
    with live_server(results_app(tool_factory=tools)) as server:
        waiting, cache = asks(server.place), server.app.state.cache
        assert tools.asked.acquire(timeout=SECONDS)
        started = time.monotonic()
    took = time.monotonic() - started
    with waiting:
        said = answer(waiting)

    tools.go_on.set()
    for late in set(threading.enumerate()) - threads:
        late.join(SECONDS)

    assert took < 2
    assert said == (500, b'{"error":{"code":"internal_error"}}')
    assert (cache.stats().stores, cache.stats().entries) == (1, 0)


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_tool_that_never_returns_does_not_hold_the_process():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", NEVER], text=True, **pipes) as served:
        said = served.stdout or sys.stdin
        host, port = said.readline().removeprefix("http://").split(":")
        with asks((host, int(port))):
            assert said.readline() == "asked\n"
            served.send_signal(signal.SIGINT)
            try:
                _, logged = served.communicate(timeout=SECONDS)
            finally:
                served.kill()

    assert served.returncode == 0
    assert "Traceback" not in logged


def test_retrieval_in_place_needs_no_thread_and_no_socket():
    async def ask():
        app = results_app(run=in_place)
        transport = httpx.ASGITransport(app)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as client:
            reply = await client.post("http://lab/retrieve", json=JSON_QUERY, headers={"Authorization": READER})
            return reply.json()["cache"], threading.active_count()

    before = threading.active_count()

    assert asyncio.run(ask()) == ("miss", before)


def test_bound_that_makes_no_sense_stops_the_start_not_a_request():
    with pytest.raises(ConfigError, match="invalid_ttl"):
        results_app(ttl=0)


def test_shutdown_drops_what_is_kept_and_every_handle(client):
    with live_server(results_app(ttl=3600.0)) as server:
        retrieve(client, server)
        cache, gate = server.app.state.cache, server.gate
        gate.search("reader", JSON_QUERY)
        assert (cache.stats().entries, len(gate.handles)) == (1, 1)

    assert (cache.stats().entries, len(gate.handles)) == (0, 0)


def test_app_that_ends_by_an_error_drops_it_too():
    app, seen = results_app(run=in_place), []

    async def ask_and_fail():
        transport = httpx.ASGITransport(app)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as client:
            await client.post("http://lab/retrieve", json=JSON_QUERY, headers={"Authorization": READER})
            seen.extend([app.state.cache.stats().entries, app.state.gate])
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        asyncio.run(ask_and_fail())

    entries, gate = seen
    assert (entries, app.state.cache.stats().entries, len(gate.handles)) == (1, 0, 0)


@dataclass(frozen=True)
class Seen:
    """One reply as its client saw it: when its last bytes were sent, when it was there, and what it says."""

    asked: float
    came: float
    status: int
    said: str


class Race:
    """Four clients ask, each on a connection of its own; what they saw is kept.

    The first waits in mid-body for each replacement: `half` says that it is there, `replaced` lets it go on.
    """

    def __init__(self, address, body):
        self.address = address
        self.body = json.dumps(body).encode()
        self.seen: list[Seen] = []
        self.half, self.replaced = threading.Semaphore(0), threading.Semaphore(0)
        waits = [self.wait_for_another, *[lambda _: None] * (CLIENTS - 1)]
        self.clients = [threading.Thread(target=self.ask, args=(wait,)) for wait in waits]

    def ask(self, wait):
        headers = {"Authorization": READER, "Content-Type": "application/json"}
        with httpx.Client(trust_env=False, headers=headers) as client:
            for number in range(REQUESTS // CLIENTS):
                sent: list[float] = []
                reply = client.post(self.address, content=self.halves(sent, partial(wait, number)))
                came, told = time.monotonic(), reply.json()
                said = told["error"]["code"] if "error" in told else told.get("result", told)["policy_id"]
                self.seen.append(Seen(sent[0], came, reply.status_code, said))

    def halves(self, sent, wait):
        """The body in two pieces: nobody can have looked for the last time before the second is sent."""
        yield self.body[:5]
        wait()
        sent.append(time.monotonic())
        yield self.body[5:]

    def wait_for_another(self, number):
        if number % BETWEEN == 0 and number < BETWEEN * REPLACEMENTS:
            self.half.release()
            assert self.replaced.acquire(timeout=SECONDS)


def told_by(policy, path, issued_under):
    """Status and word of the reply, were this policy in force all the time."""
    if "serialization" not in policy.grants["reader"]:
        return 403, "collection_denied"
    if path == "/read" and policy.policy_id != issued_under.policy_id:
        return 403, "handle_binding_mismatch"
    return 200, policy.policy_id


@pytest.mark.parametrize(
    ("make", "path"),
    [(access_app, "/search"), (access_app, "/read"), (results_app, "/retrieve")],
    ids=["search", "read", "retrieve"],
)
def test_every_reply_is_allowed_by_a_policy_in_force_while_it_was_made(client, make, path):
    with live_server(make()) as server:
        granted, body = server.gate.in_force.policy, JSON_QUERY
        if path == "/read":
            found = client.post(server.address + "/search", json=JSON_QUERY, headers={"Authorization": READER})
            body = {"handle": found.json()["results"][0]}
        race = Race(server.address + path, body)
        revoked = granted.without("reader", "serialization")
        others = [revoked, granted.with_grant("reader", "files"), revoked.without("editor", "files"), granted]
        begun, policies = [0.0], [granted]  # policies[i] may be in force from begun[i] on
        ended = []  # and was no longer, at the latest, at ended[i]
        for each in race.clients:
            each.start()
        for turn in range(REPLACEMENTS):
            assert race.half.acquire(timeout=SECONDS)
            client.post(server.address + "/nothing")  # once it is answered, the half before it has been heard
            begun.append(time.monotonic())
            policies.append(others[turn % len(others)])
            server.gate.replace(policy=policies[-1])
            ended.append(time.monotonic())
            race.replaced.release()
        for each in race.clients:
            each.join()

    assert len(race.seen) == REQUESTS
    for seen in race.seen:
        possible = policies[bisect_right(ended, seen.asked) : bisect_right(begun, seen.came)]
        assert (seen.status, seen.said) in {told_by(policy, path, granted) for policy in possible}
    assert {told_by(policy, path, granted) for policy in policies} == {(seen.status, seen.said) for seen in race.seen}
