"""Writing to logs: a batch of appends in one round trip, and the creation of an encounter.

How an append is decided. `append_free` (in the migrations) locks the heads that nobody else
holds, looks at the idempotency keys, compares and sets the heads, inserts, and names the
encounters it took and those that somebody holds. What else it left out is looked at again to
say why: a used key comes before a moved head, so that a retry of a success is known as one even
when its expected head is stale by now. What was left out stays unwritten, whatever the second
look finds. Nothing here waits for a lock on an encounter: whoever asks may ask again.

When the statement itself fails, nothing of the batch is stored. If one of the appends may be
the reason, each is tried alone, so that it fails alone. Rows that stand behind the head already
are no fault of whoever appends: that is told as the damage that it is.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

from service.errors import (
    DatabaseAway,
    DatabaseSlow,
    LogDamaged,
    OutcomeUnknown,
    Unavailable,
    Unstorable,
    WarlogError,
)
from service.eventstore.append_batch import APPEND, columns, require_batch, transposed
from service.eventstore.connection import Database
from service.eventstore.creation import (
    BLOB_GONE,
    claim_creation,
    insert_blobs,
    insert_encounter,
    require_encounter,
)
from service.eventstore.log_reads import BEYOND_HEAD, command_of
from service.eventstore.records import (
    NO_HASH,
    Append,
    Appended,
    Blob,
    Command,
    Conflict,
    Created,
    CreationRepeated,
    Duplicate,
    Failed,
    Held,
    Missing,
    NewEncounter,
    Outcome,
)
from service.eventstore.write_probe import WriteProbe

# Plans are made once, before anyone knows how large the tables grow: never by scanning them.
WRITER_SETTINGS: Final = {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}

T = TypeVar("T")

BLOB_TRIES: Final = 4
"""How often a transaction is tried whose blobs are deleted under it."""

# The whole statement's time ran out, or a lock on a whole table was not had.
_OF_ALL: Final = (None, "57014", "55P03")

_TAKEN_PLACE: Final = "23505"
"""A unique violation: something stands where a row of the append belongs."""

_HEADS: Final = "SELECT id, head_seq, head_hash FROM encounter WHERE id = ANY ($1::uuid[])"
_USED_KEYS: Final = """
    SELECT c.encounter_id, c.principal, c.idempotency_key, c.fingerprint, c.first_seq, c.last_seq
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k (encounter_id, principal, idempotency_key)
    JOIN command c USING (encounter_id, principal, idempotency_key)
    ORDER BY c.first_seq, c.principal COLLATE "C", c.idempotency_key COLLATE "C"
