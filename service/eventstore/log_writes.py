"""Writing to logs: a batch of appends in one round trip, and the creation of an encounter.

How an append is decided. `append_free` (in the migrations) locks the heads that no other session
holds, looks at the idempotency keys, compares and sets the heads, inserts, and names the
encounters it took and those that are held. A second look says why each other append was left out:
a used key comes before a moved head, so that a retry of a success is known as one even when its
expected head is stale by now. An append that was left out stays unwritten, whatever the second look
finds. No append waits for a lock on an encounter: the caller may try again.

When the statement itself fails, nothing of the batch is stored. If one of the appends may be
the reason, each is tried alone, so that it fails alone. Rows that stand behind the head already
are no fault of the append: its outcome is LogDamaged.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

from service.engine.log.event import SealedEvent
from service.engine.log.parts import TEXT
from service.errors import (
    DatabaseAway,
    DatabaseSlow,
    LogDamaged,
    OutcomeUnknown,
    Unavailable,
    Unstorable,
    WarlogError,
)
from service.eventstore.connection import Database, StatementWriter, WriteLane
from service.eventstore.creation import (
    BLOB_GONE,
    claim_creation,
    insert_blobs,
    insert_encounter,
    require_encounter,
)
from service.eventstore.forks import insert_fork
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
    StoredEvent,
    StoredPart,
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
"""A unique violation: something is where a row of the append belongs."""

APPEND: Final = """
    SELECT taken, held, at FROM append_free(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
        $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26
    )
"""
"""The one statement that appends; `columns` makes its arguments."""

_WIDTH: Final = 6
"""Arrays of APPEND for each of encounters, commands, events and parts."""

_DUE_WIDTH: Final = 2
"""Arrays of APPEND for what is to be erased: encounter and seq."""

_HEADS: Final = "SELECT id, head_seq, head_hash FROM encounter WHERE id = ANY ($1::uuid[])"
_USED_KEYS: Final = """
    SELECT c.encounter_id, c.principal, c.idempotency_key, c.fingerprint, c.first_seq, c.last_seq
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k (encounter_id, principal, idempotency_key),
        command_under_key(k.encounter_id, k.principal, k.idempotency_key) c
    ORDER BY c.first_seq, c.principal COLLATE "C", c.idempotency_key COLLATE "C"
