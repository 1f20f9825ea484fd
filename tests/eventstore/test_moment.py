"""A moment of the database: nothing can be written in it, and nothing changes while it lasts."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import pytest

from service.errors import DatabaseAway, DatabaseReadOnly
from service.eventstore.connection import Database
from service.eventstore.embedded import Dsns
from service.eventstore.log_survey import LogSelection
from service.eventstore.moment import READING, moment_of
from service.eventstore.store import EventStore, can_mutate_log
from tests.eventstore.logs import append, event, stored_encounter
from tests.patience import PATIENT


@pytest.fixture
async def reading(database: Dsns) -> AsyncIterator[Database]:
    opened = await Database.open(database.app, size=1, patience=PATIENT, settings=READING)
    yield opened
    await opened.close()


async def test_what_is_appended_or_deleted_meanwhile_is_not_seen(
    store: EventStore, tenant: UUID, reading: Database
) -> None:
    first = await stored_encounter(store, tenant)
    second = await stored_encounter(store, tenant)
    async with moment_of(reading) as now:
        assert await now.log.head(first.id) == first
        await store.writer.append([append(first, event(2))])
        await store.eraser.delete_encounter(second.id)
        assert await now.log.head(first.id) == first
        assert [each.seq for each in await now.log.events(second.id, limit=5)] == [1]
    async with moment_of(reading) as later:
        head = await later.log.head(first.id)
        assert head is not None
        assert (head.head_seq, await later.log.head(second.id)) == (2, None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE encounter SET lockable = lockable",
        "INSERT INTO snapshot SELECT * FROM snapshot",
        "CREATE TABLE kept (word text)",
        "SELECT nextval('kept')",
        "SELECT FROM encounter FOR UPDATE",
    ],
)
async def test_nothing_can_be_written(reading: Database, statement: str) -> None:
    async with moment_of(reading) as now:
        with pytest.raises(Exception) as refused:  # noqa: PT011 - each has its own
            await now.fetch(statement)
    if "nextval" not in statement:
        assert refused.type is DatabaseReadOnly
    async with moment_of(reading) as now:
        assert await now.log.head(UUID(int=0)) is None


async def test_statements_that_are_asked_at_once_are_answered_in_turn(reading: Database) -> None:
    async with moment_of(reading) as now:
        rows = await asyncio.gather(*(now.fetch("SELECT $1::integer", n) for n in range(5)))
    assert [row[0][0] for row in rows] == [0, 1, 2, 3, 4]


async def test_a_database_that_is_away_is_told() -> None:
    nowhere = await Database.open("postgresql://nobody@127.0.0.1:1/nothing", size=1)
    with pytest.raises(DatabaseAway):
        async with moment_of(nowhere):
            pass
    await nowhere.close()


async def test_who_could_rewrite_logs_is_known(database: Dsns, reading: Database) -> None:
    owner = await Database.open(database.owner, size=1, patience=PATIENT, settings=READING)
    async with moment_of(reading) as serving, moment_of(owner) as owning:
        assert (await can_mutate_log(serving), await can_mutate_log(owning)) == (False, True)
    await owner.close()


async def test_logs_are_listed_by_id_by_ruleset_and_by_the_time_of_their_last_event(
    store: EventStore, tenant: UUID, reading: Database, database: Dsns
) -> None:
    made = sorted([await stored_encounter(store, tenant) for _ in range(3)], key=lambda e: e.id)
    admin = await asyncpg.connect(database.admin)
    await admin.execute("SET session_replication_role = replica")
    moment = datetime(2001, 2, 3, tzinfo=UTC)
    statement = "UPDATE event SET recorded_at = $1 WHERE encounter_id = $2"
    await admin.execute(statement, moment, made[0].id)
    await admin.execute("DELETE FROM event WHERE encounter_id = $1", made[1].id)
    await admin.close()

    async def listed(selection: LogSelection, limit: int = 1_000) -> list[UUID]:
        async with moment_of(reading) as now:
            page = await now.survey.page(selection, after=UUID(int=made[0].id.int - 1), limit=limit)
        own = {each.id for each in made}
        return [row.id for row in page if row.id in own]

    everyone = [each.id for each in made]
    assert await listed(LogSelection()) == everyone
    assert await listed(LogSelection(), limit=1) == everyone[:1]
    assert await listed(LogSelection(ruleset=made[0].ruleset)) == everyone
    assert await listed(LogSelection(ruleset="chess")) == []
    assert await listed(LogSelection(since=moment)) == everyone
    later = moment + timedelta(microseconds=1)
    assert await listed(LogSelection(since=later)) == everyone[1:]
