"""Reading logs and what belongs to them; nothing here writes."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from service.engine.log.parts import PartName
from service.eventstore.connection import Queries, Row
from service.eventstore.creation import CREATED
from service.eventstore.records import (
    Blob,
    Command,
    CreationRepeated,
    Cursor,
    EncounterRow,
    EventBody,
    SeatRow,
    Secret,
    StoredEvent,
    StoredPart,
    Tombstone,
)

LAST_SEQ: Final = 2**31 - 1
"""No seq is larger."""

_HEAD: Final = """
    SELECT id, tenant, ruleset, version, status, head_seq, head_hash, title, created_at, erasures
    FROM encounter WHERE id = $1
"""
_ENCOUNTERS: Final = """
    SELECT id, tenant, ruleset, version, status, head_seq, head_hash, title, created_at, erasures
    FROM encounter WHERE tenant = $1 ORDER BY created_at, id LIMIT $2
"""
_ENCOUNTERS_AFTER: Final = """
    SELECT id, tenant, ruleset, version, status, head_seq, head_hash, title, created_at, erasures
    FROM encounter WHERE tenant = $1 AND (created_at, id) > ($3, $4)
    ORDER BY created_at, id LIMIT $2
"""
_RUNNING: Final = """
    SELECT id, tenant, ruleset, version, status, head_seq, head_hash, title, created_at, erasures
    FROM encounter WHERE tenant = $1 AND status = 'running'
        AND ($3::timestamptz IS NULL OR (created_at, id) > ($3, $4::uuid))
    ORDER BY created_at, id LIMIT $2
"""
_EVENTS: Final = """
    SELECT seq, base, hash, body, commits, recorded_at FROM event
    WHERE encounter_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
"""
_PARTS: Final = """
    SELECT seq, audience, kind, salt, body FROM event_part
    WHERE encounter_id = $1 AND seq >= $2 AND seq <= $3
        AND ($4::text[] IS NULL OR audience = ANY ($4))
    ORDER BY seq, kind DESC, audience COLLATE "C"
"""
_EVENTS_AT: Final = """
    SELECT seq, base, hash, body, commits, recorded_at FROM event
    WHERE encounter_id = $1 AND seq = ANY ($2) ORDER BY seq
"""
_PARTS_AT: Final = """
    SELECT seq, audience, kind, salt, body FROM event_part
    WHERE encounter_id = $1 AND seq = ANY ($2)
    ORDER BY seq, kind DESC, audience COLLATE "C"
"""
_BODIES_AT: Final = """
    SELECT seq, body FROM event WHERE encounter_id = $1 AND seq = ANY ($2) ORDER BY seq
"""
_BODIES: Final = """
    SELECT seq, base, body FROM event
    WHERE encounter_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
"""
_PART_BODIES: Final = """
    SELECT seq, kind, audience, body FROM event_part
    WHERE encounter_id = $1 AND seq >= $2 AND seq <= $3 AND body IS NOT NULL
"""
# Text that is due to be erased is as good as gone.
_TEXTS: Final = """
    SELECT seq, body FROM event_part p
    WHERE encounter_id = $1 AND seq = ANY ($2) AND kind = 'text' AND audience = ANY ($3)
        AND body IS NOT NULL AND NOT EXISTS (
            SELECT FROM due_erasure d WHERE d.encounter_id = p.encounter_id AND d.seq = p.seq
        )
"""
_REWINDS: Final = """
    SELECT seq, base FROM event
    WHERE encounter_id = $1 AND base <> seq - 1 AND seq > $2
    ORDER BY seq
"""
_COMMAND: Final = """
    SELECT principal, idempotency_key, fingerprint, first_seq, last_seq
    FROM command_under_key($1, $2, $3)
"""
# One statement sees one moment: a log that grows meanwhile has no rows beyond its head.
BEYOND_HEAD: Final = """
    SELECT e.head_seq, e.head_hash, least(event.first, part.first) AS first
    FROM encounter e, LATERAL (
        SELECT min(v.seq) AS first FROM event v WHERE v.encounter_id = e.id AND v.seq > e.head_seq
    ) event, LATERAL (
        SELECT min(p.seq) AS first FROM event_part p
        WHERE p.encounter_id = e.id AND p.seq > e.head_seq
    ) part
    WHERE e.id = $1
"""
_BLOBS: Final = """
    SELECT b.digest, b.body FROM encounter_blob u JOIN blob b USING (digest)
    WHERE u.encounter_id = $1 AND ($2::bytea IS NULL OR u.digest = $2) ORDER BY b.digest
"""
_BLOB_DIGESTS: Final = """
    SELECT digest FROM encounter_blob WHERE encounter_id = $1 ORDER BY digest