"""


class Writer:
    """Appends on connections of its own, under WRITER_SETTINGS; creates on the pool.

    `batches_at_once` appends may be under way, of different encounters. `lock_seconds` is how long
    it is worth trying again for an encounter that is held; `probe` knows whether anything is
    committed at all.
    """

    def __init__(self, *, appending: Database, pool: Database, probe: WriteProbe) -> None:
        self._appending = appending
        self._pool = pool
        self.probe = probe
        self.batches_at_once = appending.writes_at_once
        self.lock_seconds = appending.patience.lock_ms / 1000
        self.lane = partial(WriteLane, appending)
        """Makes one for batches that follow one another."""

    async def append(
        self, batch: Sequence[Append], lane: WriteLane | None = None
    ) -> tuple[Outcome, ...]:
        """Store what can be stored, durably, and say of each append what became of it, in order.

        The batch names each encounter at most once. Of the database's errors nothing is raised:
        they are in `Failed`. Raises ValueError for a batch that is none. If this call is
        cancelled, the outcome is unknown.
        """
        require_batch(batch)
        if not batch:
            return ()
        try:
            return await self._append_at_once(batch, lane or self._appending)
        except WarlogError as error:
            if not _may_be_of_one(error):
                return tuple(Failed(error=error) for _ in batch)
            if len(batch) > 1:
                return await self._append_singly(batch)
            return (await self._failed(batch[0], error),)

    async def create(self, new: NewEncounter) -> Created | CreationRepeated:
        """Store an encounter with its first event, or return the one that the key created before.

        Raises ConflictingRequest("too_many_forks"), TooMany("too_many_forks_today"); Unstorable if
        the encounter's id is taken, its tenant is not there or a digest is not that of its blob;
        OutcomeUnknown if the connection was lost during COMMIT.
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
                if new.fork is not None:
                    await insert_fork(session, new, new.fork)
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

    async def _append_at_once(
        self, batch: Sequence[Append], writes: StatementWriter
    ) -> tuple[Outcome, ...]:
        [row] = await writes.write(APPEND, *columns(batch))
        taken = frozenset(row["taken"] or ())
        appended = Appended(recorded_at=row["at"])
        if len(taken) == len(batch):
            return (appended,) * len(batch)
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
                outcomes += await self._append_at_once((append,), self._appending)
            except WarlogError as error:
                outcomes.append(await self._failed(append, error))
                is_away = isinstance(error, DatabaseAway | OutcomeUnknown)
        return tuple(outcomes)

    async def _failed(self, append: Append, error: WarlogError) -> Outcome:
        """What it means that this append failed alone.

        A head that has moved on is the reason, else perhaps rows beyond the head.
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
        if not keys:
            return {}
        rows = await self._appending.fetch(_USED_KEYS, *map(list, zip(*keys, strict=True)))
        used: dict[UUID, tuple[Command, ...]] = {}
        for row in rows:
            used[row["encounter_id"]] = (*used.get(row["encounter_id"], ()), command_of(row))
        return used


def require_batch(batch: Sequence[Append]) -> None:
    """Raises ValueError for an encounter named twice, no events, or seqs with a gap."""
    if len({append.encounter_id for append in batch}) < len(batch):
        raise ValueError("an encounter occurs twice in one batch")
    for append in batch:
        following = range(append.expected_seq + 1, append.expected_seq + 1 + len(append.events))
        if not append.events or [event.seq for event in append.events] != list(following):
            raise ValueError("the events of an append follow its expected head one by one")


def columns(batch: Sequence[Append]) -> list[list[object]]:
    """The arguments of APPEND, in the order of its declaration in the migrations."""
    encounters: list[tuple[object, ...]] = []
    commands: list[tuple[object, ...]] = []
    events: list[tuple[object, ...]] = []
    parts: list[tuple[object, ...]] = []
    due: list[tuple[object, ...]] = []
    for append in batch:
        where, last = append.encounter_id, append.events[-1]
        head = (last.seq, bytes.fromhex(last.hash))
        encounters.append((where, append.expected_seq, append.expected_hash, *head, append.status))
        commands += [
            (where, c.principal, c.key, c.fingerprint, c.first_seq, c.last_seq)
            for c in append.commands
        ]
        due += [(where, seq) for seq in append.erases]
        for e in append.events:
            events.append((where, e.seq, e.base, bytes.fromhex(e.hash), e.body, e.commits))
            # A part that says nothing is known by its commitment.
            parts += [(where, e.seq, p.audience, p.kind, p.salt, p.body) for p in e.parts]
    tables = (
        (encounters, _WIDTH),
        (commands, _WIDTH),
        (events, _WIDTH),
        (parts, _WIDTH),
        (due, _DUE_WIDTH),
    )
    return [
        list(column)
        for rows, width in tables
        for column in (zip(*rows, strict=True) if rows else [()] * width)
    ]


def as_read_back(event: SealedEvent, recorded_at: datetime) -> StoredEvent:
    """An event that was appended, as the store reads it: texts first, each kind by audience."""
    parts = [
        StoredPart(audience=part.audience, kind=part.kind, salt=part.salt, body=part.body)
        for part in event.parts
    ]
    if len(parts) > 1:
        parts.sort(key=lambda part: (part.kind != TEXT, part.audience))
    return StoredEvent(
        seq=event.seq,
        base=event.base,
        hash=bytes.fromhex(event.hash),
        body=event.body,
        commits=event.commits,
        parts=tuple(parts),
        recorded_at=recorded_at,
    )


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
