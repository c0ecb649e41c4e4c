"""The access lab over a real socket: every refusal in its order, nothing echoed, and nobody waits for a slow client."""

import asyncio
import gc
import json
import os
import re
import shlex
import threading
import time
from pathlib import Path

import httpx
import pytest
from live_server import EDITOR, JSON_QUERY, READER, answer, chunk, head, live_server, refusal, rest

from labkit.errors import REFUSALS
from labkit.service.access_app import access_app
from labkit.service.admission import MAX_BODY
from labkit.service.admission_cases import admission_cases, no_ids
from labkit.service.refusals import STATUS

CASES = admission_cases()
BODY = json.dumps(JSON_QUERY).encode()
FILE_QUERY = {"query": "file", "collection": "files", "version": "3.12", "k": 2}


@pytest.fixture(scope="module")
def server():
    with live_server(access_app()) as server:
        yield server


@pytest.fixture(scope="module")
def failing():
    with live_server(access_app(new_id=no_ids)) as server:
        yield server


@pytest.fixture(scope="module")
def client():
    with httpx.Client(trust_env=False) as client:
        yield client


@pytest.fixture
def policy(server):
    """The policy in force, put back at the end."""
    before = server.gate.in_force.policy
    yield before
    server.gate.replace(policy=before)


def post(client, server, path, body, token=READER):
    return client.post(server.address + path, json=body, headers={"Authorization": token})


def outcome(reply):
    return f"{len(reply.json()['results'])} handles" if reply.is_success else reply.json()["error"]["code"]


def test_calls_that_the_readme_shows_come_out_as_it_says(client, server):
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    replies = []
    for line in re.findall("^curl .*$", readme, re.MULTILINE):
        _, _, header, _, body, url = shlex.split(line)
        name, _, value = header.partition(": ")
        here = server.address + url.removeprefix("http://127.0.0.1:8000")
        # What curl's --json sends.
        headers = {name: value, "Content-Type": "application/json", "Accept": "application/json"}
        replies.append(client.post(here, content=body, headers=headers))

    assert [outcome(reply) for reply in replies] == ["1 handles", "collection_denied"]
    assert f"The second gets `{replies[1].text}`." in readme


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_row_comes_out_over_a_socket(request, client, case):
    server = request.getfixturevalue("failing" if case.fault else "server")

    reply = client.request(case.method, server.address + case.path, headers=case.headers, content=case.content)

    assert outcome(reply) == case.outcome
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["cache-control"] == "private, no-store"
    if case.outcome in REFUSALS:
        assert reply.status_code == STATUS[case.outcome]
        assert reply.content == b'{"error":{"code":"%s"}}' % case.outcome.encode()
        assert reply.headers.get("www-authenticate") == ("Bearer" if reply.status_code == 401 else None)
        assert "private" not in reply.text


def test_other_method_is_told_the_one_that_is_allowed(client, server):
    assert client.get(server.address + "/search").headers["allow"] == "POST"


def test_bad_bodies_get_one_and_the_same_answer(client, server):
    bad = [case for case in CASES if case.outcome == "invalid_request"]

    replies = [client.post(server.address + case.path, headers=case.headers, content=case.content) for case in bad]

    for reply in replies:
        reply.headers.pop("date")
    assert len({(reply.status_code, reply.content, str(reply.headers)) for reply in replies}) == 1


def test_refused_before_the_gate_leaves_no_trace_in_it(client, server):
    before = len(server.gate.handles)
    refused = [case for case in CASES if case.outcome in REFUSALS and not case.fault]

    for case in refused:
        client.request(case.method, server.address + case.path, headers=case.headers, content=case.content)

    assert len(server.gate.handles) == before


def test_every_row_comes_out_where_no_thread_can_start_and_there_is_no_socket(monkeypatch):
    async def outcomes():
        app = access_app()
        transport = httpx.ASGITransport(app)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as client:
            return [
                outcome(
                    await client.request(
                        case.method, f"http://lab{case.path}", headers=case.headers, content=case.content
                    )
                )
                for case in CASES
                if not case.fault
            ]

    monkeypatch.setattr(threading.Thread, "start", None)

    assert asyncio.run(outcomes()) == [case.outcome for case in CASES if not case.fault]


def test_handle_of_a_search_is_read_as_text(client, server):
    handle = post(client, server, "/search", FILE_QUERY, EDITOR).json()["results"][0]

    read = post(client, server, "/read", {"handle": handle}, EDITOR)

    assert read.status_code == 200
    assert read.json()["text"] == server.gate.in_force.corpus.passage(handle["passage_id"]).text
    assert read.headers["cache-control"] == "private, no-store"


def test_handle_that_both_may_use_is_still_the_editors(client, server):
    handle = post(client, server, "/search", JSON_QUERY, EDITOR).json()["results"][0]

    reply = post(client, server, "/read", {"handle": handle}, READER)

    assert (reply.status_code, outcome(reply)) == (403, "handle_binding_mismatch")


def test_headers_that_are_not_named_change_nothing(client, server):
    more = {"X-Principal": "editor", "X-Forwarded-User": "editor", "Cookie": "token=synthetic-editor-token"}

    reply = client.post(server.address + "/search", json=FILE_QUERY, headers={"Authorization": READER, **more})

    assert outcome(reply) == "collection_denied"


