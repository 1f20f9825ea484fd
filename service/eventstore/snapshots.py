"""Snapshots: states along a log, as bytes of one engine version. Disposable, never trusted.

A snapshot may hold text, so one made from a log read before an erasure must not be stored after
it. The state's maker names the count of erasures it read; the row is locked against the eraser
(not against appends) while the count is compared and the snapshot stored.
"""

from typing import Final
from uuid import UUID

from service.eventstore.connection import Database, Queries
from service.eventstore.records import Snapshot

_SEQS: Final = """
    SELECT seq FROM snapshot WHERE encounter_id = $1 AND engine_version = $2 ORDER BY seq
"""
_GET: Final = """
    SELECT seq, state, digest FROM snapshot
    WHERE encounter_id = $1 AND seq = $2 AND engine_version = $3
"""
_NEWEST: Final = """
    SELECT seq, state, digest FROM snapshot
    WHERE encounter_id = $1 AND seq <= $2 AND engine_version = $3 ORDER BY seq DESC LIMIT 1
"""
_PUT: Final = """
    INSERT INTO snapshot (encounter_id, seq, engine_version, state, digest)
    SELECT e.id, $2, $3, $4, $5 FROM encounter e
    WHERE e.id = $1 AND e.head_seq >= $2 AND e.erasures = $6
    FOR KEY SHARE
    ON CONFLICT (encounter_id, seq, engine_version) DO NOTHING
    RETURNING true
"""


class SnapshotReads:
    """Lists and reads snapshots."""

    def __init__(self, reads: Queries) -> None:
        self._reads = reads

    async def seqs(self, encounter_id: UUID, engine_version: str) -> tuple[int, ...]:
        """The seqs at which this engine version has a snapshot, in order."""
        rows = await self._reads.fetch(_SEQS, encounter_id, engine_version)
        return tuple(row["seq"] for row in rows)

    async def get(self, encounter_id: UUID, seq: int, engine_version: str) -> Snapshot | None:
        """The snapshot after `seq`; the caller compares the digest."""
        row = await self._reads.fetch_row(_GET, encounter_id, seq, engine_version)
        return Snapshot(**row) if row else None

    async def newest(self, encounter_id: UUID, until: int, engine_version: str) -> Snapshot | None:
        """The last snapshot up to `until`; the caller compares the digest."""
        row = await self._reads.fetch_row(_NEWEST, encounter_id, until, engine_version)
        return Snapshot(**row) if row else None


class Snapshots(SnapshotReads):
    """Lists, reads and stores snapshots."""

    def __init__(self, pool: Database) -> None:
        super().__init__(pool)
        self._pool = pool

    async def put(
        self, encounter_id: UUID, snapshot: Snapshot, *, engine_version: str, erasures: int
    ) -> bool:
        """Store a snapshot of a committed seq; whether it was stored.

        It was not if there is one already, if the encounter is gone, or if text was erased
        since its row showed `erasures`.
        """
        rows = await self._pool.write(
            _PUT,
            encounter_id,
            snapshot.seq,
            engine_version,
            snapshot.state,
            snapshot.digest,
            erasures,
        )
        return bool(rows)
