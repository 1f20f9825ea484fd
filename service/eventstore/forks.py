"""How many forks a battle may have, counted where a further one is stored.

How this works. Forks of forks count with those of the battle that was played first, ended ones too:
a fork counts until it is deleted. Whoever stores one holds a lock of that battle until the end of
the transaction, so that two at once do not both take the last place. What a seat makes in a day is
counted apart, so that deleting brings back no part of it.
"""

from typing import Final
from uuid import UUID

from service.errors import ConflictingRequest, TooMany
from service.eventstore.connection import Session
from service.eventstore.records import NewEncounter, NewFork

_ORIGIN: Final = "SELECT coalesce((SELECT origin FROM fork WHERE encounter_id = $1), $1) AS origin"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('fork ' || $1::text, 0))"
_KEPT: Final = """
    SELECT count(*) AS of_all, count(*) FILTER (WHERE f.account = $2) AS of_account
    FROM fork f JOIN encounter e ON e.id = f.encounter_id
    WHERE f.origin = $1
"""
_FORK: Final = "INSERT INTO fork (encounter_id, origin, account) VALUES ($1, $2, $3)"
# The battle that was played first may be deleted: its forks go on, and the one forked counts.
_TODAY: Final = """
    INSERT INTO fork_day AS d (encounter_id, account, day, forks)
    SELECT coalesce((SELECT id FROM encounter WHERE id = $1), $2), $3, t.today, 1
    FROM (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today) t
    ON CONFLICT (encounter_id, account) DO UPDATE
    SET day = excluded.day, forks = CASE WHEN d.day = excluded.day THEN d.forks + 1 ELSE 1 END
    RETURNING forks, ceil(extract(epoch FROM
        day + 1 - (clock_timestamp() AT TIME ZONE 'UTC')))::integer AS seconds_left
"""


async def insert_fork(session: Session, new: NewEncounter, fork: NewFork) -> None:
    """Keep what an encounter stems from that is stored in this transaction.

    Raises ConflictingRequest("too_many_forks"), TooMany("too_many_forks_today").
    """
    [row] = await session.fetch(_ORIGIN, fork.parent)
    origin = row["origin"]
    await session.execute(_LOCK, str(origin))
    [kept] = await session.fetch(_KEPT, origin, fork.account)
    if kept["of_all"] >= fork.most:
        raise ConflictingRequest("too_many_forks", limit=fork.most)
    if fork.account is not None:
        if kept["of_account"] >= fork.most_of_account:
            raise ConflictingRequest("too_many_forks", limit=fork.most_of_account)
        await _count_today(session, origin, fork, fork.account)
    await session.execute(_FORK, new.id, origin, fork.account)


async def _count_today(session: Session, origin: UUID, fork: NewFork, account: str) -> None:
    """One more fork of this seat today. Raises TooMany, which undoes the transaction."""
    [today] = await session.fetch(_TODAY, origin, fork.parent, account)
    if today["forks"] > fork.most_a_day:
        raise TooMany(
            "too_many_forks_today", limit=fork.most_a_day, retry_after=max(1, today["seconds_left"])
        )
