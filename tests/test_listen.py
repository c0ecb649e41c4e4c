"""A server listens on the loopback, says when it answers, and speaks in the lab's words whatever comes."""

import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading

import httpx
import pytest
from live_server import JSON_QUERY, SECONDS, answer, head, live_server

from labkit.errors import ConfigError
from labkit.service.access_app import access_app
from labkit.service.listen import GRACE, Server, address_of, listening, serve
from labkit.service.wire import OurWords

TO_START = 120
"""Seconds that a process may take to load all it needs and end, on a machine that does much else."""


@pytest.fixture(scope="module")
def server():
    with live_server(access_app()) as server:
        yield server


def test_socket_is_on_the_loopback_and_is_tcp_by_name():
    with listening() as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.skipif(os.name != "posix", reason="elsewhere two servers would share a port")
def test_port_can_be_had_again_as_soon_as_a_server_has_gone():
    with listening() as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_app_that_cannot_start_is_not_served_and_its_socket_is_closed():
    listener = listening()

    with pytest.raises(SystemExit):
        serve(access_app(max_handles=0), listener, lambda: pytest.fail("it answers"))

    assert listener.fileno() == -1


def test_port_that_is_taken_is_told_by_its_number():
    with listening() as listener:
        port = listener.getsockname()[1]

        with pytest.raises(ConfigError, match=rf"port_taken: 127\.0\.0\.1, port {port}: .*--port names another"):
            listening(port=port)


def test_host_that_is_not_this_machine_is_refused():
    with pytest.raises(ConfigError, match=r"port_taken: 192\.0\.2\.1"):
        listening("192.0.2.1")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_address_of_ipv6_is_in_brackets():
    try:
        listener = listening("::1")
    except ConfigError:
        pytest.skip("no IPv6 loopback here")
    with listener:
        assert address_of(listener) == f"http://[::1]:{listener.getsockname()[1]}"


def test_request_under_way_has_its_time_to_end():
    body = json.dumps(JSON_QUERY).encode()
    with live_server(access_app()) as ending:
        idle, slow = ending.connection(), ending.connection()
        slow.sendall(head("/search", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        slow.recv(1000)  # it is in the middle of its request
        ending.end()
        assert idle.recv(1) == b""  # the end has begun
        slow.sendall(body)
        with idle, slow:
            assert answer(slow)[0] == 200


def test_time_to_end_is_within_the_two_seconds():
    assert 0 < GRACE < 2
    assert Server(access_app()).config.timeout_graceful_shutdown == GRACE


def test_server_is_the_same_whatever_else_is_installed(server):
    config = Server(access_app()).config

    assert (config.http, config.ws, config.loop) == (OurWords, "none", "asyncio")  # else Uvicorn looks around
    with server.connection() as connection:
        upgrade = ("Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")
        asked = head("/search", *upgrade, token=None).replace(b"Connection: close", b"Connection: Upgrade, close")
        connection.sendall(asked)

        assert answer(connection) == (401, b'{"error":{"code":"unauthenticated"}}')


def test_second_ctrl_c_does_not_take_the_end_away_from_the_app(caplog):
    ready, listener = threading.Event(), listening()
    server = Server(access_app(), ready.set)
    logging.getLogger("uvicorn").propagate = True
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})

    with listener:
        thread.start()
        assert ready.wait(SECONDS)
        server.handle_exit(signal.SIGINT, None)
        server.handle_exit(signal.SIGINT, None)
        thread.join(SECONDS)

    assert caplog.records == []


def test_reply_does_not_say_which_server_sent_it(server):
    assert "server" not in httpx.get(server.address, trust_env=False).headers


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serve_says_where_it_answers_and_ends_when_told(stop):
    command = [sys.executable, "-m", "labkit", "serve", "access", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        line = (served.stdout or sys.stdin).readline()
        reply = httpx.post(line.split()[-1] + "/search", trust_env=False)
        served.send_signal(stop)
        _, said = served.communicate(timeout=SECONDS)

    assert line.startswith("the access lab answers on http://127.0.0.1:")
    assert reply.status_code == 401
    assert said == ""


@contextlib.contextmanager
def served(*options, stdin=subprocess.PIPE):
    """`labkit serve access`, and where it answers; whatever comes, it is gone afterwards."""
    command = [sys.executable, "-m", "labkit", "serve", "access", "--port", "0", *options]
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server, server.stdout.readline().split()[-1]
        finally:
            server.kill()


def test_server_that_somebody_holds_ends_when_they_let_go():
    with served("--while-stdin") as (server, address):
        reply = httpx.post(address + "/search", trust_env=False)

        _, said = server.communicate(timeout=SECONDS)  # closes its standard input

    assert reply.status_code == 401
    assert (server.returncode, said) == (0, "")


def test_server_that_nobody_holds_does_not_look_at_standard_input():
    with served(stdin=subprocess.DEVNULL) as (_, address):  # which has ended before the server begins
        assert httpx.post(address + "/search", trust_env=False).status_code == 401


def test_serve_on_a_port_that_is_taken_ends_by_its_own_code():
    with listening() as listener:
        command = [sys.executable, "-m", "labkit", "serve", "results", f"--port={listener.getsockname()[1]}"]
        served = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TO_START)

    assert served.returncode == 4, served.stderr
    assert served.stderr.startswith("labkit: port_taken: ")
    assert served.stderr.count("\n") == 1
