"""While no commit comes through: what hangs is answered as ever, what is behind it is not sent."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from uuid import UUID

import pytest

from service.encounters.responses import Acted
from service.errors import DatabaseSlow, Refused
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.encounters.table import Table, new_table
from tests.eventstore.logs import until as holds
from tests.eventstore.stalling import Stalling, stalling_server
from tests.patience import PATIENCE_SECONDS, until

NOTE = {"type": "note", "text": "what was said"}
NOT_NOW = {"type": "end_turn", "combatant": "nobody"}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Stalling]:
    async with stalling_server(tmp_path) as stalling:
        yield stalling


@pytest.fixture
async def table(server: Stalling) -> AsyncIterator[Table]:
    # What hangs is to be waited for until the test lets it go on.
    patience = Patience(answer_seconds=PATIENCE_SECONDS)
    store = await EventStore.open(server.dsns.app, eraser_url=server.dsns.eraser, patience=patience)
    fresh = await new_table(store)
    yield fresh
    await fresh.encounters.writes.settle()
    await store.close()


@pytest.mark.slow
async def test_what_waits_behind_a_commit_that_hangs_is_refused_and_what_was_done_is_told_again(
    server: Stalling, table: Table
) -> None:
    at_once = table.encounters.reads.store.writer.batches_at_once
    first, *others, second = [await table.started() for _ in range(at_once + 1)]
    done = await table.act(second, NOTE, key="done before")
    over: list[str] = []

    def act(name: str, encounter: UUID, action: Mapping[str, object] = NOTE) -> asyncio.Task[Acted]:
        async def acted() -> Acted:
            try:
                return await table.act(encounter, action, key=name)
            finally:
                over.append(name)

        return asyncio.create_task(acted())

    await server.stall()
    hanging: list[asyncio.Task[Acted]] = []
    for encounter in (first, *others):
        hanging.append(act("hanging", encounter))

        async def is_sent() -> bool:
            return len(await server.waiting()) >= len(hanging)

        await holds(is_sent)
    behind, beside = act("behind", first), act("beside", second)
    probe = table.encounters.reads.store.probe
    await until(lambda: probe.is_stuck)
    # Nothing of these was sent: they hear of it while the first ones are still waited for.
    for refused in (behind, beside, act("late", first), act("not now", first, NOT_NOW)):
        with pytest.raises(DatabaseSlow) as told:
            await refused
        assert set(told.value.params) == {"uncommitted_seconds"}
    assert sorted(over) == ["behind", "beside", "late", "not now"]
    # What is known to be stored is shown as ever, and so is what can be read.
    again = await table.act(second, NOTE, key="done before")
    assert (again.replayed, again.answer.version) == (True, done.answer.version)
    views = [await table.encounters.reads.view(table.who, each, None) for each in (first, second)]
    assert [view.head for view in views] == [2, 3]
    await server.go_on()
    assert [(await each).answer.version for each in hanging] == [3] * at_once
    await until(lambda: not probe.is_stuck)
    versions = [
        (await table.act(encounter, NOTE, key=key)).answer.version
        for key, encounter in (("behind", first), ("beside", second), ("late", first))
    ]
    assert versions == [4, 4, 5]
    with pytest.raises(Refused):
        await table.act(first, NOT_NOW)
