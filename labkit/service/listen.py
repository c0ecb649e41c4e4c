"""An app on a TCP port: on this machine's loopback unless told otherwise, quiet, and gone within two seconds."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from labkit.errors import ConfigError
from labkit.service.wire import OurWords, by_the_rules

LOOPBACK = "127.0.0.1"
GRACE = 1
"""Seconds that a request under way has to end once the server is told to."""


def listening(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """A socket that others can connect to, on a free port for 0; ConfigError `port_taken` when it cannot be had."""
    try:
        # TCP by name: a socket of protocol 0 is not recognised as TCP, and each reply would wait 40 ms to be sent.
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError("port_taken", f"{host}: {error.strerror}; --host names another") from error
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise ConfigError("port_taken", f"{host}, port {port}: {error.strerror}; --port names another") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Where to reach it, as the start of a URL."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: FastAPI, listener: socket.socket, on_ready: Callable[[], object] = lambda: None) -> None:
    """Answer until Ctrl-C or a request to end; the socket is closed on every way out."""
    _run(Server(app, on_ready), listener)


def serve_while_open(
    lifeline: int, app: FastAPI, listener: socket.socket, on_ready: Callable[[], object] = lambda: None
) -> None:
    """`serve`, and no longer than somebody holds the other end of the pipe whose file descriptor `lifeline` is.

    The system closes a process's files even when it is killed: whoever started a server so cannot leave it behind.
    """
    server = Server(app, on_ready)
    threading.Thread(target=server.end_with, args=(lifeline,), daemon=True).start()
    _run(server, listener)


def _run(server: "Server", listener: socket.socket) -> None:
    with contextlib.closing(listener), contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


class Server(uvicorn.Server):
    """Uvicorn with settings that do not depend on what else is installed; `on_ready` is told once it answers."""

    def __init__(self, app: ASGIApp, on_ready: Callable[[], object] = lambda: None):
        config = uvicorn.Config(
            by_the_rules(app),
            http=OurWords,
            ws="none",
            loop="asyncio",
            log_level="error",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:  # pyrefly: ignore[missing-override-decorator]
        """Start, then say so."""
        await super().startup(sockets)
        self._on_ready()

    def end_with(self, lifeline: int) -> None:
        """Wait for the end of what can be read there, then end."""
        with contextlib.suppress(OSError):  # closed is ended, too
            while os.read(lifeline, 4096):
                pass
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # pyrefly: ignore[missing-override-decorator]
        """End; a second Ctrl-C cuts nothing short: it is over in two seconds anyway, and the app has its own end."""
        super().handle_exit(sig, frame)
        self.force_exit = False
