"""An encounter whose row another session holds: the others go on, it waits its time, then works."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.errors import EncounterBusy
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.encounters.table import Table, beside, end_turn, is_waiting
from tests.eventstore.logs import held, until


def note(number: int) -> dict[str, object]:
    return {"type": "note", "text": f"note {number}"}


@pytest.fixture
async def hasty(table: Table, database: Dsns) -> AsyncIterator[Table]:
    """A process that asks for a held encounter for a fifth of a second only."""
    store = await EventStore.open(database.app, patience=Patience(lock_ms=200))
    yield (other := beside(table, store))
    await other.encounters.writes.settle()
    await store.close()


async def test_others_are_acknowledged_while_one_is_held(table: Table, database: Dsns) -> None:
    stuck, *others = [await table.started() for _ in range(9)]
    async with held(database, stuck):
        waiting = [asyncio.create_task(table.act(stuck, note(each))) for each in range(6)]
        for each in range(5):
            acted = await asyncio.gather(*(table.act(other, note(each)) for other in others))
            assert [one.answer.version for one in acted] == [3 + each] * 8
        assert not any(task.done() for task in waiting)
    done = [await task for task in waiting]
    assert [one.answer.version for one in done] == list(range(3, 9))
    page = await table.encounters.reads.events(table.who, stuck, "2", 10)
    assert [record.hash for record in page.events] == [one.answer.events[0].hash for one in done]


async def test_what_waits_too_long_is_told_so_and_works_afterwards(
    hasty: Table, table: Table, database: Dsns, store: EventStore
) -> None:
    stuck = await table.started()
    await hasty.state(stuck)
    async with held(database, stuck):
        refused = await asyncio.gather(
            *(hasty.act(stuck, note(each), key=f"k{each}") for each in range(4)),
            return_exceptions=True,
        )
        assert [type(each) for each in refused] == [EncounterBusy] * 4
        row = await store.log.head(stuck)
        assert row is not None
        assert row.head_seq == 2
    acted = [await hasty.act(stuck, note(each), key=f"k{each}") for each in range(4)]
    assert [(one.replayed, one.answer.version) for one in acted] == [
        (False, 3 + each) for each in range(4)
    ]


async def test_a_service_that_ends_answers_first_what_waits_for_a_held_encounter(
    hasty: Table, table: Table, database: Dsns
) -> None:
    stuck = await table.started()
    async with held(database, stuck):
        waiting = asyncio.create_task(hasty.act(stuck, end_turn("r1")))

        async def has_begun() -> bool:
            return waiting.done() or await is_waiting(hasty, stuck)

        await until(has_begun)
        await hasty.encounters.writes.settle()
        assert hasty.encounters.write_path.under_way == 0
        with pytest.raises(EncounterBusy):
            await waiting


async def test_an_encounter_held_while_it_is_deleted_is_not_found(
    table: Table, database: Dsns, store: EventStore
) -> None:
    gone = await table.started()
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("SELECT FROM delete_encounter($1)", gone)
        waiting = asyncio.create_task(table.act(gone, note(1)))
        await until(lambda: is_waiting(table, gone))
        assert not waiting.done()
    await admin.close()
    with pytest.raises(Exception, match="unknown_encounter"):
        await waiting
