"""A look at an encounter that many share must not be older than what one of them has seen."""

import asyncio
import dataclasses
from uuid import UUID

import pytest

from service.encounters.loaded import LoadedEncounter
from service.live.subscribe import JOINING
from tests.encounters.following import joined, until
from tests.encounters.table import Table


async def test_a_hello_is_never_behind_the_cursor_of_whoever_is_greeted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    first = await joined(table, encounter)
    entrance = table.encounters.hub._entrance
    real = entrance._sources.current
    is_looked, may_go = asyncio.Event(), asyncio.Event()

    async def slow(wanted: UUID, tenant: UUID) -> LoadedEncounter | None:
        found = await real(wanted, tenant)
        seen = None if found is None else dataclasses.replace(found)
        if not is_looked.is_set():
            is_looked.set()
            await may_go.wait()
        return seen

    monkeypatch.setattr(entrance, "_sources", dataclasses.replace(entrance._sources, current=slow))
    other = asyncio.create_task(joined(table, encounter))
    await is_looked.wait()
    await table.act(encounter, {"type": "note", "text": "meanwhile"})
    await first.at(3)
    assert first.sink.cursor is not None
    again = asyncio.create_task(joined(table, encounter, first.sink.cursor))
    # Both are coming in, and share the look that is under way.
    await until(lambda: entrance._turns._value == JOINING - 2)
    may_go.set()
    assert (await again).sink.told[0]["seq"] == 3
    assert (await other).sink.told[0]["seq"] == 2
