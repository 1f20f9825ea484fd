"""Erasing text and storing snapshots: what is gone does not come back by the side door."""

import asyncio
from uuid import UUID

import asyncpg
import msgspec

from service.eventstore.embedded import Dsns
from service.eventstore.records import CreationRepeated, EncounterRow, Snapshot, StoredPart
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    append,
    command,
    event,
    facts_part,
    head_of,
    log_of,
    new_encounter,
    read_parts,
    sha,
    stored_encounter,
    text_part,
    until_waiting,
)
from tests.patience import PATIENCE_SECONDS

ERASED = StoredPart(audience="everyone", kind="text", salt=b"", body=None)


def snapshot(seq: int, state: bytes = b"state") -> Snapshot:
    return Snapshot(seq=seq, state=state, digest=sha(state))


async def a_log(store: EventStore, tenant: UUID) -> EncounterRow:
    """Four events with text and facts, the second and third under one key."""
    row = await stored_encounter(store, tenant, parts=(text_part(), facts_part()))
    events = [event(seq, text_part(), facts_part()) for seq in (2, 3, 4)]
    keys = (command("two-three", 2, 3), command("four", 4))
    await store.writer.append([append(row, *events, commands=keys)])
    return row


async def test_erasing_empties_text_and_keeps_everything_that_is_hashed(
    store: EventStore, tenant: UUID
) -> None:
    row = await a_log(store, tenant)
    before = await log_of(store, row.id)
    assert await store.eraser.erase_text(row.id, until=4, seqs=[3, 9]) == 1
    after = await log_of(store, row.id)
    assert after == (
        *before[:2],
        msgspec.structs.replace(before[2], parts=(ERASED, *read_parts(facts_part()))),
        before[3],
    )
    assert await store.log.command(row.id, "seat:1", "two-three") == msgspec.structs.replace(
        command("two-three", 2, 3), fingerprint=b""
    )
    assert await store.log.command(row.id, "seat:1", "four") == command("four", 4)
    head = await head_of(store, row.id)
    assert (head.title, head.erasures) == ("The bridge", 1)


async def test_erasing_all_text_takes_title_and_fingerprints_along(
    store: EventStore, tenant: UUID
) -> None:
    row = await a_log(store, tenant)
    new = new_encounter(tenant, parts=(text_part(),))
    await store.writer.create(new)
    assert await store.eraser.erase_text(row.id, until=3) == 3
    assert await store.eraser.erase_text(row.id, until=3) == 0
    assert [found.parts[0] for found in await log_of(store, row.id)] == [
        *[ERASED] * 3,
        *read_parts(text_part()),
    ]
    head = await head_of(store, row.id)
    assert (head.title, head.erasures) == (None, 2)
    await store.eraser.erase_text(new.id, until=1)
    assert await store.log.created(new.creation.principal, new.creation.key) == CreationRepeated(
        encounter_id=new.id, fingerprint=b""
    )


async def test_snapshots_are_listed_and_read_per_engine_version(
    store: EventStore, tenant: UUID
) -> None:
    row = await a_log(store, tenant)
    for seq, version in ((4, "1"), (2, "1"), (3, "2")):
        assert await store.snapshots.put(row.id, snapshot(seq), engine_version=version, erasures=0)
    assert await store.snapshots.seqs(row.id, "1") == (2, 4)
    assert await store.snapshots.get(row.id, 4, "1") == snapshot(4)
    assert await store.snapshots.get(row.id, 4, "2") is None
    assert await store.snapshots.seqs(row.id, "3") == ()


async def test_a_snapshot_is_stored_once_and_never_ahead_of_the_log(
    store: EventStore, tenant: UUID
) -> None:
    row = await a_log(store, tenant)
    put = store.snapshots.put
    assert await put(row.id, snapshot(2), engine_version="1", erasures=0)
    assert not await put(row.id, snapshot(2, b"other"), engine_version="1", erasures=0)
    assert not await put(row.id, snapshot(5), engine_version="1", erasures=0)
    assert not await put(tenant, snapshot(1), engine_version="1", erasures=0)
    assert await store.snapshots.get(row.id, 2, "1") == snapshot(2)


async def test_an_erasure_drops_snapshots_and_keeps_out_those_made_before_it(
    store: EventStore, tenant: UUID
) -> None:
    row = await a_log(store, tenant)
    await store.snapshots.put(row.id, snapshot(2), engine_version="1", erasures=0)
    await store.eraser.erase_text(row.id, until=1)
    assert await store.snapshots.seqs(row.id, "1") == ()
    assert not await store.snapshots.put(row.id, snapshot(3), engine_version="1", erasures=0)
    assert await store.snapshots.put(row.id, snapshot(3), engine_version="1", erasures=1)


async def test_a_snapshot_being_stored_during_an_erasure_does_not_survive_it(
    store: EventStore, tenant: UUID, database: Dsns
) -> None:
    row = await a_log(store, tenant)
    eraser = await asyncpg.connect(database.eraser)
    transaction = eraser.transaction()
    await transaction.start()
    await eraser.execute("SELECT FROM encounter WHERE id = $1 FOR UPDATE", row.id)
    await eraser.execute("DELETE FROM snapshot WHERE encounter_id = $1", row.id)
    late = asyncio.create_task(
        store.snapshots.put(row.id, snapshot(4), engine_version="1", erasures=0)
    )
    await until_waiting(database, 1)
    assert not late.done()
    await eraser.execute("UPDATE encounter SET erasures = erasures + 1 WHERE id = $1", row.id)
    await transaction.commit()
    await eraser.close()
    assert await late is False
    assert await store.snapshots.seqs(row.id, "1") == ()


async def test_storing_a_snapshot_does_not_wait_for_an_append(
    store: EventStore, tenant: UUID, database: Dsns
) -> None:
    row = await a_log(store, tenant)
    app = await asyncpg.connect(database.app)
    async with app.transaction():
        await app.execute("SELECT FROM encounter WHERE id = $1 FOR NO KEY UPDATE", row.id)
        async with asyncio.timeout(PATIENCE_SECONDS / 2):
            assert await store.snapshots.put(row.id, snapshot(4), engine_version="1", erasures=0)
    await app.close()
