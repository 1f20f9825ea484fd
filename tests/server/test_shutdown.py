"""Who is not done when the process may wait no longer: answered, and reported in a plain line."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.encounters.principal import SCOPES
from service.eventstore.store import EventStore
from tests.api.serving import SHOT, Caller, new_key, problem
from tests.api.test_commands import serving
from tests.eventstore.logs import until
from tests.eventstore.stalling import Stalling, stalling_server


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Stalling]:
    async with stalling_server(tmp_path) as stalling:
        yield stalling


@pytest.mark.slow
async def test_a_request_that_outlasts_the_grace_is_answered_and_leaves_no_traceback(
    server: Stalling,
) -> None:
    store = await EventStore.open(server.dsns.app)
    tenant = await store.access.create_tenant(uuid4(), "grace")
    token = await new_key(store, tenant.id, SCOPES)
    await store.close()
    dsns = server.dsns
    environ = {
        **os.environ,
        "WARLOG_DATABASE_URL": dsns.app,
        "WARLOG_ERASE_URL": dsns.eraser,
        "WARLOG_PORT": "0",
    }

    def shoot(url: str) -> httpx.Response:
        with Caller(url, token) as caller:
            path = f"{encounter}/actions"
            return caller.post(path, {"action": SHOT}, idempotency_key="late")

    with serving(environ) as first:
        with Caller(first.url, token) as caller:
            encounter = caller.started()
        await server.stall()
        shooting = asyncio.create_task(asyncio.to_thread(shoot, first.url))

        async def is_sent() -> bool:
            return bool(await server.waiting())

        await until(is_sent)
        stopping = asyncio.create_task(asyncio.to_thread(first.stop))
        told = problem(await shooting)
        assert (told["status"], told["code"]) == (503, "outcome_unknown")
        await server.go_on()
        code, logged = await stopping
    lines = [json.loads(line) for line in logged.splitlines()]
    assert code == 0
    assert [line for line in lines if "Traceback" in str(line)] == []
    [cut_off] = [line for line in lines if line.get("status") == 503]
    assert (cut_off["event"], cut_off["call"], cut_off["level"]) == ("answered", "act", "info")
    assert [line["event"] for line in lines if line["level"] == "error"] == [
        "Cancel 1 running task(s), timeout graceful shutdown exceeded"
    ]
    # It was stored all the same, once: asked again, that is shown.
    with serving(environ) as second:
        again = await asyncio.to_thread(shoot, second.url)
        assert (again.status_code, again.json()["version"]) == (201, 3)
        assert second.stop()[0] == 0
