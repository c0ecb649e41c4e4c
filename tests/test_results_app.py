"""The results lab over a real socket: kept bytes go out as they are kept, and no policy that is gone is obeyed."""

import asyncio
import json
import threading
import time
from bisect import bisect_right
from dataclasses import dataclass

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
from labkit.service.results_app import in_place, results_app

CASES = [case for case in admission_cases() if case.path == "/search" and case.outcome in REFUSALS and not case.fault]
CLIENTS, REQUESTS, REPLACEMENTS = 4, 1000, 20


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
    body = json.dumps(JSON_QUERY).encode()
    with server.connection() as slow:
        slow.sendall(head("/retrieve", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        slow.recv(1000)  # who it is has been settled

        monkeypatch.setattr(type(server.gate.in_force.policy), "principal_with", lambda *_: None)
        slow.sendall(body)

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


def test_slow_tool_keeps_nobody_else_waiting(client):
    entered, go_on, tools = threading.Event(), threading.Event(), LiteralTools()

    def slow(corpus):
        entered.set()
        assert go_on.wait(SECONDS)
        return tools(corpus)

    body = json.dumps(JSON_QUERY).encode()
    with live_server(results_app(tool_factory=slow)) as server, server.connection() as waiting:
        waiting.sendall(head("/retrieve", f"Content-Length: {len(body)}") + body)
        assert entered.wait(SECONDS)
        meanwhile = retrieve(client, server, JSON_QUERY | {"collection": "nowhere"})
        go_on.set()

        assert meanwhile.status_code == 403
        assert answer(waiting)[0] == 200
    tools.close()


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


def test_shutdown_clears_what_is_kept(client):
    with live_server(results_app(ttl=3600.0)) as server:
        retrieve(client, server)
        cache = server.app.state.cache
        assert cache.stats().entries == 1

    assert cache.stats().entries == 0


@dataclass(frozen=True)
class Seen:
    """One reply as its client saw it: when it was asked for, when it was there, and what it says."""

    asked: float
    came: float
    status: int
    policy_id: str | None


class Race:
    """Four clients ask, each on a connection of its own; what they saw is kept."""

    def __init__(self, server, path):
        self.address = server.address + path
        self.seen: list[Seen] = []
        self.one_more = threading.Semaphore(0)
        self.clients = [threading.Thread(target=self.ask) for _ in range(CLIENTS)]

    def ask(self):
        with httpx.Client(trust_env=False, headers={"Authorization": READER}) as client:
            for _ in range(REQUESTS // CLIENTS):
                asked = time.monotonic()
                reply = client.post(self.address, json=JSON_QUERY)
                told = reply.json()
                self.seen.append(
                    Seen(asked, time.monotonic(), reply.status_code, told.get("result", told).get("policy_id"))
                )
                self.one_more.release()


@pytest.mark.parametrize(
    ("make", "path"), [(access_app, "/search"), (results_app, "/retrieve")], ids=["access", "results"]
)
def test_every_reply_is_allowed_by_a_policy_in_force_while_it_was_made(make, path):
    with live_server(make()) as server:
        granted, race = server.gate.in_force.policy, Race(server, path)
        revoked = granted.without("reader", "serialization")
        others = [revoked, granted.with_grant("reader", "files"), revoked.without("editor", "files"), granted]
        begun, policies = [0.0], [granted]  # policies[i] may be in force from begun[i] on
        ended = []  # and was no longer, at the latest, at ended[i]
        for each in race.clients:
            each.start()
        for turn in range(REPLACEMENTS):
            for _ in range(REQUESTS // (REPLACEMENTS + 1)):
                assert race.one_more.acquire(timeout=SECONDS)
            begun.append(time.monotonic())
            policies.append(others[turn % len(others)])
            server.gate.replace(policy=policies[-1])
            ended.append(time.monotonic())
        for each in race.clients:
            each.join()

    assert len(race.seen) == REQUESTS
    for seen in race.seen:
        first, last = bisect_right(ended, seen.asked), bisect_right(begun, seen.came)
        possible = policies[first:last]
        if seen.status == 200:
            assert seen.policy_id in {p.policy_id for p in possible if "serialization" in p.grants["reader"]}
        else:
            assert seen.status == 403
            assert any("serialization" not in p.grants["reader"] for p in possible)
    assert {200, 403} == {seen.status for seen in race.seen}
