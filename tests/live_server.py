"""A lab's server in this process, on a real socket, for tests that have to look inside; and what goes over the wire."""

import logging
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI

from labkit.service.listen import Server, address_of, listening

READER = "Bearer synthetic-reader-token"
EDITOR = "Bearer synthetic-editor-token"
JSON_QUERY = {"query": "json", "collection": "serialization", "version": "3.12", "k": 2}
SECONDS = 30
"""How long a test waits for what must come."""


@dataclass(frozen=True)
class LiveServer:
    """A server that answers, and the app behind it."""

    address: str
    app: FastAPI
    server: Server

    def end(self) -> None:
        """Tell it to end, as Ctrl-C does."""
        self.server.should_exit = True

    @property
    def gate(self) -> Any:
        """The gate behind it."""
        return self.app.state.gate

    @property
    def place(self) -> tuple[str, int]:
        """Where to connect to."""
        host, port = self.address.removeprefix("http://").split(":")
        return host, int(port)

    def connection(self) -> socket.socket:
        """A bare connection to it."""
        return socket.create_connection(self.place, timeout=SECONDS)


@contextmanager
def live_server(app: FastAPI) -> Generator[LiveServer]:
    """The app on a free port; at the end the server is gone, and its thread too."""
    ready, listener = threading.Event(), listening()
    server = Server(app, ready.set)
    logging.getLogger("uvicorn").propagate = True  # what it logs is for caplog to see, too
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert ready.wait(SECONDS)
        yield LiveServer(address_of(listener), app, server)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def head(path: str, *more: str, token: str | None = READER) -> bytes:
    """The start of a POST, up to its body, for a connection that ends with the reply."""
    who = [f"Authorization: {token}"] if token else []
    lines = [f"POST {path} HTTP/1.1", "Host: lab", "Connection: close", "Content-Type: application/json", *who, *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chunk(content: bytes) -> bytes:
    """One chunk of a chunked body; the empty one ends it."""
    return b"%x\r\n%s\r\n" % (len(content), content)


def rest(connection: socket.socket) -> bytes:
    """All that still comes, until the other side closes."""
    received = b""
    while part := connection.recv(65536):
        received += part
    return received


def refusal(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of the refusal that comes next, on a connection that stays open."""
    received = b""
    while not received.endswith(b"}}"):
        part = connection.recv(65536)
        assert part, received
        received += part
    start, _, body = received.partition(b"\r\n\r\n")
    return int(start.split()[1]), body


def answer(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of the one reply that still comes."""
    start, _, body = rest(connection).partition(b"\r\n\r\n")
    return int(start.split()[1]), body
