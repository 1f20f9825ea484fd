"""Readiness, by the builds that a schema serves: a newer release that migrates drops nobody."""

import asyncio

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.migrate import build_number, upgrade
from tests.api.serving import Caller, Served, problem, settings_for
from tests.conftest import user_of

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
    with Served(settings_for(migrated)) as served, Caller(served.url, None) as caller:
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
    with Served(settings_for(migrated)) as served, Caller(served.url, None) as caller:
        change(migrated, older, (BUILD - 1, BUILD - 1))
        answer = caller.get("/health/ready")
        assert (answer.status_code, problem(answer)["code"]) == (503, "schema_mismatch")
