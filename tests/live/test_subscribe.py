"""How a follower comes in: cursors, the shared look at the encounter, who is turned away."""

import asyncio
import dataclasses
from uuid import UUID

import pytest

from service.encounters.cache import LoadedEncounter
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.live.subscribe import JOINING
from tests.encounters.table import Table, beside
from tests.encounters.test_restored_database import restore
from tests.live.clients import NOTE, SECRET, joined
from tests.patience import until


async def test_a_cursor_of_the_restored_log_where_the_lost_one_is_followed(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    for _ in range(3):
        await table.act(encounter, NOTE)
    old = await joined(table, encounter)
    await restore(database, encounter, 3)
    other = beside(table, store)
    for _ in range(2):
        await other.act(encounter, SECRET)
    view = await other.encounters.reads.view(table.who, encounter, None)
    client = await joined(table, encounter, f"5-{view.hash[:8]}")
    await client.over()
    assert client.sink.last_word == ("resync", "history_diverged")
    await table.encounters.hub.poll_logs()
    await old.over()
    again = await joined(table, encounter, f"5-{view.hash[:8]}")
    await table.act(encounter, NOTE)
    await again.at(6)


class SlowLook:
    """The first look at the database takes until it may end; `count` are all of them."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        entrance = table.encounters.hub._entrance
        self.real = entrance._sources.current
        self.count = 0
        self.is_under_way, self.may_end = asyncio.Event(), asyncio.Event()
        sources = dataclasses.replace(entrance._sources, current=self.current)
        monkeypatch.setattr(entrance, "_sources", sources)

    async def current(self, encounter: UUID, tenant: UUID) -> LoadedEncounter | None:
        self.count += 1
        is_first = self.count == 1
        loaded = await self.real(encounter, tenant)
        if not is_first or loaded is None:
            return loaded
        as_it_was = dataclasses.replace(loaded)
        self.is_under_way.set()
        await self.may_end.wait()
        return as_it_was


def joining(table: Table) -> int:
    """How many are coming in; all of them share the look that is under way."""
    return JOINING - table.encounters.hub._entrance._turns._value


async def test_a_seat_that_comes_while_others_look_is_found(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    look = SlowLook(table, monkeypatch)
    first = [asyncio.create_task(joined(table, encounter)) for _ in range(20)]
    await look.is_under_way.wait()
    await other.act(encounter, {"type": "add_seat", "seat": {"id": "nina", "role": "observer"}})
    late = asyncio.create_task(joined(table.seat("nina"), encounter))
    await until(lambda: joining(table) == 21)
    look.may_end.set()
    assert (await late).sink.bodies[0]["seat"] == "nina"
    await asyncio.gather(*first)
    assert look.count == 2


async def test_a_hello_is_never_older_than_what_the_client_has(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    look = SlowLook(table, monkeypatch)
    first = asyncio.create_task(joined(table, encounter))
    await look.is_under_way.wait()
    await other.act(encounter, NOTE)
    view = await other.encounters.reads.view(table.who, encounter, None)
    late = asyncio.create_task(joined(table, encounter, f"3-{view.hash[:8]}"))
    await until(lambda: joining(table) == 2)
    look.may_end.set()
    assert (await late).sink.bodies[0]["seq"] == 3
    await (await first).at(3)


async def test_a_hello_is_never_behind_the_cursor_of_whoever_is_greeted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    first = await joined(table, encounter)
    look = SlowLook(table, monkeypatch)
    other = asyncio.create_task(joined(table, encounter))
    await look.is_under_way.wait()
    await table.act(encounter, NOTE)
    await first.at(3)
    assert first.sink.cursor is not None
    again = asyncio.create_task(joined(table, encounter, first.sink.cursor))
    await until(lambda: joining(table) == 2)
    look.may_end.set()
    assert (await again).sink.bodies[0]["seq"] == 3
    assert (await other).sink.bodies[0]["seq"] == 2


async def test_a_cursor_that_the_channel_has_not_reached_yet(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    first = await joined(table, encounter)
    await other.act(encounter, NOTE)
    await other.act(encounter, NOTE)
    second = await joined(table.seat("rita"), encounter)
    assert second.sink.cursor is not None
    assert second.sink.cursor.startswith("4-")
    await first.at(4)
    await table.act(encounter, NOTE)
    for client in (first, second):
        await client.at(5)
    assert (first.sink.seqs, second.sink.seqs) == ([3, 4, 5], [5])
