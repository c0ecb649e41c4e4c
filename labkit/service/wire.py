"""Between the bytes and the app: what is no HTTP, and what RFC 9112 asks of a server, is settled here."""

import asyncio
import re
from urllib.parse import unquote

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import H11Protocol

from labkit.service.refusals import refused

NO_TEXT = b"\xff"
"""A byte that is in no UTF-8."""
HOST = re.compile(rb"https?://[^/]+", re.IGNORECASE)
"""What a target may begin with, on its way through a proxy."""


class OurWords(H11Protocol):
    """What is no HTTP at all is answered as any other bad request, where Uvicorn would send plain text.

    A head that h11 does not take is no request: it has no caller and no path, and all such get one answer. Among them
    are two that RFC 9112 lets a server take: an empty line first, and a Content-Length of more than 20 digits.
    """

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 # pyrefly: ignore[missing-override-decorator]
        """Answer, unless an answer has begun, and hang up; where only the body is no HTTP, the app answers."""
        if self.cycle and not self.cycle.response_complete:
            self._end_body_badly()
            return
        if self.conn.our_state is h11.IDLE:
            answer = refused("invalid_request")
            start = h11.Response(status_code=answer.status_code, headers=[*answer.raw_headers, CLOSE_HEADER])
            for event in (start, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _end_body_badly(self) -> None:
        # Admission keeps its order, whatever came in one packet: who comes to the body finds one that nobody accepts.
        self.cycle.body += NO_TEXT
        self.cycle.more_body = False
        self.headers.append(CLOSE_HEADER)
        self.cycle.message_event.set()


def by_the_rules(app: ASGIApp) -> ASGIApp:
    """The app, asked as RFC 9112 wants it; a request that is cut off, as the server ends, is told so in JSON, too."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            _close_after_two_lengths(scope)
            _drop_host(scope)
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            await refused("internal_error")(scope, receive, send)

    return answered


def _close_after_two_lengths(scope: Scope) -> None:
    # Section 6.1: where a proxy saw another end of the body than we do, what follows is not for us to read. As if the
    # client had asked for it: then Uvicorn says so, and does so.
    if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
        scope["headers"].append(CLOSE_HEADER)


def _drop_host(scope: Scope) -> None:
    # Section 3.2.2: a server must take a target that names its host, too.
    if found := HOST.match(scope["raw_path"]):
        scope["raw_path"] = scope["raw_path"][found.end() :]
        scope["path"] = unquote(scope["raw_path"].decode("ascii"))
