"""The second lab over HTTP: `POST /retrieve` gives a result, kept or new; there is no public read."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, closing
from typing import Any

from fastapi import FastAPI, Request, Response

from labkit.access.gate import Gate
from labkit.access.policy import load_policy
from labkit.clock import Clock
from labkit.corpus import load_corpus
from labkit.results.result_cache import ResultCache
from labkit.results.retrieve import retrieve
from labkit.service.access_app import operation
from labkit.service.admission import admitted, who
from labkit.service.refusals import new_app, reply
from labkit.service.schema import RetrieveReply, SearchBody

AT_ONCE = 8
"""Retrievals that run at a time; others wait their turn."""

Run = Callable[[Callable[[], bytes]], Awaitable[bytes]]
"""How a retrieval is run: off the event loop, or where no thread can start, on it."""


async def in_thread(work: Callable[[], bytes]) -> bytes:
    """Off the event loop, so that a slow tool keeps nobody else waiting.

    Nothing waits for the thread when the app ends, nor when the process does: what a tool brings after that is lost,
    and one that never returns keeps its thread until the process is over.
    """
    brought: Future[bytes] = Future()
    brought.set_running_or_notify_cancel()  # who no longer waits for it cannot cancel it: the thread has begun

    def bring() -> None:
        try:
            brought.set_result(work())
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told, whatever it is
            brought.set_exception(error)

    threading.Thread(target=bring, daemon=True).start()
    return await asyncio.wrap_future(brought)


async def in_place(work: Callable[[], bytes]) -> bytes:
    """On the event loop: for lessons, and where no thread can start."""
    return work()


def results_app(
    *, ttl: float = 1.0, max_entries: int = 4, clock: Clock = time.monotonic, run: Run = in_thread, **settings: Any
) -> FastAPI:
    """The fixtures' corpus and policy behind a gate, which takes the settings, and a cache; both go with the app."""
    corpus = load_corpus()
    policy = load_policy(corpus)
    cache = ResultCache(ttl=ttl, max_entries=max_entries, clock=clock)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        with closing(Gate(corpus, policy, clock=clock, **settings)) as app.state.gate:
            app.state.cache, app.state.turns = cache, asyncio.Semaphore(AT_ONCE)
            try:
                yield
            finally:
                app.state.gate = None
                cache.clear()

    app = new_app("Results lab", lifespan)

    @app.post("/retrieve", **operation("Evidence, kept or new", SearchBody, RetrieveReply))
    async def retrieve_(request: Request) -> Response:
        gate = request.app.state.gate
        body = await admitted(request, gate, SearchBody)

        def work() -> bytes:
            # The bytes as they are kept: a hit is neither parsed nor spelled again.
            content = retrieve(gate, cache, who(request, gate), body.model_dump()).as_bytes()
            if app.state.gate is not gate:
                cache.clear()  # the app ended meanwhile, and keeps nothing
            return content

        async with request.app.state.turns:
            return reply(await run(work))

    return app
