"""Erasing text and deleting encounters, in the role that alone may do it.

The chain still verifies after an erasure: what is hashed are commitments, and of a text part
its salt and bytes go, the row stays. With the text go all copies: snapshots, and fingerprints
of the requests that brought it.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from service.eventstore.connection import Database
from service.eventstore.records import Tombstone

# Waits for snapshots that are being stored, and keeps new ones out until the count is up.
_LOCK: Final = "SELECT FROM encounter WHERE id = $1 FOR UPDATE"
_EMPTY_PARTS: Final = """
    UPDATE event_part SET salt = NULL, body = NULL
    WHERE encounter_id = $1 AND seq <= $2 AND ($3::integer[] IS NULL OR seq = ANY ($3))
        AND kind = 'text' AND body IS NOT NULL
    RETURNING seq
"""
_FORGET_REQUESTS: Final = """
    UPDATE command SET fingerprint = ''
    WHERE encounter_id = $1 AND first_seq <= $2
        AND ($3::integer[] IS NULL
            OR EXISTS (SELECT FROM unnest($3) s WHERE s BETWEEN first_seq AND last_seq))
"""
_FORGET_CREATION: Final = "UPDATE creation SET fingerprint = '' WHERE encounter_id = $1"
_DROP_SNAPSHOTS: Final = "DELETE FROM snapshot WHERE encounter_id = $1"
_DONE: Final = """
    DELETE FROM due_erasure
    WHERE encounter_id = $1 AND seq <= $2 AND ($3::integer[] IS NULL OR seq = ANY ($3))
"""
_COUNT: Final = """
    UPDATE encounter
    SET erasures = erasures + 1,
        title = CASE WHEN 1 <= $2 AND ($3::integer[] IS NULL OR 1 = ANY ($3))
            THEN NULL ELSE title END,
        metadata = CASE WHEN metadata_seq <= $2
            AND ($3::integer[] IS NULL OR metadata_seq = ANY ($3)) THEN NULL ELSE metadata END
    WHERE id = $1
"""
_DELETE: Final = """
    SELECT encounter_id, tenant, head_seq, head_hash, deleted_at FROM delete_encounter($1)
"""


class Eraser:
    """Deletes encounters and erases text. Rights are not checked here."""

    def __init__(self, erasing: Database) -> None:
        self._erasing = erasing

    async def erase_text(
        self, encounter_id: UUID, *, until: int, seqs: Sequence[int] | None = None
    ) -> int:
        """Empty the text parts of the events with seq <= until, or of those of `seqs` among them.

        Returns how many parts were emptied; doing it again empties none and is harmless. With
        event 1 goes the encounter's title, with the event that stated them its metadata.
        """
        async with self._erasing.transaction() as session:
            await session.execute(_LOCK, encounter_id)
            emptied = await session.fetch(_EMPTY_PARTS, encounter_id, until, seqs)
            await session.execute(_FORGET_REQUESTS, encounter_id, until, seqs)
            if until >= 1 and (seqs is None or 1 in seqs):
                await session.execute(_FORGET_CREATION, encounter_id)
            await session.execute(_DROP_SNAPSHOTS, encounter_id)
            await session.execute(_DONE, encounter_id, until, seqs)
            await session.execute(_COUNT, encounter_id, until, seqs)
        return len(emptied)

    async def delete_encounter(self, encounter_id: UUID) -> Tombstone | None:
        """Delete an encounter with everything that is its own, but for a tombstone.

        Deleting again gives the same tombstone; None if there never was such an encounter.
        """
        rows = await self._erasing.write(_DELETE, encounter_id)
        return Tombstone(**rows[0]) if rows else None
