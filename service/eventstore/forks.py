"""How many living forks a battle may have, counted where a further one is stored.

How this works. Forks of forks count with those of the battle that was played first. Whoever stores
one holds a lock of that battle until the end of the transaction, so that two at once do not both
take the last place. A fork lives until it has ended or is deleted.
"""

from typing import Final

from service.errors import ConflictingRequest
from service.eventstore.connection import Session
from service.eventstore.records import NewEncounter, NewFork

_ORIGIN: Final = "SELECT coalesce((SELECT origin FROM fork WHERE encounter_id = $1), $1) AS origin"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('fork ' || $1::text, 0))"
_LIVING: Final = """
    SELECT count(*) AS of_all, count(*) FILTER (WHERE f.account = $2) AS of_account
    FROM fork f JOIN encounter e ON e.id = f.encounter_id
    WHERE f.origin = $1 AND e.status <> 'ended'
"""
_FORK: Final = "INSERT INTO fork (encounter_id, origin, account) VALUES ($1, $2, $3)"


async def insert_fork(session: Session, new: NewEncounter, fork: NewFork) -> None:
    """Keep what an encounter stems from that is stored in this transaction.

    Raises ConflictingRequest("too_many_forks").
    """
    [row] = await session.fetch(_ORIGIN, fork.parent)
    origin = row["origin"]
    await session.execute(_LOCK, str(origin))
    [living] = await session.fetch(_LIVING, origin, fork.account)
    if living["of_all"] >= fork.most:
        raise ConflictingRequest("too_many_forks", limit=fork.most)
    if fork.account is not None and living["of_account"] >= fork.most_of_account:
        raise ConflictingRequest("too_many_forks", limit=fork.most_of_account)
    await session.execute(_FORK, new.id, origin, fork.account)
