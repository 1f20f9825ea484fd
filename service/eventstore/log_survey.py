"""All logs of a database, whoever owns them, in the order of their ids."""

from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.eventstore.connection import Queries
from service.eventstore.records import EncounterRow

FIRST: Final = UUID(int=0)
"""Stands before every id."""

_ROWS: Final = """
    SELECT id, tenant, ruleset, version, status, head_seq, head_hash, title, created_at, erasures
    FROM encounter e WHERE id > $1 AND ($2::text IS NULL OR ruleset = $2)
"""
# A log whose last event is missing is left to those who look into it.
_SINCE: Final = """
    AND coalesce((
        SELECT recorded_at FROM event last
        WHERE last.encounter_id = e.id AND last.seq = e.head_seq
    ) >= $4, true)
"""
_ORDER: Final = "ORDER BY id LIMIT $3"


class LogSelection(Struct, frozen=True, kw_only=True):
    """Which logs: those of one ruleset, those whose last event is not older than `since` (aware).

    What is None does not matter.
    """

    ruleset: str | None = None
    since: datetime | None = None


class LogSurvey:
    """Lists logs. Raises DatabaseAway or DatabaseSlow when it cannot."""

    def __init__(self, reads: Queries) -> None:
        self._reads = reads

    async def page(
        self, selection: LogSelection, *, after: UUID = FIRST, limit: int
    ) -> tuple[EncounterRow, ...]:
        """The first logs behind an id, at most `limit`."""
        if selection.since is None:
            rows = await self._reads.fetch(_ROWS + _ORDER, after, selection.ruleset, limit)
        else:
            rows = await self._reads.fetch(
                _ROWS + _SINCE + _ORDER, after, selection.ruleset, limit, selection.since
            )
        return tuple(EncounterRow(**row) for row in rows)
