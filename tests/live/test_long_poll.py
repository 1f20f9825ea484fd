"""Waiting for the next event of an encounter without a stream."""

import asyncio

from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside
from tests.live.clients import MUCH_SECONDS, NOTE, looking, wired
from tests.patience import PATIENCE_SECONDS, until


async def test_a_long_poll_hears_of_what_happens_anywhere(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    there, wires = wired(table, store)

    async def waited(after: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await here.encounters.wait(here.who, encounter, after, MUCH_SECONDS)

    async def is_waited() -> None:
        await until(lambda: encounter in here.encounters.hub.waiters)

    own = asyncio.create_task(waited("2"))
    await is_waited()
    await here.act(encounter, NOTE)
    await own
    announced = asyncio.create_task(waited("3"))
    await is_waited()
    await there.act(encounter, NOTE)
    await until(lambda: len(wires.news) == 1)
    here.encounters.hub.receive(wires.news[0])
    await announced
    polled = asyncio.create_task(waited("4"))
    await is_waited()
    await beside(table, store).act(encounter, NOTE)
    async with looking(here):
        await polled
    gone = asyncio.create_task(waited("5"))
    await is_waited()
    await table.encounters.writes.delete(table.who, encounter)
    async with looking(here):
        await gone
    await here.encounters.hub.poll_logs()
