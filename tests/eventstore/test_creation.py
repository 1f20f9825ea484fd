"""Creating an encounter: everything at once, once per key."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import msgspec
import pytest

from service.errors import NotFound, Unstorable
from service.eventstore.embedded import Dsns
from service.eventstore.records import Blob, Created, CreationRepeated, EncounterRow
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    as_read,
    event,
    facts_part,
    hash_of,
    log_of,
    new_encounter,
    sha,
    text_part,
    until_waiting,
)


async def test_everything_of_a_new_encounter_is_stored(store: EventStore, tenant: UUID) -> None:
    new = new_encounter(tenant, blobs=(b"map", b"content"), parts=(text_part(), facts_part()))
    outcome = await store.writer.create(new)
    assert isinstance(outcome, Created)
    row = await store.log.head(new.id)
    assert row == EncounterRow(
        id=new.id,
        tenant=tenant,
        ruleset="crossfire-d6",
        version="1",
        status="setup",
        head_seq=1,
        head_hash=hash_of(new.first),
        title="The bridge",
        created_at=row.created_at if row else outcome.recorded_at,
        erasures=0,
    )
    assert await log_of(store, new.id) == (as_read(new.first),)
    assert await store.log.secret(new.id) == new.secret
    assert await store.log.seats(new.id) == new.seats
    assert set(await store.log.blobs(new.id)) == set(new.blobs)
    assert await store.log.created(new.creation.principal, new.creation.key) == CreationRepeated(
        encounter_id=new.id, fingerprint=new.creation.fingerprint
    )


async def test_the_same_key_creates_once(store: EventStore, tenant: UUID) -> None:
    first, second = new_encounter(tenant, key="k"), new_encounter(tenant, key="k")
    await store.writer.create(first)
    assert await store.writer.create(second) == CreationRepeated(
        encounter_id=first.id, fingerprint=first.creation.fingerprint
    )
    assert await store.log.head(second.id) is None


async def test_the_same_key_at_two_processes_creates_once(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    other = await EventStore.open(database.app)
    for number in range(10):
        pair = [new_encounter(tenant, key=f"k{number}", blobs=(b"a", b"b")) for _ in range(2)]
        outcomes = await asyncio.gather(store.writer.create(pair[0]), other.writer.create(pair[1]))
        there = [new.id for new in pair if await store.log.head(new.id)]
        assert len(there) == 1
        assert (
            CreationRepeated(encounter_id=there[0], fingerprint=pair[0].creation.fingerprint)
            in outcomes
        )
    await other.close()


async def test_a_creation_that_fails_leaves_nothing(store: EventStore, tenant: UUID) -> None:
    replace = msgspec.structs.replace
    good = new_encounter(tenant, key="later")
    for bad in (
        replace(good, tenant=uuid4()),
        replace(good, first=event(1, base=0, body=b"no json")),
        replace(good, blobs=(Blob(digest=sha(b"other"), body=b"map"),)),
        replace(good, seats=(good.seats[0], good.seats[0])),
    ):
        with pytest.raises(Unstorable):
            await store.writer.create(bad)
    with pytest.raises(ValueError, match="follow"):
        await store.writer.create(replace(good, first=event(2)))
    assert await store.log.head(good.id) is None
    assert await store.log.created(good.creation.principal, "later") is None
    assert isinstance(await store.writer.create(good), Created)


async def test_an_id_that_is_taken_is_refused(store: EventStore, tenant: UUID) -> None:
    new = new_encounter(tenant)
    await store.writer.create(new)
    again = msgspec.structs.replace(
        new_encounter(tenant), id=new.id, seats=(), first=event(1, base=0)
    )
    with pytest.raises(Unstorable):
        await store.writer.create(again)
    assert await log_of(store, new.id) == (as_read(new.first),)


async def test_a_deleted_encounter_is_not_created_again_by_a_late_retry(
    store: EventStore, tenant: UUID
) -> None:
    new = new_encounter(tenant)
    await store.writer.create(new)
    await store.eraser.delete_encounter(new.id)
    retry = msgspec.structs.replace(new_encounter(tenant), creation=new.creation)
    assert await store.writer.create(retry) == CreationRepeated(
        encounter_id=new.id, fingerprint=b""
    )


@pytest.mark.parametrize("use", ["create", "keep"])
async def test_a_map_that_goes_with_its_last_encounter_is_stored_again(
    store: EventStore, database: Dsns, tenant: UUID, use: str
) -> None:
    blobs = (f"the map of {tenant}".encode(),)
    last, without = new_encounter(tenant, blobs=blobs), new_encounter(tenant)
    new = new_encounter(tenant, blobs=blobs)
    for each in (last, without):
        await store.writer.create(each)
    admin = await asyncpg.connect(database.admin)
    async with admin.transaction():
        await admin.execute("LOCK TABLE encounter_blob IN EXCLUSIVE MODE")
        storing = asyncio.ensure_future(
            store.writer.create(new)
            if use == "create"
            else store.writer.keep_blobs(without.id, new.blobs)
        )
        await until_waiting(database, 1)
        await admin.execute("SELECT FROM delete_encounter($1)", last.id)
    await admin.close()
    await storing
    user = new.id if use == "create" else without.id
    assert await store.log.blobs(user) == new.blobs


async def test_blobs_of_an_encounter_that_is_gone_are_not_kept(
    store: EventStore, database: Dsns, tenant: UUID
) -> None:
    new, body = new_encounter(tenant), f"a new map of {tenant}".encode()
    await store.writer.create(new)
    await store.eraser.delete_encounter(new.id)
    with pytest.raises(NotFound, match="unknown_encounter"):
        await store.writer.keep_blobs(new.id, (Blob(digest=sha(body), body=body),))
    admin = await asyncpg.connect(database.admin)
    assert not await admin.fetch("SELECT FROM blob WHERE digest = $1", sha(body))
    await admin.close()
