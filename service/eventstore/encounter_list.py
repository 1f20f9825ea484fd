"""The encounters of a tenant as a list: ordered, filtered, searched by their metadata.

How this works. A page starts behind a cursor, so that it costs the same however far in it is. Of
metadata only texts at the top are looked at, in a column of their own: the planner has statistics
of it, and takes the index where they are few.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.engine.vocabulary.values import Status
from service.eventstore.connection import Database
from service.eventstore.records import Cursor, EncounterEntry


class Selection(Struct, frozen=True, kw_only=True):
    """Which encounters, and in which order: the oldest first unless `newest_first`.

    `metadata` is a key at the top and the text that is there. What is None does not matter.
    """

    newest_first: bool = False
    status: Status | None = None
    ruleset: str | None = None
    metadata: tuple[str, str] | None = None


ALL: Final = Selection()
"""Every encounter, the oldest first."""

_ENTRIES: Final = """
    SELECT id, ruleset, version, status, head_seq, title, metadata, created_at
    FROM encounter WHERE
"""
_OLDEST: Final = "ORDER BY created_at, id LIMIT $2"
_NEWEST: Final = "ORDER BY created_at DESC, id DESC LIMIT $2"
_LOCK: Final = "SELECT FROM encounter WHERE id = $1 FOR NO KEY UPDATE"
_RESTATE: Final = """
    UPDATE encounter SET metadata = $3, metadata_seq = $2
    WHERE id = $1 AND metadata_seq < $2 AND EXISTS (
        SELECT FROM event_part
        WHERE encounter_id = $1 AND seq = $2 AND kind = 'text' AND audience = 'everyone'
            AND body IS NOT NULL
    )
"""


class Directory:
    """Lists encounters, and keeps what they are listed by."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def page(
        self, tenant: UUID, selection: Selection, *, after: Cursor | None, limit: int
    ) -> tuple[EncounterEntry, ...]:
        """The first encounters behind a cursor, at most `limit`."""
        place = () if after is None else (after.created_at, after.id)
        metadata = selection.metadata or ()
        named = (each for each in (selection.status, selection.ruleset) if each is not None)
        query = _query(_shape(selection, after))
        rows = await self._pool.fetch(query, tenant, limit, *place, *named, *metadata)
        return tuple(EncounterEntry(**row) for row in rows)

    async def restate_metadata(self, encounter_id: UUID, seq: int, metadata: bytes) -> None:
        """What event `seq` states of the encounter is its metadata, unless that was erased since.

        Nothing happens where a later event has stated them, or there is no such encounter.
        """
        async with self._pool.transaction() as session:
            await session.execute(_LOCK, encounter_id)
            await session.execute(_RESTATE, encounter_id, seq, metadata)


class _Shape(Struct, frozen=True):
    """What a query has to look at."""

    newest_first: bool
    has_place: bool
    has_status: bool
    has_ruleset: bool
    has_metadata: bool


def _shape(selection: Selection, after: Cursor | None) -> _Shape:
    return _Shape(
        selection.newest_first,
        after is not None,
        selection.status is not None,
        selection.ruleset is not None,
        selection.metadata is not None,
    )


@lru_cache(maxsize=32)
def _query(shape: _Shape) -> str:
    """The statement of this shape: one for each, since each may have another plan."""
    numbers = iter(range(3, 10))
    conditions = " AND ".join(("tenant = $1", *_conditions(shape, numbers)))
    return " ".join((_ENTRIES, conditions, _NEWEST if shape.newest_first else _OLDEST))


def _conditions(shape: _Shape, numbers: Iterator[int]) -> Iterator[str]:
    if shape.has_place:
        behind = "<" if shape.newest_first else ">"
        yield f"(created_at, id) {behind} (${next(numbers)}, ${next(numbers)})"
    if shape.has_status:
        yield f"status = ${next(numbers)}"
    if shape.has_ruleset:
        yield f"ruleset = ${next(numbers)}"
    if shape.has_metadata:
        member = f"jsonb_build_object(${next(numbers)}::text, ${next(numbers)}::text)"
        yield f"metadata_texts @> {member}"
