"""What the log alone shows: events nobody announced, lost history, a database that is away."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from service.encounters.housekeeping import housekeeping
from service.errors import NewerVersion, Unavailable
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from service.live.hub import POLL_SECONDS
from tests.conftest import user_of
from tests.encounters.table import Table, beside, new_table
from tests.encounters.test_restored_database import restore
from tests.eventstore.relay import Relay
from tests.live.clients import (
    NOTE,
    SECRET,
    Client,
    FakeSink,
    change,
    chatter,
    joined,
    looking,
    visible,
)
from tests.patience import PATIENCE_SECONDS, until


@pytest.mark.parametrize("regrown", [0, 1, 2, 3])
async def test_whoever_followed_a_history_that_is_lost_is_told_so(
    table: Table, store: EventStore, database: Dsns, regrown: int
) -> None:
    encounter, kept = await table.started(), await table.started()
    clients = [await joined(each, encounter) for each in (table, table.seat("rita"))]
    many = FakeSink()
    await table.encounters.hub.follow_many(table.who, {kept: None, encounter: None}, many)
    for _ in range(2):
        await table.act(encounter, NOTE)
    for client in clients:
        await client.at(4)
    await restore(database, encounter, 2)
    fresh_one = beside(table, store)
    for _ in range(regrown):
        await fresh_one.act(encounter, SECRET)
    async with looking(table):
        for client in clients:
            await client.over()
            assert client.sink.last_word == ("resync", "history_diverged")
            assert "after" not in client.sink.bodies[-1]
            assert client.sink.seqs == [3, 4]
        await until(lambda: many.bodies[-1]["type"] == "resync")
        await table.act(kept, NOTE)
        await until(lambda: many.seqs[-1] == 3)
    again = await joined(table, encounter, "0")
    await until(lambda: len(again.sink.seqs) == 2 + regrown)


async def test_own_writes_behind_a_restored_log_are_no_part_of_what_was_followed(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    for _ in range(4):
        await table.act(encounter, NOTE)
    client = await joined(table, encounter)
    await restore(database, encounter, 3)
    await table.act(encounter, SECRET)
    await client.over()
    assert client.sink.last_word == ("resync", "history_diverged")
    assert client.sink.seqs == []


async def test_an_encounter_that_a_restored_database_does_not_have(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    admin = await asyncpg.connect(database.admin)
    await admin.execute("SET session_replication_role = replica")
    for name in ("event", "event_part", "secret", "seat", "command", "creation", "encounter_blob"):
        await admin.execute(f"DELETE FROM {name} WHERE encounter_id = $1", encounter)
    await admin.execute("DELETE FROM encounter WHERE id = $1", encounter)
    await admin.close()
    async with looking(table):
        await client.over()
    assert client.sink.last_word == ("bye", "deleted")


@asynccontextmanager
async def away(dsns: Dsns) -> AsyncIterator[None]:
    """Nobody gets in, and whoever is in is thrown out."""
    name = dsns.app.rpartition("/")[2]
    elsewhere = await asyncpg.connect(dsns.admin.replace(name, "postgres"))
    try:
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await elsewhere.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )
        yield
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        await elsewhere.close()


@pytest.fixture
async def own_store(empty_database: Dsns) -> AsyncIterator[EventStore]:
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    opened = await EventStore.open(empty_database.app, patience=Patience(connect_seconds=3.0))
    yield opened
    await opened.close()


async def test_streams_stay_open_while_the_database_is_away(
    own_store: EventStore, empty_database: Dsns
) -> None:
    table = await new_table(own_store)
    other = beside(table, own_store)
    encounter = await table.started()
    await chatter(table, encounter, 5)
    complaints: list[Exception] = []
    async with table.encounters.hub.running(complaints.append):
        live = await joined(table, encounter)
        behind = Client(table.seat("rita"), encounter)
        behind.sink.reads = False
        await behind.join("0")
        async with away(empty_database):
            with pytest.raises(Unavailable):
                await joined(table, encounter)
            behind.sink.read_on()
            await until(lambda: bool(complaints))
            assert not live.sink.is_closed
            assert not behind.sink.is_closed
        for _ in range(70):
            await other.act(encounter, NOTE)
        for client in (live, behind):
            await client.at(172)
        assert behind.sink.of("event") == await visible(behind.table, encounter)
        assert live.sink.seqs == list(range(103, 173))
        assert len(complaints) <= 2
    for client in (live, behind):
        assert client.sink.last_word == ("bye", "shutdown")
    for each in (table, other):
        await each.encounters.writes.settle()


@pytest.mark.slow
async def test_a_database_that_is_away_is_looked_for_often_and_read_before_a_poll_that_backs_off(
    own_store: EventStore, empty_database: Dsns
) -> None:
    table = await new_table(own_store)
    encounter = await table.started()
    missed: list[Exception] = []
    answered: list[object] = []
    async with Relay(empty_database.app) as relay:
        followed, polled = [await EventStore.open(relay.dsn, pool_size=2) for _ in range(2)]
        here = beside(table, followed)

        def looks() -> int:
            return sum(followed.databases["shared"].latency.counts)

        async def poll() -> None:
            answered.append(await polled.tails.heads([encounter]))

        async with here.encounters.hub.running(lambda _: None):
            client = await joined(here, encounter)
            await relay.stop()
            async with housekeeping(poll, POLL_SECONDS, missed.append):
                await until(lambda: len(missed) == 1)
                before = looks()
                await until(lambda: len(missed) == 3, lambda: missed, PATIENCE_SECONDS)
                # In the same time, in which the poll waited twice and four times as long.
                assert looks() - before > 2 * len(missed)
                assert answered == []
                await table.act(encounter, NOTE)
                await relay.start()
                await client.at(3)
                assert answered == []
        for store in (followed, polled):
            await store.close()
    for each in (table, here):
        await each.encounters.writes.settle()


async def test_a_process_that_is_too_old_for_an_event_sends_everybody_away(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    client = await joined(table.seat("rita"), encounter)
    other = beside(table, store)
    await other.act(encounter, change("rita", role="observer"))

    async def unknown(*_: object) -> None:
        raise NewerVersion(encounter=str(encounter))

    watch = table.encounters.hub._poller
    monkeypatch.setattr(watch, "_current", unknown)
    async with looking(table):
        await client.over()
    assert client.sink.last_word == ("resync", "newer_version")
