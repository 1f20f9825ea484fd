"""The ends of many logs at once: read again and again for encounters with followers."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.eventstore.connection import Database
from service.eventstore.records import StoredEvent, StoredPart

_HEADS: Final = """
    SELECT id, head_seq, head_hash, erasures FROM encounter WHERE id = ANY ($1::uuid[])
"""
_TAILS: Final = """
    SELECT w.id, e.seq, e.base, e.hash, e.body, e.commits, e.recorded_at
    FROM unnest($1::uuid[], $2::integer[]) AS w (id, after)
    CROSS JOIN LATERAL (
        SELECT seq, base, hash, body, commits, recorded_at FROM event
        WHERE encounter_id = w.id AND seq > w.after ORDER BY seq LIMIT $3
    ) AS e
    ORDER BY w.id, e.seq
"""
_PARTS: Final = """
    SELECT w.id, p.seq, p.audience, p.kind, p.salt, p.body
    FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS w (id, first, last)
    JOIN event_part AS p ON p.encounter_id = w.id AND p.seq BETWEEN w.first AND w.last
    ORDER BY w.id, p.seq, p.kind DESC, p.audience COLLATE "C"
"""


class Head(Struct, frozen=True, kw_only=True):
    """Where a log ends, and how often text of it was erased."""

    id: UUID
    head_seq: int
    head_hash: bytes
    erasures: int


class Tails:
    """Reads what is committed. Everything raises DatabaseAway or DatabaseSlow when it cannot."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def heads(self, encounters: Sequence[UUID]) -> dict[UUID, Head]:
        """The ends of these logs; an encounter that does not exist is left out."""
        rows = await self._pool.fetch(_HEADS, encounters)
        return {row["id"]: Head(**row) for row in rows}

    async def behind(
        self, places: Mapping[UUID, int], limit: int
    ) -> dict[UUID, tuple[StoredEvent, ...]]:
        """The first `limit` events behind a seq of each log, in order, with all their parts.

        A log that has none behind it is left out.
        """
        rows = await self._pool.fetch(_TAILS, list(places), list(places.values()), limit)
        if not rows:
            return {}
        spans: dict[UUID, tuple[int, int]] = {}
        for row in rows:
            first, _ = spans.get(row["id"], (row["seq"], 0))
            spans[row["id"]] = (first, row["seq"])
        parts = await self._parts(spans)
        tails: dict[UUID, list[StoredEvent]] = {encounter: [] for encounter in spans}
        for row in rows:
            encounter, *event = row.values()
            seq, base, digest, body, commits, moment = event
            tails[encounter].append(
                StoredEvent(
                    seq=seq,
                    base=base,
                    hash=digest,
                    body=body,
                    commits=commits,
                    recorded_at=moment,
                    parts=tuple(parts.get((encounter, seq), ())),
                )
            )
        return {encounter: tuple(tail) for encounter, tail in tails.items()}

    async def _parts(
        self, spans: Mapping[UUID, tuple[int, int]]
    ) -> dict[tuple[UUID, int], list[StoredPart]]:
        firsts = [first for first, _ in spans.values()]
        lasts = [last for _, last in spans.values()]
        parts: dict[tuple[UUID, int], list[StoredPart]] = {}
        for row in await self._pool.fetch(_PARTS, list(spans), firsts, lasts):
            parts.setdefault((row["id"], row["seq"]), []).append(
                StoredPart(
                    audience=row["audience"],
                    kind=row["kind"],
                    salt=row["salt"] or b"",
                    body=row["body"],
                )
            )
        return parts
