"""What is no HTTP is answered in the lab's words, whatever packets it comes in; what RFC 9112 asks for is done."""

import asyncio
import contextlib
import json
import re

import pytest
from live_server import JSON_QUERY, answer, chunk, head, live_server, rest

from labkit.service.access_app import access_app
from labkit.service.admission import MAX_BODY
from labkit.service.wire import by_the_rules

BAD = b'{"error":{"code":"invalid_request"}}'
BODY = json.dumps(JSON_QUERY).encode()
CHUNKED = "Transfer-Encoding: chunked"
NO_CHUNK = chunk(b"{}") + b"zz\r\n"


@pytest.fixture(scope="module")
def server():
    with live_server(access_app()) as server:
        yield server


@pytest.mark.parametrize(
    "sent",
    [
        b"garbage\r\n\r\n",
        b"POST /search\r\n\r\n",
        head("/search", "Content-Length: x"),
        head("/search", "Content-Length: 1", "Content-Length: 2"),
        head("/search", CHUNKED) + b"zz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        head("/search", f"Content-Length: {'9' * 21}", token=None),
        b"\r\n" + head("/nothing"),
    ],
    ids=[
        *("words", "no version", "length in letters", "two lengths", "chunk without a length", "TLS"),
        *("length of 21 digits, whoever asks", "empty line first, whatever the path"),
    ],
)
def test_what_is_no_http_is_a_bad_request_like_any_other(server, sent):
    with server.connection() as connection:
        connection.sendall(sent)
        received = rest(connection)

    start, _, body = received.partition(b"\r\n\r\n")
    assert (start.split()[1], body) == (b"422", BAD)
    assert b"cache-control: private, no-store" in start.lower()


STRANGER = head("/search", CHUNKED, token=None)
KNOWN = head("/search", CHUNKED)
BROKEN = {
    "stranger": (STRANGER, NO_CHUNK, 401, "unauthenticated"),
    "stranger, text": (STRANGER.replace(b"application/json", b"text/plain"), NO_CHUNK, 401, "unauthenticated"),
    "unknown path": (head("/nothing", CHUNKED, token=None), NO_CHUNK, 404, "not_found"),
    "other method": (STRANGER.replace(b"POST", b"GET"), NO_CHUNK, 405, "method_not_allowed"),
    "other type": (KNOWN.replace(b"application/json", b"text/plain"), NO_CHUNK, 415, "unsupported_media_type"),
    "too large": (KNOWN, chunk(b" " * (MAX_BODY + 1)) + b"zz\r\n", 413, "body_too_large"),
    "known": (KNOWN, NO_CHUNK, 422, "invalid_request"),
    "known, in the first chunk": (KNOWN, b"zz\r\n", 422, "invalid_request"),
    "known, behind a whole body": (KNOWN, chunk(BODY) + b"zz\r\n", 422, "invalid_request"),
    "known, in the trailer": (KNOWN, chunk(BODY) + b"0\r\nno trailer\r\n\r\n", 422, "invalid_request"),
}


