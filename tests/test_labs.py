"""A lab is asked for by its name; ids and the tool are as they were asked for."""

import asyncio
import time

import httpx
import pytest
from live_server import JSON_QUERY, READER

from labkit.errors import ConfigError
from labkit.service.labs import lab_app


def ask(app, path):
    """The one reply to a search in the app."""

    async def answer():
        transport = httpx.ASGITransport(app)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as client:
            return await client.post(f"http://lab{path}", json=JSON_QUERY, headers={"Authorization": READER})

    return asyncio.run(answer())


def issued(app):
    return ask(app, "/search").json()["results"][0]["issued_id"]


@pytest.mark.parametrize(("name", "path"), [("access", "/search"), ("results", "/retrieve")])
def test_lab_answers_by_its_name(name, path):
    assert ask(lab_app(name), path).status_code == 200


@pytest.mark.parametrize(("name", "path"), [("access", "/search"), ("results", "/retrieve")])
def test_tool_fails_where_it_is_asked_to(name, path):
    reply = ask(lab_app(name, tool="fails"), path)

    assert (reply.status_code, reply.content) == (503, b'{"error":{"code":"tool_failure"}}')


def test_ids_repeat_for_a_seed_and_only_then():
    assert issued(lab_app("access", seed=7)) == issued(lab_app("access", seed=7))
    assert issued(lab_app("access", seed=7)) != issued(lab_app("access", seed=8))
    assert issued(lab_app("access")) != issued(lab_app("access"))


@pytest.mark.parametrize("ttl", [3601, 0, -5, float("nan"), float("inf")])
def test_ttl_is_checked_before_anything_is_served(ttl):
    with pytest.raises(ConfigError, match="invalid_ttl"):
        lab_app("results", ttl=ttl)


def test_ttl_is_for_the_lab_that_keeps_something():
    with pytest.raises(ConfigError, match="invalid_ttl: the access lab keeps no result"):
        lab_app("access", ttl=1.0)


@pytest.mark.parametrize(("given", "seconds"), [({}, 1.0), ({"ttl": 2.5}, 2.5)], ids=["default", "given"])
def test_results_are_kept_for_the_ttl(given, seconds):
    async def time_left():
        app = lab_app("results", **given)
        transport = httpx.ASGITransport(app)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as client:
            before = time.monotonic()
            await client.post("http://lab/retrieve", json=JSON_QUERY, headers={"Authorization": READER})
            (held,) = app.state.cache.held()
            return before, held.deadline, time.monotonic()

    before, deadline, after = asyncio.run(time_left())

    assert before <= deadline - seconds <= after
