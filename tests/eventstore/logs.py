"""Logs to store: events whose bytes mean nothing to the store but must come back as they are."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID, uuid4

import asyncpg
from msgspec.structs import replace

from service.engine.log.event import SealedEvent, SealedPart
from service.eventstore.embedded import Dsns
from service.eventstore.log_writes import as_read_back
from service.eventstore.records import (
    Append,
    Blob,
    Command,
    Created,
    Creation,
    EncounterRow,
    Held,
    NewEncounter,
    Outcome,
    SeatRow,
    Secret,
    StoredEvent,
    StoredPart,
)
from service.eventstore.store import EventStore
from tests.patience import PATIENCE_SECONDS

_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
SALT = b"sixteen bytes ok"
AT = datetime(2026, 11, 21, tzinfo=UTC)
"""The moment at which events were recorded, where it does not matter."""


def sha(value: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(value).digest()


def text_part(audience: str = "everyone", body: bytes = b'{"name":"Ann"}') -> SealedPart:
    """Free text for one audience."""
    return SealedPart(audience=audience, kind="text", salt=SALT, body=body)


def facts_part(audience: str = "gm", body: bytes = b"{}") -> SealedPart:
    """Facts for one audience."""
    return SealedPart(audience=audience, kind="facts", salt=SALT, body=body)


def event(
    seq: int,
    *parts: SealedPart,
    base: int | None = None,
    body: bytes | None = None,
    of: object = "",
) -> SealedEvent:
    """An event with some body; `of` makes its hash differ from that of another writer."""
    written = b'{"seq":%d}' % seq if body is None else body
    return SealedEvent(
        seq=seq,
        base=seq - 1 if base is None else base,
        hash=sha(written + str(of).encode()).hex(),
        body=written,
        commits=b"".join(sha(part.body) for part in parts),
        parts=parts,
    )


def hash_of(event: SealedEvent) -> bytes:
    """The hash of an event as a head names it."""
    return bytes.fromhex(event.hash)


def command(key: str, first: int, last: int | None = None) -> Command:
    """A request of the principal `seat:1`."""
    return Command(
        principal="seat:1",
        key=key,
        fingerprint=sha(key.encode()),
        first_seq=first,
        last_seq=first if last is None else last,
    )


def append(
    head: EncounterRow | Append, *events: SealedEvent, commands: tuple[Command, ...] = ()
) -> Append:
    """What follows on a stored encounter or on another append; one event unless some are given."""
    if isinstance(head, Append):
        where, seq, digest = head.encounter_id, head.events[-1].seq, hash_of(head.events[-1])
    else:
        where, seq, digest = head.id, head.head_seq, head.head_hash
    return Append(
        encounter_id=where,
        expected_seq=seq,
        expected_hash=digest,
        events=events or (event(seq + 1),),
        commands=commands,
        status="running",
    )


def new_encounter(
    tenant: UUID,
    *,
    key: str | None = None,
    blobs: tuple[bytes, ...] = (),
    parts: tuple[SealedPart, ...] = (),
) -> NewEncounter:
    """An encounter with event 1 and two seats."""
    encounter_id = uuid4()
    used = key or str(encounter_id)
    return NewEncounter(
        id=encounter_id,
        tenant=tenant,
        ruleset="crossfire-d6",
        version="1",
        status="setup",
        title="The bridge",
        secret=Secret(seed=b"s" * 32, seal_key=b"k" * 32),
        seats=(
            SeatRow(id="ann", role="player", name="Ann"),
            SeatRow(id="gm", role="gm", token_hash=sha(encounter_id.bytes)),
        ),
        blobs=tuple(Blob(digest=sha(body), body=body) for body in blobs),
        first=event(1, *parts, base=0, of=encounter_id),
        creation=Creation(principal=f"key:{tenant}", key=used, fingerprint=sha(used.encode())),
    )


async def stored_encounter(
    store: EventStore, tenant: UUID, *, parts: tuple[SealedPart, ...] = ()
) -> EncounterRow:
    """A stored encounter at seq 1."""
    new = new_encounter(tenant, parts=parts)
    assert isinstance(await store.writer.create(new), Created)
    return await head_of(store, new.id)


async def insisted(store: EventStore, *batch: Append) -> tuple[Outcome, ...]:
    """Append, and again for as long as somebody else holds one of the encounters."""
    outcomes = await store.writer.append(batch)
    if Held() not in outcomes:
        return outcomes
    await asyncio.sleep(0.001)
    return await insisted(store, *batch)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something that is bound to happen."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.01)


async def until_waiting(database: Dsns, count: int) -> None:
    """Wait until so many sessions of this database wait for a lock."""
    admin = await asyncpg.connect(database.admin)
    try:

        async def are_waiting() -> bool:
            return bool(await admin.fetchval(_WAITING) == count)

        await until(are_waiting)
    finally:
        await admin.close()


@asynccontextmanager
async def held(database: Dsns, encounter: UUID) -> AsyncIterator[None]:
    """Somebody else has this encounter's row."""
    admin = await asyncpg.connect(database.admin)
    try:
        async with admin.transaction():
            await admin.execute("SELECT FROM encounter WHERE id = $1 FOR UPDATE", encounter)
            yield
    finally:
        await admin.close()


async def head_of(store: EventStore, encounter_id: UUID) -> EncounterRow:
    """The row of an encounter that is there."""
    row = await store.log.head(encounter_id)
    assert row is not None
    return row


async def log_of(store: EventStore, encounter_id: UUID) -> tuple[StoredEvent, ...]:
    """The whole log with all parts, each event as `as_read` gives it."""
    found = await store.log.events(encounter_id, limit=1000, audiences=None)
    return tuple(replace(stored, recorded_at=AT) for stored in found)


def as_read(event: SealedEvent) -> StoredEvent:
    """An event that was handed in, as it is read back."""
    return as_read_back(event, AT)


def read_parts(*parts: SealedPart) -> tuple[StoredPart, ...]:
    """Parts that were handed in, as they are read back."""
    return as_read(event(1, *parts)).parts


async def json_as_bytes(connection: asyncpg.Connection) -> None:
    """Bodies go in and out as the bytes they are, as over the service's connections."""
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
    )
