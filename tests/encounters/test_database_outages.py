"""A database that takes no writes, is full or too slow: said clearly, nothing lost, no restart."""

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import uuid4

import asyncpg
import pytest

from service.encounters.principal import SCOPES
from service.errors import DatabaseSlow
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.eventstore.timeouts import PATIENCE, Patience
from tests.api.serving import CREATION, SHOT, Caller, Served, new_key, problem, settings_for
from tests.conftest import user_of
from tests.encounters.table import end_turn, new_table

RAISE = """
    CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {}
        RETURN NEW;
    END $$
"""
FULL = "RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';"
SLOW = "PERFORM pg_sleep(60);"
STARTED = "CREATE TRIGGER trouble BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION trouble()"
ENDED = "DROP FUNCTION trouble() CASCADE"
HANG_UP = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'warlog%'
"""


@dataclass
class Server:
    """A database of this test alone, which can be put into trouble."""

    dsns: Dsns

    async def does(self, *statements: str) -> None:
        admin = await asyncpg.connect(self.dsns.admin)
        for statement in statements:
            await admin.execute(statement)
        await admin.close()


@pytest.fixture
async def server(empty_database: Dsns) -> Server:
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    return Server(empty_database)


@pytest.fixture
async def store(server: Server) -> AsyncIterator[EventStore]:
    """In the database of this test, with little patience."""
    patience = Patience(statement_ms=3_000, lock_ms=2_000)
    opened = await EventStore.open(server.dsns.app, patience=patience)
    yield opened
    await opened.close()


@pytest.fixture
async def token(store: EventStore) -> str:
    tenant = await store.access.create_tenant(uuid4(), secrets.token_hex(8))
    return await new_key(store, tenant.id, SCOPES)


def told(caller: Caller, encounter: str, language: str) -> set[tuple[int, str]]:
    """What the writes are answered with."""
    answers = [
        caller.post(f"{encounter}/actions", {"action": SHOT}, accept_language=language),
        caller.post("/v1/encounters", CREATION, accept_language=language),
    ]
    for answer in answers:
        assert int(answer.headers["Retry-After"]) >= 1
        assert answer.headers["Content-Language"] == language
    return {(answer.status_code, problem(answer)["code"]) for answer in answers}


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_database_that_takes_no_writes_is_read_and_taken_up_again(
    server: Server, token: str, language: str
) -> None:
    role = user_of(server.dsns.app)
    read_only = f"ALTER ROLE {role} SET default_transaction_read_only = on"
    with (
        Served(settings_for(server.dsns), patience=PATIENCE) as served,
        Caller(served.url, token) as caller,
    ):
        encounter = caller.started()
        before = caller.head(encounter)
        await server.does(read_only, HANG_UP)
        assert caller.head(encounter) == before
        assert told(caller, encounter, language) == {(503, "database_read_only")}
        assert problem(caller.get("/health/ready"))["code"] == "database_read_only"
        assert caller.get("/health/live").status_code == 200
        # The sessions stay: each would go on to take no writes.
        await server.does(f"ALTER ROLE {role} RESET default_transaction_read_only")
        assert caller.get("/health/ready").status_code == 200
        assert caller.head(encounter) == before
        # Turning is always possible; a second shot may have nobody left to hit.
        turn = {"type": "set_facing", "combatant": SHOT["combatant"], "facing": "S"}
        acted = [caller.post(f"{encounter}/actions", {"action": turn}) for _ in range(2)]
        assert acted[-1].status_code == 201
        created = [caller.post("/v1/encounters", CREATION) for _ in range(5)]
        assert created[-1].status_code == 201


async def test_a_full_database_is_read_and_taken_up_again(server: Server, token: str) -> None:
    with (
        Served(settings_for(server.dsns), patience=PATIENCE) as served,
        Caller(served.url, token) as caller,
    ):
        encounter = caller.started()
        before = caller.head(encounter)
        await server.does(RAISE.format(FULL), STARTED)
        for language in ("en", "ru"):
            assert told(caller, encounter, language) == {(503, "database_full")}
        assert caller.head(encounter) == before
        assert caller.get("/v1/encounters").json()["encounters"][1:] == []
        assert problem(caller.get("/health/ready"))["code"] == "database_full"
        assert caller.get("/health/live").status_code == 200
        await server.does(ENDED)
        assert caller.act(encounter, SHOT)["version"] == 3
        caller.create()
        assert caller.get("/health/ready").status_code == 200


async def test_a_database_that_is_too_slow_wrote_nothing_and_is_taken_up_again(
    server: Server, store: EventStore
) -> None:
    table = await new_table(store)
    first, second = await table.started(), await table.started()
    await server.does(RAISE.format(SLOW), STARTED)
    for each in (first, second):
        with pytest.raises(DatabaseSlow):
            await table.act(each, end_turn("r1"), key="k")
    with pytest.raises(DatabaseSlow):
        await table.create()
    assert (await table.encounters.reads.view(table.who, first, None)).head == 2
    await server.does(ENDED)
    for each in (first, second):
        acted = await table.act(each, end_turn("r1"), key="k")
        assert (acted.replayed, acted.answer.version) == (False, 3)
    await table.encounters.writes.settle()
