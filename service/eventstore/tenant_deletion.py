"""Deleting a tenant, step by step, in the role that alone may erase.

Each step is one short transaction and may be repeated. A process that ends between two of them
leaves a tenant that can do nothing any more, and the next call resumes where this one stopped.
"""

from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from service.eventstore.connection import Database

_RETIRE: Final = "SELECT retire_tenant($1) AS is_there"
_COUNT: Final = "SELECT count(*) AS count FROM encounter WHERE tenant = $1"
_NEXT: Final = "SELECT id, head_seq FROM encounter WHERE tenant = $1 ORDER BY id LIMIT $2"
_DELETE: Final = """
    SELECT count(t.encounter_id) AS count
    FROM unnest($1::uuid[]) AS d (id), delete_encounter(d.id) AS t
"""
_FORGET: Final = "SELECT forget_tenant($1, $2) AS forgotten"

BATCH = 50
BATCH_EVENTS = 2_000
"""So many encounters are deleted in one transaction at most, and so many events: but always one."""

FORGOTTEN = 5_000
"""Keys of creations that are taken away in one transaction."""


class Retirer:
    """Deletes tenants. Rights are not checked here."""

    def __init__(self, erasing: Database) -> None:
        self._erasing = erasing

    async def retire(self, tenant: UUID) -> int | None:
        """End its keys and keep it from creating anything; how many encounters it has.

        None if there never was such a tenant. Waits for creations on their way; raises
        DatabaseSlow if one takes too long.
        """
        [row] = await self._erasing.write(_RETIRE, tenant)
        if not row["is_there"]:
            return None
        [row] = await self._erasing.fetch(_COUNT, tenant)
        return int(row["count"])

    async def delete_encounters(self, tenant: UUID) -> AsyncIterator[int]:
        """Delete those of a retired tenant; how many went, after each transaction."""
        while rows := await self._erasing.fetch(_NEXT, tenant, BATCH):
            batch: list[UUID] = []
            events = 0
            for row in rows:
                events += row["head_seq"]
                if batch and events > BATCH_EVENTS:
                    break
                batch.append(row["id"])
            [done] = await self._erasing.write(_DELETE, batch)
            yield int(done["count"])

    async def forget(self, tenant: UUID) -> None:
        """Take away what still names a retired tenant without encounters: keys and names."""
        while True:
            [row] = await self._erasing.write(_FORGET, tenant, FORGOTTEN)
            if row["forgotten"] < FORGOTTEN:
                return