"""


class Writer:
    """Appends on a connection of its own, under WRITER_SETTINGS; creates on the pool.

    `lock_seconds` is how long it is worth asking again for an encounter that somebody holds;
    `probe` knows whether anything is committed at all.
    """

    def __init__(self, *, appending: Database, pool: Database, probe: WriteProbe) -> None:
        self._appending = appending
        self._pool = pool
        self.probe = probe
        self.lock_seconds = appending.patience.lock_ms / 1000

    async def append(self, batch: Sequence[Append]) -> tuple[Outcome, ...]:
        """Store what can be stored, durably, and say of each append what became of it, in order.

        The batch names each encounter at most once. Of the database's errors nothing is raised:
        they are in `Failed`. Raises ValueError for a batch that is none. If this call is
        cancelled, the outcome is unknown.
        """
        require_batch(batch)
        if not batch:
            return ()
        try:
            return await self._append_at_once(batch)
        except WarlogError as error:
            if not _may_be_of_one(error):
                return tuple(Failed(error=error) for _ in batch)
            if len(batch) > 1:
                return await self._append_singly(batch)
            return (await self._failed(batch[0], error),)

    async def create(self, new: NewEncounter) -> Created | CreationRepeated:
        """Store an encounter with its first event, or tell which one the key created before.

        Raises Unstorable if the encounter's id is taken, its tenant is not there or a digest is
        not that of its blob; OutcomeUnknown if the connection was lost during COMMIT.
        """
        first = Append(
            encounter_id=new.id,
            expected_seq=0,
            expected_hash=NO_HASH,
            events=(new.first,),
            commands=(),
            status=new.status,
        )
        require_batch((first,))

        async def store() -> Created | CreationRepeated:
            async with self._pool.transaction() as session:
                earlier = await claim_creation(session, new)
                if earlier is not None:
                    return earlier
                await insert_encounter(session, new)
                [row] = await session.fetch(APPEND, *columns((first,)))
                return Created(recorded_at=row["at"])

        return await _with_blobs(store)

    async def keep_blobs(self, encounter: UUID, blobs: Sequence[Blob]) -> None:
        """Store blobs that an event about to be appended names; without the event they are idle.

        Raises Unstorable if a digest is not that of its blob, NotFound if there is no such
        encounter.
        """

        async def store() -> None:
            async with self._pool.transaction() as session:
                await require_encounter(session, encounter)
                await insert_blobs(session, encounter, blobs)

        await _with_blobs(store)

    async def _append_at_once(self, batch: Sequence[Append]) -> tuple[Outcome, ...]:
        [row] = await self._appending.write(APPEND, *columns(batch))
        taken = frozenset(row["taken"] or ())
        appended = Appended(recorded_at=row["at"])
        reasons: dict[UUID, Outcome] = dict.fromkeys(row["held"] or (), Held())
        left = tuple(a for a in batch if a.encounter_id not in taken | reasons.keys())
        if left:
            reasons |= await self._reasons(left)
        return tuple(reasons.get(append.encounter_id, appended) for append in batch)

    async def _append_singly(self, batch: Sequence[Append]) -> tuple[Outcome, ...]:
        outcomes: list[Outcome] = []
        is_away = False
        for append in batch:
            if is_away:
                outcomes.append(Failed(error=DatabaseAway()))
                continue
            try:
                outcomes += await self._append_at_once((append,))
            except WarlogError as error:
                outcomes.append(await self._failed(append, error))
                is_away = isinstance(error, DatabaseAway | OutcomeUnknown)
        return tuple(outcomes)

    async def _failed(self, append: Append, error: WarlogError) -> Outcome:
        """What it means that this append failed alone.

        Where the head is has moved on, that is the reason; else rows beyond the head may be.
        """
        if error.params.get("sqlstate") != _TAKEN_PLACE:
            return Failed(error=error)
        try:
            rows = await self._appending.fetch(BEYOND_HEAD, append.encounter_id)
        except WarlogError as away:
            return Failed(error=away)
        for row in rows:
            if (row["head_seq"], row["head_hash"]) != (append.expected_seq, append.expected_hash):
                return Conflict(head_seq=row["head_seq"], head_hash=row["head_hash"])
            if row["first"] is not None:
                encounter = str(append.encounter_id)
                damage = LogDamaged(
                    encounter=encounter, found="rows_beyond_head", head=row["head_seq"]
                )
                return Failed(error=damage)
        return Failed(error=error)

    async def _reasons(self, left: Sequence[Append]) -> dict[UUID, Outcome]:
        try:
            used = await self._used_commands(left)
            heads = await self._appending.fetch(_HEADS, [append.encounter_id for append in left])
        except WarlogError as error:
            return {append.encounter_id: Failed(error=error) for append in left}
        reasons: dict[UUID, Outcome] = {append.encounter_id: Missing() for append in left}
        for row in heads:
            reasons[row["id"]] = Conflict(head_seq=row["head_seq"], head_hash=row["head_hash"])
        for encounter_id, commands in used.items():
            reasons[encounter_id] = Duplicate(commands=commands)
        return reasons

    async def _used_commands(self, left: Sequence[Append]) -> dict[UUID, tuple[Command, ...]]:
        keys = [(a.encounter_id, c.principal, c.key) for a in left for c in a.commands]
        rows = await self._appending.fetch(_USED_KEYS, *transposed(keys, 3)) if keys else ()
        used: dict[UUID, tuple[Command, ...]] = {}
        for row in rows:
            used[row["encounter_id"]] = (*used.get(row["encounter_id"], ()), command_of(row))
        return used


async def _with_blobs(store: Callable[[], Awaitable[T]]) -> T:
    """Run a transaction that uses blobs, and again if one of them was just deleted."""
    for _ in range(BLOB_TRIES - 1):
        try:
            return await store()
        except Unstorable as error:
            if error.params.get("constraint") != BLOB_GONE:
                raise
    return await store()


def _may_be_of_one(error: WarlogError) -> bool:
    """Whether one append of a batch can be why it failed: a bad value, or a deadlock."""
    if isinstance(error, DatabaseSlow):
        return error.params.get("sqlstate") not in _OF_ALL
    return not isinstance(error, Unavailable)
