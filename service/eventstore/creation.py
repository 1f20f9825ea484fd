"""What is written when an encounter is created, but for its first event."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from service.errors import NotFound
from service.eventstore.connection import Session
from service.eventstore.records import (
    NO_HASH,
    Blob,
    Creation,
    CreationRepeated,
    NewEncounter,
)

_CREATION: Final = """
    INSERT INTO creation (principal, idempotency_key, fingerprint, encounter_id)
    VALUES ($1, $2, $3, $4) ON CONFLICT (principal, idempotency_key) DO NOTHING RETURNING true
"""
CREATED: Final = """
    SELECT encounter_id, fingerprint FROM creation WHERE principal = $1 AND idempotency_key = $2
"""
_ENCOUNTER: Final = """
    INSERT INTO encounter (id, tenant, ruleset, version, status, head_seq, head_hash, title)
    VALUES ($1, $2, $3, $4, $5, 0, $6, $7)
"""
_METADATA: Final = "UPDATE encounter SET metadata = $2 WHERE id = $1"
_SEALED: Final = "INSERT INTO secret (encounter_id, seed, seal_key) VALUES ($1, $2, $3)"
_SEALED_SEED: Final = "INSERT INTO sealed_seed (encounter_id, reveal_by_days) VALUES ($1, $2)"
_CLOCK: Final = "INSERT INTO clock (encounter_id) VALUES ($1)"
_SEATS: Final = """
    INSERT INTO seat (encounter_id, id, role, name, token_hash)
    SELECT $1, s.* FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) AS s
"""
# A blob that is there already has the same body: the table holds digests to bodies.
_BLOBS: Final = """
    INSERT INTO blob (digest, body) SELECT b.* FROM unnest($1::bytea[], $2::bytea[]) AS b
    ON CONFLICT (digest) DO NOTHING
"""
_BLOBS_USED: Final = """
    INSERT INTO encounter_blob (encounter_id, digest) SELECT $1, d FROM unnest($2::bytea[]) AS d
    ON CONFLICT DO NOTHING
"""


async def claim_creation(session: Session, new: NewEncounter) -> CreationRepeated | None:
    """Take the creation's key for this encounter, or return the one that has it.

    Waits for another transaction that is taking the same key.
    """
    creation = new.creation
    if await session.fetch(
        _CREATION, creation.principal, creation.key, creation.fingerprint, new.id
    ):
        return None
    return await created_before(session, creation)


async def created_before(session: Session, creation: Creation) -> CreationRepeated:
    """The encounter that this key created, which must be there."""
    [row] = await session.fetch(CREATED, creation.principal, creation.key)
    return CreationRepeated(encounter_id=row["encounter_id"], fingerprint=row["fingerprint"])


async def insert_encounter(session: Session, new: NewEncounter) -> None:
    """Everything but the first event; the head is before it."""
    await session.execute(
        _ENCOUNTER,
        new.id,
        new.tenant,
        new.ruleset,
        new.version,
        new.status,
        NO_HASH,
        new.title,
    )
    if new.metadata is not None:
        await session.execute(_METADATA, new.id, new.metadata)
    await session.execute(_SEALED, new.id, new.secret.seed, new.secret.seal_key)
    await session.execute(_SEALED_SEED, new.id, new.reveal_by_days)
    if new.is_timed:
        await session.execute(_CLOCK, new.id)
    if new.seats:
        await session.execute(
            _SEATS,
            new.id,
            [seat.id for seat in new.seats],
            [seat.role for seat in new.seats],
            [seat.name for seat in new.seats],
            [seat.token_hash for seat in new.seats],
        )
    if new.blobs:
        await insert_blobs(session, new.id, new.blobs)


_IS_THERE: Final = "SELECT true FROM encounter WHERE id = $1 FOR KEY SHARE"

BLOB_GONE: Final = "encounter_blob_digest_fkey"
"""What is violated when a blob that was there is deleted with the last encounter that used it,
between the look at it and its use."""


async def require_encounter(session: Session, encounter: UUID) -> None:
    """The encounter is there, and stays until the transaction ends. Raises NotFound."""
    if not await session.fetch(_IS_THERE, encounter):
        raise NotFound("unknown_encounter", encounter=str(encounter))


async def insert_blobs(session: Session, encounter: UUID, blobs: Sequence[Blob]) -> None:
    """Keep blobs for an encounter that is there; those it has already stay as they are."""
    # One order for all, so that two writers cannot wait for one another.
    ordered = sorted(blobs, key=lambda blob: blob.digest)
    digests = [blob.digest for blob in ordered]
    await session.execute(_BLOBS, digests, [blob.body for blob in ordered])
    await session.execute(_BLOBS_USED, encounter, digests)
