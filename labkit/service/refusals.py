"""The one table from a refusal's code to its HTTP status, and the handlers that answer by it.

An error's body is `{"error":{"code":…}}` and nothing else: no rule, no input, no exception's text.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from labkit.canonical import canonical_bytes
from labkit.errors import Refusal
from labkit.service.schema import ErrorReply

STATUS = {
    "unauthenticated": 401,
    "collection_denied": 403,
    "invalid_handle": 403,
    "unissued_or_expired_handle": 403,
    "handle_binding_mismatch": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "invalid_request": 422,
    "internal_error": 500,
    "tool_failure": 503,
}
NO_STORE = {"Cache-Control": "private, no-store"}
ROUTING = {404: "not_found", 405: "method_not_allowed"}
"""What Starlette's router says by itself."""

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def new_app(title: str, lifespan: Lifespan) -> FastAPI:
    """An app with no path of its own, in which whatever goes wrong is answered by the table."""
    app = FastAPI(
        title=title,
        lifespan=lifespan,
        openapi_url=None,  # nor the pages that show the document
        redirect_slashes=False,
        exception_handlers={Refusal: _refused, HTTPException: _misrouted, Exception: _failed},
    )
    app.router.route_class = WholePath
    return app


class WholePath(APIRoute):
    """A route for its path and no other; Starlette's pattern would let a new line stand behind it."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:  # pyrefly: ignore[missing-override-decorator]
        """Whether the request is for this route."""
        return super().matches(scope) if scope["path"] == self.path else (Match.NONE, {})


def reply(content: bytes, status: int = 200, **headers: str) -> Response:
    """JSON that nobody on the way may keep."""
    return Response(content, status, headers=NO_STORE | headers, media_type="application/json")


def refused(code: str, **headers: str) -> Response:
    """The reply to a caller who is told no: the code and nothing else."""
    if code == "unauthenticated":
        headers["WWW-Authenticate"] = "Bearer"
    return reply(canonical_bytes({"error": {"code": code}}), STATUS[code], **headers)


def documented() -> dict[int | str, dict[str, Any]]:
    """Every status but 200, for OpenAPI, with the codes that come with it."""
    codes: dict[int, list[str]] = {}
    for code, status in STATUS.items():
        codes.setdefault(status, []).append(code)
    return {status: {"model": ErrorReply, "description": ", ".join(named)} for status, named in codes.items()}


# Async, all three: Starlette calls any other handler in a thread.


async def _refused(_: Request, refusal: Exception) -> Response:
    return refused(refusal.code if isinstance(refusal, Refusal) else "internal_error")


async def _misrouted(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    allowed = (error.headers or {}) if isinstance(error, HTTPException) else {}
    return refused(ROUTING.get(status, "internal_error"), **allowed)


async def _failed(_: Request, __: Exception) -> Response:
    return refused("internal_error")  # the traceback goes to the server's own log
