"""Readiness: by the builds that a schema serves, so that a newer release that migrates drops
nobody, and by whether a write commits."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest

from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.schema_version import build_number
from service.eventstore.store import EventStore
from service.eventstore.timeouts import PATIENCE
from tests.api.serving import CREATION, SHOT, Caller, Served, new_key, problem, settings_for
from tests.conftest import user_of
from tests.eventstore.logs import until
from tests.eventstore.stalling import Stalling, stalling_server

BUILD = build_number()


def change(dsns: Dsns, revision: str, numbers: tuple[int, int]) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(dsns.owner)
        await connection.execute("UPDATE alembic_version SET version_num = $1", revision)
        await connection.execute(
            "UPDATE schema_version SET number = $1, oldest_build = $2", *numbers
        )
        await connection.close()

    asyncio.run(work())


@pytest.fixture
def migrated(empty_database: Dsns) -> Dsns:
    roles = user_of(empty_database.app), user_of(empty_database.eraser)
    asyncio.run(upgrade(empty_database.owner, app_role=roles[0], eraser_role=roles[1]))
    return empty_database


def test_an_old_process_is_ready_on_a_newer_schema_that_serves_it(migrated: Dsns) -> None:
    newer = f"{BUILD + 1:04}"
    with (
        Served(settings_for(migrated), patience=PATIENCE) as served,
        Caller(served.url, None) as caller,
    ):
        change(migrated, newer, (BUILD + 1, BUILD))
        answer = caller.get("/health/ready")
        assert answer.status_code == 200, answer.text
        assert (answer.json()["revision"], answer.json()["build"]) == (newer, BUILD)
        change(migrated, newer, (BUILD + 1, BUILD + 1))
        dropped = caller.get("/health/ready")
        assert (dropped.status_code, problem(dropped)["code"]) == (503, "schema_mismatch")
        assert dropped.json()["params"] == {
            "revision": newer,
            "build": BUILD,
            "oldest_build": BUILD + 1,
        }


def test_a_process_is_not_ready_on_an_older_schema(migrated: Dsns) -> None:
    older = f"{BUILD - 1:04}"
    with (
        Served(settings_for(migrated), patience=PATIENCE) as served,
        Caller(served.url, None) as caller,
    ):
        change(migrated, older, (BUILD - 1, BUILD - 1))
        answer = caller.get("/health/ready")
        assert (answer.status_code, problem(answer)["code"]) == (503, "schema_mismatch")


@pytest.fixture
async def stalling(tmp_path: Path) -> AsyncIterator[Stalling]:
    async with stalling_server(tmp_path) as server:
        yield server


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    """What a call is refused with, which names the write."""
    told = problem(answer)
    seconds = told["params"].pop("uncommitted_seconds")
    assert seconds >= 3
    assert told["params"] == {}
    assert int(answer.headers["Retry-After"]) >= 1
    return told["status"], told["code"], told["detail"].replace(str(seconds), "N")


SLOW = {
    "en": (
        "The database took too long: no write has been committed for N seconds; nothing was"
        " written. Ask again."
    ),
    "ru": (
        "База данных не успела ответить: ни одна запись не зафиксирована (секунд: N); ничего не"
        " записано. Спросите снова."
    ),
}


@pytest.mark.slow
async def test_a_process_is_not_ready_while_no_write_commits(stalling: Stalling) -> None:
    store = await EventStore.open(stalling.dsns.app)
    tenant = await store.access.create_tenant(uuid4(), secrets.token_hex(8))
    token = await new_key(store, tenant.id, SCOPES)
    await store.close()
    with (
        Served(settings_for(stalling.dsns), patience=PATIENCE) as served,
        Caller(served.url, token) as caller,
    ):
        encounter = caller.started()
        before = caller.head(encounter)
        assert caller.get("/health/ready").status_code == 200
        await stalling.stall()
        for language, detail in SLOW.items():
            told = refusal(caller.get("/health/ready", accept_language=language))
            assert told == (503, "database_slow", detail)
        assert caller.get("/health/live").status_code == 200
        waiting = await stalling.waiting()
        for language, detail in SLOW.items():
            for path, tree in (
                ("/v1/encounters", CREATION),
                (f"{encounter}/actions", {"action": SHOT}),
            ):
                told = refusal(caller.post(path, tree, accept_language=language))
                assert told == (503, "database_slow", detail)
        assert caller.head(encounter) == before
        assert await stalling.waiting() == waiting
        await stalling.go_on()

        async def is_ready() -> bool:
            return caller.get("/health/ready").status_code == 200

        await until(is_ready)
        assert caller.act(encounter, SHOT)["version"] == 3
        caller.create()
