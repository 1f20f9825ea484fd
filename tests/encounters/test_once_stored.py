"""What fails after the events are stored is shown as unknown, never as if nothing was written."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import pytest

from service.encounters.housekeeping import finish_erasures, housekeeping
from service.errors import DatabaseAway, DatabaseSlow, OutcomeUnknown
from service.eventstore.embedded import Dsns
from service.eventstore.encounter_list import ALL
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from service.replay.audit.audits import audit_stored
from tests.encounters.table import Table, beside, creation
from tests.eventstore.logs import held, until
from tests.eventstore.relay import Relay

NOTE = {"type": "note", "text": "what was said"}
ERASE = {"type": "erase", "seqs": [3]}


@pytest.fixture
async def hasty(database: Dsns) -> AsyncIterator[EventStore]:
    """A store that does not wait long for locks."""
    opened = await EventStore.open(
        database.app, eraser_url=database.eraser, patience=Patience(lock_ms=100)
    )
    yield opened
    await opened.close()


async def test_an_erasure_whose_eraser_is_away_is_finished_under_its_key(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    await table.act(encounter, NOTE)
    async with Relay(database.eraser) as relay:
        halved = await EventStore.open(database.app, eraser_url=relay.dsn)
        other = beside(table, halved)
        await relay.stop()
        for _ in range(2):
            with pytest.raises(OutcomeUnknown):
                await other.act(encounter, ERASE, key="erase")
        await relay.start()
        acted = await other.act(encounter, ERASE, key="erase")
        await halved.close()
    assert (acted.replayed, acted.answer.version) == (True, 4)
    [noted] = await store.log.events(encounter, after=2, until=3, limit=1, audiences=None)
    assert {part.body for part in noted.parts if part.kind == "text"} == {None}


async def text_of(store: EventStore, encounter: UUID, seq: int) -> set[bytes | None]:
    [found] = await store.log.events(encounter, after=seq - 1, until=seq, limit=1, audiences=None)
    return {part.body for part in found.parts if part.kind == "text"}


async def is_done(store: EventStore, encounter: UUID) -> bool:
    return not await store.log.due_erasures(encounter)


async def has_any(failures: list[Exception]) -> bool:
    return bool(failures)


@asynccontextmanager
async def half_erased(table: Table, database: Dsns) -> AsyncIterator[UUID]:
    """An encounter whose event 4 erases event 3, by a process that ended before it was emptied."""
    encounter = await table.started()
    await table.act(encounter, NOTE)
    async with Relay(database.eraser) as relay:
        ended = await EventStore.open(database.app, eraser_url=relay.dsn)
        other = beside(table, ended)
        await relay.stop()
        with pytest.raises(OutcomeUnknown):
            await other.act(encounter, ERASE, key="erase")
        await ended.close()
    yield encounter


async def test_whoever_loads_an_encounter_next_finishes_an_erasure(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async with half_erased(table, database) as encounter:
        assert None not in await text_of(store, encounter, 3)
        fresh = beside(table, store)
        view = await fresh.encounters.reads.view(table.who, encounter, None)
        assert (view.head, b"what was said" in bytes(view.table)) == (4, False)
        assert await text_of(store, encounter, 3) == {None}
        assert await store.log.due_erasures(encounter) == ()
        # The process that knew the text reads the log again, since something was erased.
        assert await table.encounters.reads.view(table.who, encounter, None) == view
        report = await audit_stored(table.encounters.reads, table.who, encounter)
        assert set(report.counts) == {"match", "erased"}


async def test_an_erasure_nobody_asks_for_is_finished_by_the_housekeeping(
    table: Table, store: EventStore, database: Dsns
) -> None:
    failures: list[Exception] = []
    async with half_erased(table, database) as encounter:
        async with housekeeping(lambda: finish_erasures(store), 60, failures.append):
            await until(lambda: is_done(store, encounter))
        assert await text_of(store, encounter, 3) == {None}
    assert failures == []
    assert await finish_erasures(store) == 0


async def test_an_encounter_is_read_while_nobody_can_erase(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async with half_erased(table, database) as encounter, Relay(database.eraser) as relay:
        halved = await EventStore.open(database.app, eraser_url=relay.dsn)
        await relay.stop()
        failures: list[Exception] = []
        assert await beside(table, halved).state(encounter)
        async with housekeeping(lambda: finish_erasures(halved), 60, failures.append):
            await until(lambda: has_any(failures))
        await halved.close()
        assert [type(failure) for failure in failures] == [DatabaseAway]
        assert await store.log.due_erasures(encounter) == (3,)
        assert await finish_erasures(store) == 1
        assert await text_of(store, encounter, 3) == {None}


async def test_a_creation_that_cannot_be_shown_at_once_is_known_under_its_key(
    table: Table, store: EventStore, hasty: EventStore, database: Dsns
) -> None:
    other = beside(table, hasty)
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(OutcomeUnknown):
            await other.encounters.writes.create(table.who, creation(), "create")
    await admin.close()
    created = await other.encounters.writes.create(table.who, creation(), "create")
    page = await table.encounters.reads.list(table.who, ALL, None, 10)
    assert created.replayed
    assert [each.encounter for each in page.encounters] == [created.answer.encounter]


async def test_a_round_that_breaks_does_not_end_the_housekeeping() -> None:
    failures: list[Exception] = []
    rounds: list[int] = []

    async def work() -> None:
        rounds.append(1)
        if len(rounds) < 3:
            raise KeyError(len(rounds))

    async def is_well() -> bool:
        return len(rounds) >= 3

    async with housekeeping(work, 0.001, failures.append):
        await until(is_well)
    assert [type(each) for each in failures] == [KeyError] * 2


async def test_an_erasure_that_is_in_somebodys_way_keeps_no_other_from_being_finished(
    table: Table, store: EventStore, database: Dsns, hasty: EventStore
) -> None:
    async with half_erased(table, database) as one, half_erased(table, database) as other:
        first, second = sorted((one, other))
        async with held(database, first):
            with pytest.raises(DatabaseSlow):
                await finish_erasures(hasty)
        assert await is_done(store, second)
        assert await finish_erasures(store) == 1
