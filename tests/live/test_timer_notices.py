"""Deadlines that change otherwise than by an event."""

from uuid import UUID

import msgspec
import pytest

from service.engine.visibility.scope import Viewer
from tests.encounters.table import Table
from tests.live.clients import joined
from tests.patience import until


async def test_changed_deadlines_are_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = await table.started()
    count = 0

    async def timers(_: object, viewer: Viewer) -> msgspec.Raw:
        turn = f"{count if viewer.is_gm else min(count, 1)}"
        return msgspec.Raw(msgspec.json.encode([{"turn": turn, "paused": viewer.is_gm}]))

    here = table.encounters.hub
    monkeypatch.setattr(here._timer_notices, "_timers", timers)
    clients = [await joined(each, encounter) for each in (table, table.seat("rita"))]
    count = 1
    here.announce_timers(encounter)
    here.announce_timers(UUID(int=5))
    await until(lambda: all(each.sink.of("timers") for each in clients))
    for client in clients:
        is_gm = client.table is table
        assert client.sink.of("timers")[0]["timers"] == [{"turn": "1", "paused": is_gm}]
        assert client.sink.records[-1].place is None
    count = 2
    here.announce_timers(encounter)
    await until(lambda: len(clients[0].sink.of("timers")) == 2)
    # To the other one nothing has changed, so that it hears nothing.
    assert len(clients[1].sink.of("timers")) == 1
