"""While no commit comes through, writes are refused before they hang, and one continues trying."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from uuid import uuid4

import pytest

from service.errors import DatabaseSlow, OutcomeUnknown, WarlogError
from service.eventstore.records import Appended, Created, EncounterRow, Failed, Snapshot
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import (
    append,
    head_of,
    log_of,
    new_encounter,
    sha,
    stored_encounter,
    until,
)
from tests.eventstore.stalling import Stalling, stalling_server
from tests.patience import until as is_so

POOL_SIZE = 4


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Stalling]:
    async with stalling_server(tmp_path) as stalling:
        yield stalling


@pytest.fixture
async def store(server: Stalling) -> AsyncIterator[EventStore]:
    """As `serve` opens it, but giving up on an answer soon after the refusals begin."""
    opened = await EventStore.open(
        server.dsns.app,
        eraser_url=server.dsns.eraser,
        pool_size=POOL_SIZE,
        patience=Patience(answer_seconds=6.0, connect_seconds=2.0),
    )
    yield opened
    await opened.close()


Failure = tuple[type[WarlogError], frozenset[str]]


async def failure(work: Awaitable[object]) -> Failure | None:
    """Why it failed, if it did: the class of the error and the names of its facts."""
    try:
        done = await work
    except WarlogError as error:
        return type(error), frozenset(error.params)
    if isinstance(done, tuple) and isinstance(done[0], Failed):
        return type(done[0].error), frozenset(done[0].error.params)
    return None


REFUSED: Failure = (DatabaseSlow, frozenset({"uncommitted_seconds"}))
UNKNOWN: Failure = (OutcomeUnknown, frozenset())


def every_write(store: EventStore, row: EncounterRow) -> list[Awaitable[object]]:
    """One of each pool and of each way of writing."""
    snapshot = Snapshot(seq=1, state=b"{}", digest=sha(b"{}"))
    return [
        store.writer.append((append(row),)),
        store.writer.create(new_encounter(row.tenant)),
        store.snapshots.put(row.id, snapshot, engine_version="1", erasures=0),
        store.timers.due(limit=1),
        store.seats.remove(row.id, "ann"),
        store.eraser.delete_encounter(row.id),
        store.access.create_tenant(uuid4(), "another"),
    ]


@pytest.mark.slow
async def test_writes_are_refused_while_none_commits_and_one_goes_on_trying(
    server: Stalling, store: EventStore
) -> None:
    tenant = (await store.access.create_tenant(uuid4(), "one")).id
    rows = [await stored_encounter(store, tenant) for _ in range(2)]
    await server.stall()
    unknown = asyncio.create_task(failure(store.writer.append((append(rows[0]),))))
    creations = [
        asyncio.create_task(failure(store.writer.create(new_encounter(tenant))))
        for _ in range(2 * POOL_SIZE)
    ]
    await is_so(lambda: store.probe.is_stuck)
    # Those that came before hang, some for want of a connection; but one is left to read with.
    hanging = await server.waiting()
    assert len(hanging) == 1 + (POOL_SIZE - 1) + 1
    assert await head_of(store, rows[1].id) == rows[1]
    for _ in range(3):
        outcomes = [await failure(each) for each in every_write(store, rows[1])]
        assert outcomes == [REFUSED] * len(outcomes)
    assert (await store.ready()).uncommitted_seconds >= 3
    assert await server.waiting() == hanging
    # What was under way is of unknown outcome, as ever, and nothing new hangs in its place.
    assert await unknown == UNKNOWN
    told = [await each for each in creations]
    assert told.count(UNKNOWN) == POOL_SIZE - 1
    assert set(told) <= {UNKNOWN, REFUSED, (DatabaseSlow, frozenset())}
    assert await failure(store.writer.append((append(rows[1]),))) == REFUSED
    assert await server.waiting() == hanging
    # The session of the probe is ended: it is made again, and the refusals go on.
    *given_up, probe = hanging
    await server.end(probe)

    async def tries_again() -> bool:
        assert await failure(store.writer.append((append(rows[1]),))) == REFUSED
        *others, last = await server.waiting()
        return others == given_up and last != probe

    await until(tries_again)
    await server.go_on()
    await is_so(lambda: not store.probe.is_stuck)
    assert isinstance((await store.writer.append((append(rows[1]),)))[0], Appended)
    assert isinstance(await store.writer.create(new_encounter(tenant)), Created)
    assert (await store.ready()).uncommitted_seconds == 0
    # The one of unknown outcome turned out to be stored, once; of those refused nothing was.
    for row in rows:
        assert (await head_of(store, row.id)).head_seq == 2
        assert len(await log_of(store, row.id)) == 2
