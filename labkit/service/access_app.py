"""The first lab over HTTP: `POST /search` gives handles, `POST /read` takes one back."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from typing import Any

from fastapi import FastAPI, Request, Response, Security
from fastapi.security import HTTPBearer

from labkit.access.gate import Gate
from labkit.access.policy import load_policy
from labkit.canonical import canonical_bytes
from labkit.corpus import load_corpus
from labkit.service.admission import admitted, who
from labkit.service.refusals import documented, new_app, reply
from labkit.service.schema import Body, ReadBody, ReadReply, SearchBody, SearchReply

BEARER = Security(HTTPBearer(auto_error=False))
"""For the document only: who asks is settled in `admission`."""


def access_app(**settings: Any) -> FastAPI:
    """The fixtures' corpus and policy behind a gate, which takes the settings and lives as long as the app runs.

    Tools run on the event loop: while one does not return, nobody else is answered, and the app does not end.
    """
    corpus = load_corpus()
    policy = load_policy(corpus)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        with closing(Gate(corpus, policy, **settings)) as app.state.gate:
            yield

    app = new_app("Access lab", lifespan)

    @app.post("/search", **operation("Handles for what I may see", SearchBody, SearchReply))
    async def search(request: Request) -> Response:
        gate = request.app.state.gate
        body = await admitted(request, gate, SearchBody)
        return reply(canonical_bytes(gate.search(who(request, gate), body.model_dump())))

    @app.post("/read", **operation("The passage behind a handle", ReadBody, ReadReply))
    async def read(request: Request) -> Response:
        gate = request.app.state.gate
        body = await admitted(request, gate, ReadBody)
        return reply(canonical_bytes(gate.read(who(request, gate), body.handle)))

    return app


def operation(summary: str, asked: type[Body], answered: type) -> dict[str, Any]:
    """How an operation stands in the OpenAPI document; the endpoint takes the request as it came."""
    content = {"application/json": {"schema": asked.model_json_schema()}}
    return {
        "summary": summary,
        "dependencies": [BEARER],
        "responses": {200: {"model": answered}, **documented()},
        "openapi_extra": {"requestBody": {"required": True, "content": content}},
    }
