"""A database that hangs up, stands still, refuses writes or is not there: named, and recovered."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from service.errors import (
    DatabaseAway,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseSlow,
    OutcomeUnknown,
    SchemaMismatch,
    Unstorable,
    WarlogError,
)
from service.eventstore.connection import Database
from service.eventstore.driver_errors import DRIVER_ERRORS, translated, translated_write
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import newest_revision
from service.eventstore.records import Append, Appended, Duplicate, Failed
from service.eventstore.session import driver_url
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import (
    append,
    as_read,
    command,
    event,
    head_of,
    log_of,
    new_encounter,
    stored_encounter,
    until,
)
from tests.eventstore.relay import Relay

HANG_UP = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {}"
OURS = "application_name LIKE 'warlog%' AND datname = current_database()"


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def has_length(store: EventStore, encounter_id: UUID, length: int) -> bool:
    return len(await log_of(store, encounter_id)) == length


async def is_at_work(database: Dsns, statement: str) -> bool:
    """Whether a session of ours does this."""
    async with connected(database.admin) as admin:
        working = f"SELECT count(*) FROM pg_stat_activity WHERE {OURS} AND query = $1"
        return bool(await admin.fetchval(f"{working} AND state = 'active'", statement))


async def hang_up_on_who_waits(database: Dsns) -> None:
    """End the one of our sessions that waits for a lock, as soon as one does."""
    async with connected(database.admin) as admin:

        async def is_done() -> bool:
            waiting = HANG_UP.format(f"{OURS} AND wait_event_type = 'Lock'")
            return bool(await admin.fetchval(waiting))

        await until(is_done)


def kinds(outcomes: tuple[object, ...]) -> list[type]:
    return [
        type(outcome.error) if isinstance(outcome, Failed) else type(outcome)
        for outcome in outcomes
    ]


async def outcomes_until_appended(store: EventStore, batch: Append) -> list[type]:
    """What came of each attempt, the last one being that it was appended."""
    outcomes: list[type] = []

    async def is_appended() -> bool:
        outcomes.extend(kinds(await store.writer.append([batch])))
        return outcomes[-1] is Appended

    await until(is_appended)
    return outcomes


async def test_connections_cut_while_idle_are_made_again(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    for seq in range(2, 5):
        async with connected(database.admin) as admin:
            assert await admin.fetchval(HANG_UP.format(OURS)) >= 1
        head = await head_of(store, row.id)
        outcomes = await outcomes_until_appended(store, append(head))
        # One may meet the connection before it is known to be closed; then it says so.
        assert set(outcomes[:-1]) <= {DatabaseAway, OutcomeUnknown}
        assert (await head_of(store, row.id)).head_seq == seq


async def test_an_append_cut_off_on_the_way_is_of_unknown_outcome_and_the_next_one_works(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    other = await stored_encounter(store, tenant)
    batch = [append(row), append(other)]
    async with connected(database.admin) as admin, admin.transaction():
        await admin.execute("LOCK TABLE event IN EXCLUSIVE MODE")
        waiting = asyncio.create_task(store.writer.append(batch))
        await hang_up_on_who_waits(database)
        assert kinds(await waiting) == [OutcomeUnknown, OutcomeUnknown]
    assert len(await log_of(store, row.id)) == 1
    assert kinds(await store.writer.append(batch)) == [Appended, Appended]


async def test_a_creation_cut_off_before_its_commit_was_not_done(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    new = new_encounter(tenant)
    async with connected(database.admin) as admin, admin.transaction():
        await admin.execute("LOCK TABLE seat IN EXCLUSIVE MODE")
        waiting = asyncio.create_task(store.writer.create(new))
        await hang_up_on_who_waits(database)
        with pytest.raises(DatabaseAway):
            await waiting
    assert await store.log.head(new.id) is None
    await store.writer.create(new)


@pytest.mark.usefixtures("silence_is_noticed")
async def test_an_append_whose_answer_is_lost_is_stored_once_and_its_key_tells(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    row = await stored_encounter(store, tenant)
    asked = append(row, commands=(command("k", 2),))
    async with Relay(database.app) as relay:
        far = await EventStore.open(relay.dsn)
        assert kinds(await far.writer.append([append(await stored_encounter(far, tenant))])) == [
            Appended
        ]
        relay.swallow_answers()
        assert kinds(await far.writer.append([asked])) == [OutcomeUnknown]
        await relay.stop()
        await relay.start()
        await until(lambda: has_length(store, row.id, 2))
        assert await far.writer.append([asked]) == (Duplicate(commands=asked.commands),)
        await far.close()
    assert await log_of(store, row.id) == tuple(
        as_read(event) for event in (event(1, base=0, of=row.id), *asked.events)
    )


async def test_a_database_that_goes_away_is_found_again_when_it_is_back(
    database: Dsns, tenant: UUID
) -> None:
    async with Relay(database.app) as relay:
        store = await EventStore.open(relay.dsn)
        row = await stored_encounter(store, tenant)
        [first] = await store.writer.append([append(row)])
        await relay.stop()
        with pytest.raises(DatabaseAway):
            await store.ready()
        with pytest.raises(DatabaseAway):
            await store.writer.create(new_encounter(tenant))
        assert kinds(await store.writer.append([append(row)])) == [DatabaseAway]
        await relay.start()
        head = await head_of(store, row.id)
        assert kinds(await store.writer.append([append(head)])) == [Appended]
        assert isinstance(first, Appended)
        await store.close()


async def test_a_store_opens_before_its_database_is_up(database: Dsns) -> None:
    relay = Relay(database.app)
    await relay.start()
    await relay.stop()
    store = await EventStore.open(relay.dsn)
    with pytest.raises(DatabaseAway):
        await store.ready()
    async with relay:
        assert (await store.ready()).revision == newest_revision()
        await store.close()


async def test_a_database_that_takes_no_writes_says_so(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    rows = [await stored_encounter(store, tenant) for _ in range(2)]
    barred = await EventStore.open(f"{database.app}?default_transaction_read_only=on")
    assert (await barred.ready()).is_read_only
    assert kinds(await barred.writer.append([append(row) for row in rows])) == [
        DatabaseReadOnly,
        DatabaseReadOnly,
    ]
    with pytest.raises(DatabaseReadOnly):
        await barred.writer.create(new_encounter(tenant))
    assert await head_of(barred, rows[0].id) == rows[0]
    await barred.close()


async def test_a_slow_database_is_given_up_by_the_clock_of_either_side(database: Dsns) -> None:
    by_server = await Database.open(database.app, size=1, patience=Patience(statement_ms=2_000))
    by_client = await Database.open(database.app, size=1, patience=Patience(answer_seconds=2.0))
    with pytest.raises(DatabaseSlow):
        await by_server.fetch("SELECT pg_sleep(60)")
    with pytest.raises(DatabaseAway):
        await by_client.fetch("SELECT pg_sleep(60)")
    with pytest.raises(OutcomeUnknown):
        await by_client.write("SELECT pg_sleep(60)")
    for pool in (by_server, by_client):
        assert await pool.fetch("SELECT 1 AS one")
        await pool.close()


async def test_a_pool_that_is_all_lent_out_is_slow_and_not_away(database: Dsns) -> None:
    pool = await Database.open(database.app, size=1, patience=Patience(connect_seconds=2.0))
    async with pool.transaction():
        with pytest.raises(DatabaseSlow):
            await pool.fetch("SELECT 1")
    assert await pool.fetch("SELECT 1 AS one")
    await pool.close()


async def test_a_transaction_that_raises_leaves_nothing_and_gives_its_connection_back(
    database: Dsns, tenant: UUID
) -> None:
    pool = await Database.open(database.app, size=1)

    async def fails() -> None:
        async with pool.transaction() as session:
            await session.execute("INSERT INTO service_key VALUES ($1, '')", str(tenant))
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    assert await pool.fetch("SELECT FROM service_key WHERE name = $1", str(tenant)) == []
    await pool.close()


async def test_a_connection_lost_on_its_way_back_changes_nothing_of_what_was_answered(
    database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = await Database.open(database.app, size=1)
    give_back = asyncpg.Pool.release

    async def lose_and_give_back(self: asyncpg.Pool, session: Any) -> None:
        session._con._transport.abort()
        await give_back(self, session)

    monkeypatch.setattr(asyncpg.Pool, "release", lose_and_give_back)
    try:
        assert [tuple(row) for row in await pool.write("SELECT 1")] == [(1,)]
        with pytest.raises(Unstorable):
            await pool.write("SELECT 1 / 0")
        async with pool.transaction() as session:
            await session.fetch("SELECT 2")
        assert [tuple(row) for row in await pool.fetch("SELECT 3")] == [(3,)]
        assert pool.connections == (0, 0)
    finally:
        await pool.close()


async def test_a_caller_who_stops_waiting_costs_no_connection(database: Dsns) -> None:
    pool = await Database.open(database.app, size=1)
    for number in range(5):
        asked = f"SELECT pg_sleep(60) -- {number}"
        waiting = asyncio.create_task(pool.fetch(asked))
        await until(partial(is_at_work, database, asked))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert await pool.fetch("SELECT 1 AS one")
    await pool.close()


async def test_a_database_without_our_schema_is_named_as_such(empty_database: Dsns) -> None:
    store = await EventStore.open(empty_database.owner)
    with pytest.raises(SchemaMismatch):
        await store.log.head(UUID(int=1))
    await store.close()


async def test_commits_are_durable_even_where_the_server_is_set_otherwise(database: Dsns) -> None:
    pool = await Database.open(f"{database.app}?synchronous_commit=off", size=1)
    [row] = await pool.fetch("SHOW synchronous_commit")
    await pool.close()
    assert tuple(row) == ("on",)


@pytest.mark.parametrize(
    ("error", "read", "write"),
    [
        (asyncpg.DiskFullError(), DatabaseFull, DatabaseFull),
        (asyncpg.OutOfMemoryError(), DatabaseFull, DatabaseFull),
        (asyncpg.TooManyConnectionsError(), DatabaseAway, DatabaseAway),
        (asyncpg.ReadOnlySQLTransactionError(), DatabaseReadOnly, DatabaseReadOnly),
        (asyncpg.QueryCanceledError(), DatabaseSlow, DatabaseSlow),
        (asyncpg.LockNotAvailableError(), DatabaseSlow, DatabaseSlow),
        (asyncpg.DeadlockDetectedError(), DatabaseSlow, DatabaseSlow),
        (asyncpg.InvalidPasswordError(), DatabaseAway, DatabaseAway),
        (asyncpg.InvalidCatalogNameError(), DatabaseAway, DatabaseAway),
        (asyncpg.ObjectNotInPrerequisiteStateError(), DatabaseAway, DatabaseAway),
        (asyncpg.UndefinedTableError(), SchemaMismatch, SchemaMismatch),
        (asyncpg.UniqueViolationError(), Unstorable, Unstorable),
        (asyncpg.InternalServerError(), WarlogError, WarlogError),
        (asyncpg.AdminShutdownError(), DatabaseAway, OutcomeUnknown),
        (asyncpg.ConnectionDoesNotExistError(), DatabaseAway, OutcomeUnknown),
        (asyncpg.TargetServerAttributeNotMatched(), DatabaseReadOnly, DatabaseReadOnly),
        (asyncpg.InterfaceError("connection is closed"), DatabaseAway, OutcomeUnknown),
        (asyncpg.InternalClientError("another operation"), DatabaseAway, OutcomeUnknown),
        (ConnectionResetError(), DatabaseAway, OutcomeUnknown),
        (TimeoutError(), DatabaseAway, OutcomeUnknown),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_every_failure_of_the_driver_has_one_meaning(
    error: Exception, read: type[WarlogError], write: type[WarlogError]
) -> None:
    assert isinstance(error, DRIVER_ERRORS)
    assert (type(translated(error)), type(translated_write(error))) == (read, write)


def test_a_url_of_another_database_is_refused_without_repeating_it() -> None:
    assert driver_url("postgresql+asyncpg://u:p@h/d") == "postgresql://u:p@h/d"
    assert driver_url("postgres://u@h/d") == "postgresql://u@h/d"
    with pytest.raises(ValueError, match=r"^a database URL starts with postgresql://$"):
        driver_url("mysql://root:secret@h/d")
