"""Deleting a tenant: only ids, hashes and tombstones stay, wherever it was interrupted."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import pytest

from service.cli.tenants import deleted
from service.errors import DatabaseSlow, SchemaMismatch, Unauthenticated, WarlogError
from service.eventstore import tenant_deletion
from service.eventstore.embedded import Dsns
from service.eventstore.records import Created, NewApiKey
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from tests.eventstore.logs import (
    append,
    command,
    event,
    facts_part,
    new_encounter,
    sha,
    stored_encounter,
    text_part,
    until_waiting,
)

LEFT = """
    SELECT 'encounter' AS what, count(*) FROM encounter WHERE tenant = $1
    UNION ALL SELECT 'event', count(*) FROM event WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'part', count(*) FROM event_part WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'command', count(*) FROM command WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'creation', count(*) FROM creation WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'seat', count(*) FROM seat WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'secret', count(*) FROM secret WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'snapshot', count(*) FROM snapshot WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'blob', count(*) FROM encounter_blob WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'due', count(*) FROM due_erasure WHERE encounter_id = ANY ($2)
    UNION ALL SELECT 'tombstone', count(*) FROM tombstone WHERE tenant = $1
"""


def key_of(tenant: UUID) -> NewApiKey:
    return NewApiKey(
        id=uuid4(), tenant=tenant, name="a laptop", secret_hash=sha(uuid4().bytes), scopes=("read",)
    )


async def filled(store: EventStore, tenant: UUID, count: int) -> list[UUID]:
    """Encounters with everything an encounter can have."""
    found = []
    for number in range(count):
        blobs = (f"the map of {tenant} {number}".encode(),)
        new = new_encounter(tenant, parts=(text_part(), facts_part()), blobs=blobs)
        assert isinstance(await store.writer.create(new), Created)
        row = await store.log.head(new.id)
        assert row is not None
        events = [event(seq, text_part(), facts_part()) for seq in range(2, 5)]
        await store.writer.append([append(row, *events, commands=(command("k", 2, 4),))])
        found.append(new.id)
    return found


async def left(database: Dsns, tenant: UUID, encounters: list[UUID]) -> dict[str, int]:
    """How many rows of each kind still speak of a tenant."""
    admin = await asyncpg.connect(database.admin)
    rows = await admin.fetch(LEFT, tenant, encounters)
    await admin.close()
    return {what: count for what, count in rows if count}


def untold(_: int, __: int) -> None:
    """Nobody listens."""


async def test_everything_of_a_tenant_goes_and_nothing_of_another(
    store: EventStore, tenant: UUID, database: Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenant_deletion, "BATCH_EVENTS", 9)
    monkeypatch.setattr(tenant_deletion, "FORGOTTEN", 2)
    other = (await store.access.create_tenant(uuid4(), f"other {uuid4()}")).id
    mine, theirs = await filled(store, tenant, 5), await filled(store, other, 2)
    key = await store.access.create_api_key(key_of(tenant))
    before = await left(database, other, theirs)
    steps: list[tuple[int, int]] = []
    assert await deleted(store, tenant, lambda *step: steps.append(step)) == 5
    assert steps == [(0, 5), (2, 5), (4, 5), (5, 5)]
    assert await left(database, tenant, mine) == {"tombstone": 5}
    assert await left(database, other, theirs) == before
    known = await store.access.tenant(tenant)
    assert known is not None
    assert (known.name, known.deleted_at is None) == (f"deleted {tenant}", False)
    [revoked] = await store.access.api_keys(tenant)
    assert (revoked.id, revoked.name, revoked.revoked_at is None) == (key.id, "", False)
    assert await deleted(store, tenant, untold) == 0
    assert await store.access.tenant(tenant) == known


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
async def test_a_deletion_that_was_interrupted_goes_on_where_it_stopped(
    store: EventStore,
    tenant: UUID,
    database: Dsns,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    monkeypatch.setattr(tenant_deletion, "BATCH", 1)
    encounters = await filled(store, tenant, 3)
    told = 0

    def interrupted(_: int, __: int) -> None:
        nonlocal told
        if told == steps:
            raise KeyboardInterrupt
        told += 1

    with pytest.raises(KeyboardInterrupt):
        await deleted(store, tenant, interrupted)
    known = await store.access.tenant(tenant)
    assert known is not None
    assert known.deleted_at is not None
    assert not known.name.startswith("deleted")
    assert await deleted(store, tenant, untold) == 3 - steps
    assert await left(database, tenant, encounters) == {"tombstone": 3}


async def test_a_retired_tenant_gets_no_encounter_and_no_key(
    store: EventStore, tenant: UUID
) -> None:
    await store.retirer.retire(tenant)
    with pytest.raises(Unauthenticated):
        await store.writer.create(new_encounter(tenant))
    with pytest.raises(Unauthenticated):
        await store.access.create_api_key(key_of(tenant))


async def test_a_creation_on_its_way_is_waited_for_and_deleted_too(
    store: EventStore, tenant: UUID, database: Dsns
) -> None:
    new = new_encounter(tenant)
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("LOCK TABLE seat IN EXCLUSIVE MODE")
        creating = asyncio.create_task(store.writer.create(new))
        await until_waiting(database, 1)
        deleting = asyncio.create_task(deleted(store, tenant, untold))
        await until_waiting(database, 2)
        assert not deleting.done()
    await admin.close()
    assert isinstance(await creating, Created)
    assert await deleting == 1
    assert await left(database, tenant, [new.id]) == {"tombstone": 1}


async def test_a_creation_that_takes_too_long_is_not_waited_for_for_ever(
    store: EventStore, tenant: UUID, database: Dsns
) -> None:
    hasty = await EventStore.open(
        database.app, eraser_url=database.eraser, patience=Patience(lock_ms=100)
    )
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("SELECT FROM tenant WHERE id = $1 FOR KEY SHARE", tenant)
        with pytest.raises(DatabaseSlow):
            await deleted(hasty, tenant, untold)
    await admin.close()
    assert await deleted(hasty, tenant, untold) == 0
    await hasty.close()


async def test_what_is_not_retired_is_not_forgotten(
    store: EventStore, tenant: UUID, database: Dsns
) -> None:
    row = await stored_encounter(store, tenant)
    with pytest.raises(WarlogError, match="internal_error"):
        await store.retirer.forget(tenant)
    assert await store.log.head(row.id) == row
    serving = await EventStore.open(database.app)
    with pytest.raises(SchemaMismatch):
        await serving.retirer.retire(tenant)
    await serving.close()


async def test_a_tenant_that_never_was_is_none(store: EventStore) -> None:
    assert await store.retirer.retire(uuid4()) is None