def told(connection, start, broken, packets):
    """All that comes for a request whose body is no HTTP, up to the end of its answer."""
    said = b""
    if packets == 1:
        connection.sendall(start + broken)
    else:
        connection.sendall(start.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
        said = connection.recv(65536)  # the answer, or the call for the body: the app is there
        connection.sendall(broken)
    while not said.endswith(b"}}") and (part := connection.recv(65536)):
        said += part
    return said


@pytest.mark.parametrize("packets", [1, 2], ids=["one packet", "two packets"])
@pytest.mark.parametrize(("start", "broken", "status", "code"), BROKEN.values(), ids=BROKEN)
def test_body_that_is_no_http_is_come_to_in_the_order_of_admission(server, start, broken, status, code, packets):
    with server.connection() as connection:
        said = told(connection, start.replace(b"close", b"keep-alive"), broken, packets)
        with contextlib.suppress(ConnectionResetError):
            assert rest(connection) == b""

    assert re.findall(rb"HTTP/1.1 ([2-9]\d\d) ", said) == [str(status).encode()]
    assert said.endswith(b'\r\n\r\n{"error":{"code":"%s"}}' % code.encode())


def test_no_http_is_no_line_in_the_log(caplog):
    with live_server(access_app()) as server:
        for start, broken, _, _ in BROKEN.values():
            for packets in (1, 2):
                with server.connection() as connection:
                    told(connection, start.replace(b"close", b"keep-alive"), broken, packets)
                    with contextlib.suppress(ConnectionResetError):
                        rest(connection)
        with server.connection() as connection:
            connection.sendall(b"garbage\r\n\r\n")
            rest(connection)

    assert caplog.records == []


@pytest.mark.parametrize(
    "sent",
    [KNOWN + NO_CHUNK, head("/nothing", "Content-Length: 0") + b"garbage\r\n\r\n"],
    ids=["in a body", "after an answer"],
)
def test_answer_to_what_is_no_http_says_that_it_is_the_last(server, sent):
    with server.connection() as connection:
        connection.sendall(sent.replace(b"close", b"keep-alive"))

        *_, last = rest(connection).split(b"HTTP/1.1 ")

    assert last.startswith(b"422 ")
    assert b"\r\nconnection: close\r\n" in last.lower()


@pytest.mark.parametrize("length", [4, len(BODY), 10**15], ids=["shorter", "right", "too large"])
def test_nothing_is_read_after_a_body_of_two_lengths(server, length):
    start = head("/search", f"Content-Length: {length}", CHUNKED).replace(b"close", b"keep-alive")

    with server.connection() as connection:
        connection.sendall(start + chunk(BODY) + chunk(b"") + head("/search", "Content-Length: 0"))
        received = rest(connection)

    assert re.findall(rb"HTTP/1.1 (\d+) ", received) == [b"413" if length > MAX_BODY else b"200"]
    assert b"\r\nconnection: close\r\n" in received.lower()


@pytest.mark.parametrize("more", [(f"Content-Length: {len(BODY)}",), (CHUNKED,)], ids=["declared", "chunked"])
def test_next_request_is_read_after_a_body_of_one_length(server, more):
    body = chunk(BODY) + chunk(b"") if CHUNKED in more else BODY
    first = head("/search", *more).replace(b"close", b"keep-alive") + body

    with server.connection() as connection:
        connection.sendall(first + head("/nothing", "Content-Length: 0"))

        assert re.findall(rb"HTTP/1.1 (\d+) ", rest(connection)) == [b"200", b"404"]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://lab/search", 200),
        ("HTTPS://elsewhere:1/search?k=1", 200),
        ("http://lab/%73earch", 200),
        ("http://lab/nothing", 404),
        ("http://lab", 404),
        ("http://lab/", 404),
        ("http:///search", 404),
        ("http:/search", 404),
        ("ftp://lab/search", 404),
        ("/http://lab/search", 404),
        ("http://lab/http://lab/search", 404),
        ("http%3A//lab/search", 404),
        ("http://lab/%2573earch", 404),
        ("http://lab/search%0A", 404),
        ("//lab/search", 404),
        ("*", 404),
    ],
)
def test_target_may_name_its_host_and_its_path_decides(server, target, status):
    with server.connection() as connection:
        connection.sendall(head(target, f"Content-Length: {len(BODY)}") + BODY)

        assert answer(connection)[0] == status


def test_request_cut_off_by_the_end_of_the_server_is_told_so_in_json():
    with live_server(access_app()) as server:
        slow = server.connection()
        slow.sendall(head("/search", "Content-Length: 9", "Expect: 100-continue"))
        slow.recv(1000)
    with slow:
        assert answer(slow) == (500, b'{"error":{"code":"internal_error"}}')


def test_end_of_what_is_no_request_is_left_to_the_server():
    sent = []

    async def cut_off(*_):
        raise asyncio.CancelledError

    async def send(message):
        sent.append(message)

    async def run():
        await by_the_rules(cut_off)({"type": "lifespan"}, cut_off, send)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert sent == []
