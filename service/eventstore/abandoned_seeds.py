"""Seeds that are to be revealed because their encounter had no event for long.

Time is the database's, as for everything that was recorded: one machine whose clock is wrong must
not end battles, since nothing takes a seed back.
"""

from typing import Final
from uuid import UUID

from service.eventstore.connection import Database
from service.eventstore.records import Overdue

_OVERDUE: Final = """
    SELECT s.encounter_id, e.head_seq, e.head_hash
    FROM sealed_seed s
    JOIN encounter e ON e.id = s.encounter_id
    JOIN event last ON last.encounter_id = e.id AND last.seq = e.head_seq
    WHERE s.encounter_id > $1 AND e.status <> 'setup'
        AND e.created_at < now() - make_interval(days => s.reveal_by_days)
        AND last.recorded_at < now() - make_interval(days => s.reveal_by_days)
    ORDER BY s.encounter_id LIMIT $2
"""
_REVEALED: Final = "DELETE FROM sealed_seed WHERE encounter_id = $1"


class Seeds:
    """Lists overdue seeds, and strikes out those that are known."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def overdue(self, *, after: UUID, limit: int) -> tuple[Overdue, ...]:
        """Encounters past their setup whose last event is older than event 1 allows, by id."""
        rows = await self._pool.fetch(_OVERDUE, after, limit)
        return tuple(Overdue(**row) for row in rows)

    async def revealed(self, encounter_id: UUID) -> None:
        """The log says what the seed was: there is nothing to wait for."""
        await self._pool.write(_REVEALED, encounter_id)
