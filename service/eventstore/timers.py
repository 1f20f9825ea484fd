"""The clocks of encounters whose decisions or turns have a limit: what is due, paused, extended.

How this works. The row of a clock says when the next deadline of its encounter is over, as worked
out on the log up to `seq`. It is a cache: before a deadline is acted on it is worked out again from
the log, the pauses and the extensions, by the time of the database alone. A process that finds a
clock due or stale claims it for LEASE_SECONDS, so that not all of them do the same work; if it
ends meanwhile, another one finds it then.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.errors import NotFound
from service.eventstore.connection import Database, Row

LEASE_SECONDS: Final = 5.0

MOST_PAUSES: Final = 100
MOST_CHANGES: Final = 100
"""So many pauses and extensions of one encounter are kept: the latest pauses."""


class ClockPause(Struct, frozen=True, kw_only=True):
    """A pause that is over."""

    paused_at: datetime
    resumed_at: datetime


class Clock(Struct, frozen=True, kw_only=True):
    """What was done to the clock of an encounter, read at `now`, the time of the database.

    `pauses` are in order of their beginning; `extra_ms` is what single deadlines were given.
    `changes` distinguishes one such state of the clock from every other.
    """

    now: datetime
    changes: int
    paused_at: datetime | None = None
    pauses: tuple[ClockPause, ...] = ()
    extra_ms: Mapping[str, int]


class Moment(Struct, frozen=True, kw_only=True):
    """What there is to know of an event for a deadline.

    `rewound_by` is the role of the caller of a rewind, None if the event is no rewind.
    """

    seq: int
    base: int
    hash: bytes
    recorded_at: datetime
    begins_turn: bool
    rewound_by: str | None


class ClockRequest(Struct, frozen=True, kw_only=True):
    """A request to change a clock: whose (`principal`), under which key, and of which body."""

    encounter_id: UUID
    principal: str
    key: str
    fingerprint: bytes


class ClockChange(Struct, frozen=True, kw_only=True):
    """What becomes of a clock: paused or running, and the new extra time of single deadlines."""

    is_paused: bool
    extra_ms: Mapping[str, int]


_BEGIN: Final = """
    INSERT INTO clock (encounter_id) SELECT id FROM encounter WHERE id = $1 FOR KEY SHARE
    ON CONFLICT DO NOTHING
"""
_CLOCK: Final = """
    SELECT clock_timestamp() AS now, coalesce(c.changes, 0) AS changes, c.paused_at,
        ARRAY(SELECT p.paused_at FROM clock_pause p WHERE p.encounter_id = c.encounter_id
            ORDER BY p.paused_at) AS paused,
        ARRAY(SELECT p.resumed_at FROM clock_pause p WHERE p.encounter_id = c.encounter_id
            ORDER BY p.paused_at) AS resumed,
        ARRAY(SELECT x.subject FROM clock_change x WHERE x.encounter_id = c.encounter_id
            ORDER BY x.subject COLLATE "C") AS subjects,
        ARRAY(SELECT x.extra_ms FROM clock_change x WHERE x.encounter_id = c.encounter_id
            ORDER BY x.subject COLLATE "C") AS extras
    FROM (SELECT $1::uuid AS encounter_id) e LEFT JOIN clock c USING (encounter_id)
"""
# A key of JSON is in a text only as what it is: quotes inside of one are escaped.
_MOMENTS: Final = """
    SELECT seq, base, hash, recorded_at,
        body::text ~ '"type":"turn_(began|ended)"' AS begins_turn,
        CASE WHEN strpos(body::text, '"type":"rewound"') > 0 THEN body -> 'by' ->> 'role' END
            AS rewound_by
    FROM event WHERE encounter_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT $3
"""
_WIND: Final = """
    UPDATE clock SET seq = $2, due = $3
    WHERE encounter_id = $1 AND changes = $4 AND seq <= $2
"""
_END: Final = """
    WITH gone AS (DELETE FROM clock WHERE encounter_id = $1 RETURNING encounter_id),
    pauses AS (DELETE FROM clock_pause p USING gone g WHERE p.encounter_id = g.encounter_id)
    DELETE FROM clock_change x USING gone g WHERE x.encounter_id = g.encounter_id