"""
_SEALED: Final = "SELECT seed, seal_key FROM secret WHERE encounter_id = $1"
_SEATS: Final = """
    SELECT id, role, name, token_hash FROM seat
    WHERE encounter_id = $1 AND revoked_at IS NULL ORDER BY id COLLATE "C"
"""
_KEY_TENANT: Final = "SELECT tenant FROM api_key WHERE id = $1"
_DUE_ERASURES: Final = "SELECT seq FROM due_erasure WHERE encounter_id = $1 ORDER BY seq"
_HALF_ERASED: Final = """
    SELECT DISTINCT encounter_id FROM due_erasure WHERE encounter_id > $1
    ORDER BY encounter_id LIMIT $2
"""
_TOMBSTONE: Final = """
    SELECT encounter_id, tenant, head_seq, head_hash, deleted_at FROM tombstone
    WHERE encounter_id = $1
"""


class Log:
    """Queries what is committed. Everything raises DatabaseAway or DatabaseSlow when it cannot."""

    def __init__(self, pool: Queries) -> None:
        self._pool = pool

    async def head(self, encounter_id: UUID) -> EncounterRow | None:
        """The encounter's row, None if there is none."""
        row = await self._pool.fetch_row(_HEAD, encounter_id)
        return EncounterRow(**row) if row else None

    async def encounters(
        self, tenant: UUID, *, after: Cursor | None = None, limit: int
    ) -> tuple[EncounterRow, ...]:
        """A page of a tenant's encounters, oldest first."""
        rows = (
            await self._pool.fetch(_ENCOUNTERS, tenant, limit)
            if after is None
            else await self._pool.fetch(
                _ENCOUNTERS_AFTER, tenant, limit, after.created_at, after.id
            )
        )
        return tuple(EncounterRow(**row) for row in rows)

    async def running(
        self, tenant: UUID, *, after: Cursor | None = None, limit: int
    ) -> tuple[EncounterRow, ...]:
        """A page of a tenant's encounters that are under way, oldest first."""
        place = (None, None) if after is None else (after.created_at, after.id)
        rows = await self._pool.fetch(_RUNNING, tenant, limit, *place)
        return tuple(EncounterRow(**row) for row in rows)

    async def events(
        self,
        encounter_id: UUID,
        *,
        after: int = 0,
        until: int = LAST_SEQ,
        limit: int,
        audiences: Sequence[str] | None = (),
    ) -> tuple[StoredEvent, ...]:
        """The first `limit` events with after < seq <= until, in order.

        `audiences` says whose parts come along: none by default, all for None. Rights
        are not checked here.
        """
        rows = await self._pool.fetch(_EVENTS, encounter_id, after, until, limit)
        if not rows:
            return ()
        span = (rows[0]["seq"], rows[-1]["seq"])
        return _with_parts(rows, await self._parts(encounter_id, span, audiences))

    async def events_at(self, encounter_id: UUID, seqs: Sequence[int]) -> tuple[StoredEvent, ...]:
        """These events with all their parts, in order, as far as there are such."""
        if not seqs:
            return ()
        rows = await self._pool.fetch(_EVENTS_AT, encounter_id, seqs)
        return _with_parts(rows, await self._pool.fetch(_PARTS_AT, encounter_id, seqs))

    async def bodies_at(
        self, encounter_id: UUID, seqs: Sequence[int]
    ) -> tuple[tuple[int, bytes], ...]:
        """(seq, body) of these events without their parts, in order, as far as there are such."""
        if not seqs:
            return ()
        rows = await self._pool.fetch(_BODIES_AT, encounter_id, seqs)
        return tuple((row["seq"], row["body"]) for row in rows)

    async def bodies(
        self, encounter_id: UUID, *, after: int, until: int, limit: int
    ) -> tuple[EventBody, ...]:
        """The first `limit` events with after < seq <= until, in order, as a fold reads them."""
        rows = await self._pool.fetch(_BODIES, encounter_id, after, until, limit)
        if not rows:
            return ()
        parts: dict[int, dict[PartName, bytes]] = {}
        span = (rows[0]["seq"], rows[-1]["seq"])
        for seq, kind, audience, body in await self._pool.fetch(_PART_BODIES, encounter_id, *span):
            parts.setdefault(seq, {})[kind, audience] = body
        return tuple([EventBody(seq, base, body, parts.get(seq, {})) for seq, base, body in rows])

    async def texts(
        self, encounter_id: UUID, seqs: Sequence[int], audiences: Sequence[str]
    ) -> tuple[tuple[int, bytes], ...]:
        """(seq, body) of the text parts of these events for these audiences, in no order.

        Erased text is left out, and what is due to be erased. Rights are not checked here.
        """
        rows = await self._pool.fetch(_TEXTS, encounter_id, seqs, audiences)
        return tuple([(row["seq"], row["body"]) for row in rows])

    async def rewinds(self, encounter_id: UUID, after: int = 0) -> tuple[tuple[int, int], ...]:
        """(seq, base) of every event that does not continue the one before it, in order.

        Only those behind event `after` are read.
        """
        rows = await self._pool.fetch(_REWINDS, encounter_id, after)
        return tuple((row["seq"], row["base"]) for row in rows)

    async def command(self, encounter_id: UUID, principal: str, key: str) -> Command | None:
        """What a principal did under an idempotency key, None if nothing yet."""
        row = await self._pool.fetch_row(_COMMAND, encounter_id, principal, key)
        return command_of(row) if row else None

    async def created(self, principal: str, key: str) -> CreationRepeated | None:
        """What a principal created under an idempotency key, None if nothing yet."""
        row = await self._pool.fetch_row(CREATED, principal, key)
        return CreationRepeated(**row) if row else None

    async def beyond_head(self, encounter_id: UUID) -> int | None:
        """The first seq behind the head that has rows; None in a sound log.

        No append leaves such rows: a head that was moved back does, or rows written by hand.
        """
        row = await self._pool.fetch_row(BEYOND_HEAD, encounter_id)
        return row["first"] if row else None

    async def blobs(self, encounter_id: UUID) -> tuple[Blob, ...]:
        """All blobs of an encounter, by digest."""
        rows = await self._pool.fetch(_BLOBS, encounter_id, None)
        return tuple(Blob(**row) for row in rows)

    async def blob_digests(self, encounter_id: UUID) -> tuple[bytes, ...]:
        """The digests of all blobs of an encounter, in order."""
        rows = await self._pool.fetch(_BLOB_DIGESTS, encounter_id)
        return tuple(row["digest"] for row in rows)

    async def blob(self, encounter_id: UUID, digest: bytes) -> Blob | None:
        """One blob, if this encounter uses it."""
        row = await self._pool.fetch_row(_BLOBS, encounter_id, digest)
        return Blob(**row) if row else None

    async def secret(self, encounter_id: UUID) -> Secret | None:
        """The seed and the seal key."""
        row = await self._pool.fetch_row(_SEALED, encounter_id)
        return Secret(**row) if row else None

    async def key_tenant(self, key_id: UUID) -> UUID | None:
        """Whose an API key is, or was before it was revoked; None if there never was such."""
        row = await self._pool.fetch_row(_KEY_TENANT, key_id)
        return row["tenant"] if row else None

    async def seats(self, encounter_id: UUID) -> tuple[SeatRow, ...]:
        """The seats that are not revoked, by id."""
        rows = await self._pool.fetch(_SEATS, encounter_id)
        return tuple(SeatRow(**row) for row in rows)

    async def due_erasures(self, encounter_id: UUID) -> tuple[int, ...]:
        """The seqs whose text the log says is erased while it may still be there."""
        rows = await self._pool.fetch(_DUE_ERASURES, encounter_id)
        return tuple(row["seq"] for row in rows)

    async def half_erased(self, *, after: UUID, limit: int) -> tuple[UUID, ...]:
        """Encounters with such seqs, by id."""
        rows = await self._pool.fetch(_HALF_ERASED, after, limit)
        return tuple(row["encounter_id"] for row in rows)

    async def tombstone(self, encounter_id: UUID) -> Tombstone | None:
        """What is left of a deleted encounter, None if it was not deleted."""
        row = await self._pool.fetch_row(_TOMBSTONE, encounter_id)
        return Tombstone(**row) if row else None

    async def _parts(
        self, encounter_id: UUID, span: tuple[int, int], audiences: Sequence[str] | None
    ) -> Sequence[Row]:
        if audiences is not None and not audiences:
            return ()
        return await self._pool.fetch(_PARTS, encounter_id, *span, audiences)


def _with_parts(events: Sequence[Row], parts: Sequence[Row]) -> tuple[StoredEvent, ...]:
    by_seq: dict[int, list[StoredPart]] = {}
    for row in parts:
        by_seq.setdefault(row["seq"], []).append(
            StoredPart(
                audience=row["audience"],
                kind=row["kind"],
                salt=row["salt"] or b"",
                body=row["body"],
            )
        )
    return tuple([StoredEvent(**row, parts=tuple(by_seq.get(row["seq"], ()))) for row in events])


def command_of(row: Row) -> Command:
    """A row of `command` as a value."""
    return Command(
        principal=row["principal"],
        key=row["idempotency_key"],
        fingerprint=row["fingerprint"],
        first_seq=row["first_seq"],
        last_seq=row["last_seq"],
    )
