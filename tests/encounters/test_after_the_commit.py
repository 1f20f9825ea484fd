"""What fails after the events are stored is told as unknown, never as if nothing was written."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.errors import OutcomeUnknown
from service.eventstore.connection import Patience
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside, creation
from tests.eventstore.relay import Relay

NOTE = {"type": "note", "text": "what was said"}
ERASE = {"type": "erase", "seqs": [3]}


@pytest.fixture
async def hasty(database: Dsns) -> AsyncIterator[EventStore]:
    """A store that does not wait long for locks."""
    opened = await EventStore.open(database.app, patience=Patience(lock_ms=100))
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


async def test_a_creation_that_cannot_be_shown_at_once_is_known_under_its_key(
    table: Table, store: EventStore, hasty: EventStore, database: Dsns
) -> None:
    other = beside(table, hasty)
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(OutcomeUnknown):
            await other.encounters.create(table.who, creation(), "create")
    await admin.close()
    created = await other.encounters.create(table.who, creation(), "create")
    page = await table.encounters.list(table.who, None, 10)
    assert created.replayed
    assert [each.encounter for each in page.encounters] == [created.answer.encounter]
