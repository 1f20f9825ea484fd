"""Which seeds are to be revealed because nobody touched their encounter for long."""

from datetime import datetime
from typing import Final
from uuid import UUID

from service.eventstore.connection import Database

_OVERDUE: Final = """
    SELECT s.encounter_id
    FROM sealed_seed s
    JOIN encounter e ON e.id = s.encounter_id
    JOIN event last ON last.encounter_id = e.id AND last.seq = e.head_seq
    WHERE s.encounter_id > $2 AND e.status <> 'setup'
        AND last.recorded_at < $1::timestamptz - make_interval(days => s.reveal_by_days)
    ORDER BY s.encounter_id LIMIT $3
"""
_REVEALED: Final = "DELETE FROM sealed_seed WHERE encounter_id = $1"


class Seeds:
    """Lists overdue seeds, and strikes out those that are known."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def overdue(self, now: datetime, *, after: UUID, limit: int) -> tuple[UUID, ...]:
        """Encounters past their setup whose last event is older than event 1 allows, by id."""
        rows = await self._pool.fetch(_OVERDUE, now, after, limit)
        return tuple(row["encounter_id"] for row in rows)

    async def revealed(self, encounter_id: UUID) -> None:
        """The log says what the seed was: there is nothing to wait for."""
        await self._pool.write(_REVEALED, encounter_id)