@pytest.mark.parametrize(("token", "status"), [(READER, 413), (None, 401)], ids=["known", "unknown"])
def test_declared_length_over_the_limit_is_never_asked_for(server, token, status):
    with server.connection() as connection:
        length = f"Content-Length: {MAX_BODY + 1}"
        connection.sendall(head("/search", length, "Expect: 100-continue", token=token))

        came = answer(connection)  # it comes although no byte of the body was sent

    assert came == (status, b'{"error":{"code":"%s"}}' % (b"body_too_large" if token else b"unauthenticated"))


def test_body_within_the_limit_is_asked_for(server):
    with server.connection() as connection:
        connection.sendall(head("/search", f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
        first = connection.recv(1000)
        connection.sendall(BODY)

        assert first.startswith(b"HTTP/1.1 100 ")
        assert answer(connection)[0] == 200


@pytest.mark.parametrize(("token", "status"), [(READER, 413), (None, 401)], ids=["known", "unknown"])
def test_chunked_body_is_answered_at_the_chunk_that_crosses_the_limit(server, token, status):
    with server.connection() as connection:
        # Kept alive: a server that closes on bytes it has not read resets the connection, its reply with it.
        start = head("/search", "Transfer-Encoding: chunked", token=token).replace(b"close", b"keep-alive")
        connection.sendall(start)
        connection.sendall(chunk(b"x" * MAX_BODY) + chunk(b"x"))  # and no end

        came, body = refusal(connection)

    assert came == status
    assert len(body) < 200


def test_chunked_body_within_the_limit_is_read_whole(server):
    with server.connection() as connection:
        connection.sendall(head("/search", "Transfer-Encoding: chunked"))
        for byte in BODY:
            connection.sendall(chunk(bytes([byte])))
        connection.sendall(chunk(b""))

        assert answer(connection)[0] == 200


def test_unknown_caller_is_answered_before_the_body_is_there(server):
    with server.connection() as connection:
        connection.sendall(head("/search", f"Content-Length: {len(BODY)}", token="Bearer nobody"))

        assert answer(connection)[0] == 401


def test_slow_client_keeps_nobody_else_waiting(client, server):
    with server.connection() as slow:
        slow.sendall(head("/search", f"Content-Length: {len(BODY)}") + BODY[:5])

        others = [post(client, server, "/search", JSON_QUERY).status_code for _ in range(5)]
        slow.sendall(BODY[5:])

        assert others == [200] * 5
        assert answer(slow)[0] == 200


def test_client_that_hangs_up_gets_nothing_done_and_breaks_nothing(client, caplog):
    start = head("/search", f"Content-Length: {len(BODY)}")
    with live_server(access_app()) as server:
        for sent in (b"POST /sea", start, start + BODY[:-1], start + BODY[:10], BODY[:10]):
            with server.connection() as connection:
                connection.sendall(sent)

        reply = post(client, server, "/search", FILE_QUERY, READER)

        assert outcome(reply) == "collection_denied"
        assert len(server.gate.handles) == 0
    assert caplog.records == []  # at the end, when all is said


def test_grant_revoked_while_the_body_comes_is_gone_for_it(server, policy):
    with server.connection() as slow:
        slow.sendall(head("/search", f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
        slow.recv(1000)  # who it is has been settled

        server.gate.replace(policy=policy.without("reader", "serialization"))
        slow.sendall(BODY)

        assert answer(slow) == (403, b'{"error":{"code":"collection_denied"}}')


@pytest.mark.parametrize("path", ["/search", "/read"])
def test_token_withdrawn_while_the_body_comes_is_no_longer_known(server, policy, monkeypatch, path):
    body = BODY if path == "/search" else b'{"handle": {}}'
    with server.connection() as slow:
        slow.sendall(head(path, f"Content-Length: {len(body)}", "Expect: 100-continue"))
        slow.recv(1000)

        monkeypatch.setattr(type(policy), "principal_with", lambda *_: None)
        slow.sendall(body)

        assert answer(slow) == (401, b'{"error":{"code":"unauthenticated"}}')


def test_failure_of_the_lab_shows_in_its_log_and_in_no_reply(client, caplog):
    with live_server(access_app(new_id=no_ids)) as failing:
        reply = post(client, failing, "/search", JSON_QUERY)

    assert (reply.status_code, outcome(reply)) == (500, "internal_error")
    assert "private: no id left" in caplog.text  # whoever runs the lab is told
    assert "synthetic" not in caplog.text


def test_gate_lives_as_long_as_the_app():
    app = access_app()
    with live_server(app) as server:
        gate = server.gate
        gate.search("reader", JSON_QUERY)
        assert len(gate.handles) == 1

    assert len(gate.handles) == 0


def opened():
    """Every file and socket that this process holds open, where the system says so."""
    gc.collect()
    folder = Path("/proc/self/fd")
    return sorted(os.readlink(each) for each in folder.iterdir() if each.exists()) if folder.exists() else []


def test_shutdown_takes_two_seconds_at_most_and_leaves_nothing_open():
    before, threads = opened(), set(threading.enumerate())
    with live_server(access_app()) as server:
        with httpx.Client(trust_env=False) as own:
            post(own, server, "/search", JSON_QUERY)
        slow, idle = server.connection(), server.connection()
        slow.sendall(head("/search", f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
        slow.recv(1000)  # it is in the middle of its request
        started = time.monotonic()
    took = time.monotonic() - started

    said = rest(slow)
    slow.close()
    idle.close()

    assert took < 2
    assert said.endswith(b'{"error":{"code":"internal_error"}}')
    assert set(threading.enumerate()) == threads
    assert opened() == before