"""
# Rows that another process is claiming are skipped, so that processes share the work.
_DUE: Final = """
    WITH due AS MATERIALIZED (
        SELECT encounter_id FROM clock WHERE due <= clock_timestamp()
        ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    UPDATE clock c SET due = clock_timestamp() + make_interval(secs => $1)
    FROM due WHERE c.encounter_id = due.encounter_id RETURNING c.encounter_id
"""
# What is due within a lease is found soon anyway, and so is what was claimed just now.
_STALE: Final = """
    WITH stale AS MATERIALIZED (
        SELECT k.encounter_id FROM clock k
        JOIN encounter e ON e.id = k.encounter_id AND e.head_seq > k.seq
        JOIN event last ON last.encounter_id = e.id AND last.seq = e.head_seq
        WHERE last.recorded_at <= clock_timestamp() - make_interval(secs => $3)
            AND (k.due IS NULL OR k.due > clock_timestamp() + make_interval(secs => $1))
        LIMIT $2 FOR UPDATE OF k SKIP LOCKED
    )
    UPDATE clock c SET due = clock_timestamp() + make_interval(secs => $1)
    FROM stale WHERE c.encounter_id = stale.encounter_id RETURNING c.encounter_id
"""
_STAMPS: Final = """
    SELECT encounter_id, changes, seq FROM clock WHERE encounter_id = ANY ($1::uuid[])
"""
# Taken before anything of the clock is read: changes of one clock happen one after the other.
_LOCK: Final = "SELECT true FROM clock WHERE encounter_id = $1 FOR UPDATE"
_REQUESTED: Final = """
    SELECT fingerprint FROM clock_command
    WHERE encounter_id = $1 AND principal = $2 AND idempotency_key = $3
"""
_REQUEST: Final = """
    INSERT INTO clock_command (encounter_id, principal, idempotency_key, fingerprint)
    VALUES ($1, $2, $3, $4)
"""
_CHANGED: Final = """
    UPDATE clock SET seq = 0, due = NULL, changes = changes + 1,
        paused_at = CASE WHEN $2 THEN coalesce(paused_at, clock_timestamp()) END
    WHERE encounter_id = $1
"""
# A clock that was set back must not make a pause end before it began.
_RESUME: Final = """
    INSERT INTO clock_pause (encounter_id, paused_at, resumed_at)
    SELECT encounter_id, paused_at, greatest(paused_at, clock_timestamp())
    FROM clock WHERE encounter_id = $1 AND paused_at IS NOT NULL
    ON CONFLICT (encounter_id, paused_at)
        DO UPDATE SET resumed_at = greatest(clock_pause.resumed_at, excluded.resumed_at)
"""
_FORGET_PAUSES: Final = """
    DELETE FROM clock_pause WHERE encounter_id = $1 AND paused_at NOT IN (
        SELECT paused_at FROM clock_pause WHERE encounter_id = $1
        ORDER BY paused_at DESC LIMIT $2
    )
"""
_EXTEND: Final = """
    INSERT INTO clock_change (encounter_id, subject, extra_ms)
    SELECT $1, x.* FROM unnest($2::text[], $3::bigint[]) AS x
    ON CONFLICT (encounter_id, subject) DO UPDATE SET extra_ms = excluded.extra_ms
"""
_FORGET_CHANGES: Final = """
    DELETE FROM clock_change WHERE encounter_id = $1 AND subject <> ALL ($2::text[])
        AND (SELECT count(*) FROM clock_change WHERE encounter_id = $1) > $3
"""


class ClockRows:
    """Reads, winds, claims and changes clocks."""

    def __init__(self, pool: Database) -> None:
        self._pool = pool

    async def begin(self, encounter_id: UUID) -> None:
        """Make the clock of an encounter if it has none; one that nothing is due by is harmless."""
        await self._pool.write(_BEGIN, encounter_id)

    async def clock(self, encounter_id: UUID) -> Clock:
        """What was done to the clock of an encounter: to one that is not there, nothing."""
        [row] = await self._pool.fetch(_CLOCK, encounter_id)
        return _clock_of(row)

    async def moments(self, encounter_id: UUID, until: int, limit: int) -> tuple[Moment, ...]:
        """The last `limit` events with seq <= until, the latest first."""
        rows = await self._pool.fetch(_MOMENTS, encounter_id, until, limit)
        return tuple(Moment(**row) for row in rows)

    async def wind(
        self, encounter_id: UUID, *, seq: int, due: datetime | None, changes: int
    ) -> None:
        """Note what is due next after event `seq`, unless more is known by now.

        `changes` is that of the clock by which it was worked out.
        """
        await self._pool.write(_WIND, encounter_id, seq, due, changes)

    async def end(self, encounter_id: UUID) -> None:
        """Take away the clock of an encounter in which nothing will be due any more."""
        await self._pool.write(_END, encounter_id)

    async def due(self, *, limit: int) -> tuple[UUID, ...]:
        """Claim encounters in which something is due."""
        rows = await self._pool.write(_DUE, LEASE_SECONDS, limit)
        return tuple(row["encounter_id"] for row in rows)

    async def stale(self, *, limit: int, older_seconds: float) -> tuple[UUID, ...]:
        """Claim encounters whose last event is so old and whose clock does not know it yet."""
        rows = await self._pool.write(_STALE, LEASE_SECONDS, limit, older_seconds)
        return tuple(row["encounter_id"] for row in rows)

    async def stamps(self, encounters: Sequence[UUID]) -> dict[UUID, tuple[int, int]]:
        """What is another after every change of a clock and after every event; by encounter."""
        rows = await self._pool.fetch(_STAMPS, encounters)
        return {row["encounter_id"]: (row["changes"], row["seq"]) for row in rows}

    async def requested(self, encounter_id: UUID, principal: str, key: str) -> bytes | None:
        """The fingerprint of the request that changed the clock under this key, if one did."""
        row = await self._pool.fetch_row(_REQUESTED, encounter_id, principal, key)
        return bytes(row["fingerprint"]) if row else None

    async def change(
        self, request: ClockRequest, decide: Callable[[Clock], ClockChange], open_subjects: set[str]
    ) -> bytes | None:
        """Change a clock, once per key: None, or the fingerprint of what its key did before.

        `decide` is called with the clock while it is locked against other changes. Extensions of
        `open_subjects` stay; others go when there are too many. Raises
        NotFound("unknown_encounter") and whatever `decide` raises.
        """
        encounter = request.encounter_id
        async with self._pool.transaction() as session:
            await session.execute(_BEGIN, encounter)
            if not await session.fetch(_LOCK, encounter):
                raise NotFound("unknown_encounter", encounter=str(encounter))
            request_key = (encounter, request.principal, request.key)
            earlier = await session.fetchrow(_REQUESTED, *request_key)
            if earlier is not None:
                return bytes(earlier["fingerprint"])
            # A separate statement: what was read with the lock may be older than the lock.
            [row] = await session.fetch(_CLOCK, encounter)
            change = decide(_clock_of(row))
            if not change.is_paused:
                await session.execute(_RESUME, encounter)
                await session.execute(_FORGET_PAUSES, encounter, MOST_PAUSES)
            extra = change.extra_ms
            await session.execute(_EXTEND, encounter, list(extra), list(extra.values()))
            kept = list(open_subjects | extra.keys())
            await session.execute(_FORGET_CHANGES, encounter, kept, MOST_CHANGES)
            await session.execute(_CHANGED, encounter, change.is_paused)
            await session.execute(_REQUEST, *request_key, request.fingerprint)
        return None


def _clock_of(row: Row) -> Clock:
    pauses = zip(row["paused"], row["resumed"], strict=True)
    return Clock(
        now=row["now"],
        changes=row["changes"],
        paused_at=row["paused_at"],
        pauses=tuple(ClockPause(paused_at=start, resumed_at=end) for start, end in pauses),
        extra_ms=dict(zip(row["subjects"], row["extras"], strict=True)),
    )
