"""The encounters of a process in memory: correct because every append is checked.

How this works. A `LoadedEncounter` holds the state at a committed head. A write decides on it and
appends behind it; if the log has grown elsewhere, the append conflicts and the tail is read first.
A read asks the database for the head and reads the tail if there is one, so it never shows a stale
state. An encounter that is dropped from memory while a request works on it stays right for that
request; the next caller does not find it and reads the log.

Memory is bounded by an estimate, in bytes. An encounter is encoded when it is loaded, and again
when as many bytes of events have come as it had then; five bytes in memory for four encoded ones
and a fixed share were measured (10.5 kB in all for a state of 8 combatants that is 5.3 kB encoded,
0.75 to 1.2 bytes for each further one). Each rule state kept for rewinds adds little, since it
shares all but what changed. Blobs count once. The lookups of rule states are not counted: only
the warmest encounters keep theirs. One that nobody asks for is compressed (`idle_encounters`), and
the coldest of those are dropped when they take half of all the room.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET, Struct

from service.encounters import access
from service.encounters.group_commit import Submitted
from service.encounters.housekeeping import finish_erasure
from service.encounters.idle_encounters import IdleEncounter, IdleEncounters
from service.encounters.loader import Fold, Folded, Loader, restored, snapshot_of
from service.encounters.principal import Principal
from service.encounters.shared_values import SharedBlobs, shared
from service.engine.battle.linear import seat_of
from service.engine.battle.state import RuleState, State
from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.vocabulary.values import By
from service.errors import NewerVersion, Unavailable
from service.eventstore.records import EncounterRow, Secret
from service.eventstore.store import EventStore


class EncounterTerms(NamedTuple):
    """What never changes in an encounter: its ruleset and the ids of its sides, in setup order."""

    ruleset: str
    sides: tuple[str, ...]


RECENT_RULES = 2
"""Rule states kept for rewinds: the present one and the one before. Each takes about a kilobyte,
and one that is further back is rebuilt from the snapshot before it."""


class InFlightHead(Struct, frozen=True):
    """A head on its way to the disk: the next action may be decided on it, but not released.

    `done` says what became of it; `branch` is that of the encounter when it was sent.
    """

    seq: int
    hash: str
    at: str
    state: State[RuleState]
    rules: Mapping[int, RuleState]
    branch: int
    done: Submitted


@dataclass(slots=True)
class LoadedEncounter:
    """One encounter at its committed head. `hash` is the head's, in hex, `at` its moment.

    `tip` is the newest head in flight, None when nothing is; `branch` counts how often heads in
    flight were given up, so that a decision on one of them is recognized as void. `unkept` are the
    bytes of events since the last snapshot that this process knows of, `unweighed` those since its
    memory was last estimated: `weight`, in bytes, without the blobs, whose digests are in `held`.
    `used` is the round in which it was last asked for.
    `id` is the encounter's as the log writes it, `sides` are the ids of its sides in setup order.
    `lock` is held while an action is decided and handed over, and while a tail is read after a
    conflict, never while a commit is waited for. `secret` is None where the store has lost it:
    then the encounter is read as ever, but nothing can be added to it.
    """

    row: EncounterRow
    ruleset: Ruleset[RuleState]
    secret: Secret | None
    state: State[RuleState]
    seq: int
    hash: str
    at: str
    rules: dict[int, RuleState] = field(default_factory=dict)
    unkept: int = 0
    tip: InFlightHead | None = None
    branch: int = 0
    weight: int = 0
    unweighed: int = 0
    held: tuple[str, ...] = ()
    used: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    id: str = field(init=False)
    sides: tuple[str, ...] = field(init=False)
    terms: EncounterTerms = field(init=False)

    def __post_init__(self) -> None:
        """What never changes is worked out once."""
        self.id = str(self.row.id)
        self.sides = tuple([side.id for side in self.state.rule.sides])
        self.terms = EncounterTerms(self.row.ruleset, self.sides)

    @property
    def head(self) -> tuple[int, str]:
        """Where it is: seq and hash."""
        return self.seq, self.hash

    @property
    def stamp(self) -> tuple[int, str, int]:
        """What changes whenever it is set to another state: seq, hash, erasures."""
        return self.seq, self.hash, self.row.erasures

    def moved_to(self, state: State[RuleState], seq: int, head: str, at: str) -> None:
        """Stand at a later committed head."""
        self.state = state
        self.seq = seq
        self.hash = head
        self.at = at
        self.rules[seq] = state.rule
        for earlier in sorted(self.rules)[:-RECENT_RULES]:
            del self.rules[earlier]

    def drop_tip(self) -> None:
        """Give up the heads in flight: decide on the committed head again."""
        self.tip = None
        self.branch += 1

    def cool_down(self) -> None:
        """Forget what was worked out of its rule states."""
        for rule in (self.state.rule, *self.rules.values()):
            rule.__dict__.clear()


def caller_of(
    who: Principal, encounter: UUID, battle: LoadedEncounter | None
) -> tuple[LoadedEncounter, By]:
    """The encounter and how its log names the caller; another tenant's encounter is none.

    Raises NotFound("unknown_encounter"), and what `access.reader` raises.
    """
    if battle is None or battle.row.tenant != who.tenant:
        raise access.not_found(str(encounter))
    if who.reads_for is None:
        return battle, who.by_itself
    return battle, access.reader(who, partial(seat_of, battle.state.linear))


BATTLE_BYTES = 3072
STATE_FACTOR = 1.25
RULE_BYTES = 800
"""The estimate of one in memory: fixed, for each encoded byte, for each rule state kept."""

WEIGHED_AGAIN_BYTES = 16 * 1024
"""Bytes of events after which it is estimated again, or as many as the estimate if that is more."""

MOST_WARM = 128
"""Encounters that keep what was worked out of their states: those that were used last."""

IDLE_SECONDS = 300.0
"""Between two rounds: who was not asked for since the last but one is compressed."""

MOST_IDLE_BYTES = 512 * 1024
"""The estimate of one above which it is dropped instead: to compress it would hold up others."""

FRESH_TRIES = 4
"""How often a log is folded again whose encounter moved on while it was being read."""


class Cache:
    """The encounters in memory, the least recently used dropped first."""

    def __init__(self, store: EventStore, rulesets: Rulesets, most_bytes: int) -> None:
        self._store = store
        self._rulesets = rulesets
        self._most_bytes = most_bytes
        self._battles: OrderedDict[UUID, LoadedEncounter] = OrderedDict()
        self._loading: dict[UUID, asyncio.Task[LoadedEncounter]] = {}
        self._idle = IdleEncounters()
        self._warm: OrderedDict[UUID, LoadedEncounter] = OrderedDict()
        self._rounds = 0
        self._weight = 0
        self._blobs = SharedBlobs()
        self.loader = Loader(store, self._blobs)

    @property
    def size(self) -> int:
        """The estimate of what is in memory, in bytes."""
        return self._weight + self._idle.size + self._blobs.size

    async def current(self, encounter: UUID, tenant: UUID | None) -> LoadedEncounter | None:
        """The encounter at the head the database has now; None if this tenant has no such.

        Another tenant's encounter is answered as one that does not exist. `tenant` is None where
        the service itself asks.
        """
        try:
            return await self._current(encounter, tenant)
        except NewerVersion:
            # What is read while it is deleted is no log that this build knows.
            if await self._store.log.head(encounter) is not None:
                raise
            self.forget(encounter)
            return None

    async def _current(self, encounter: UUID, tenant: UUID | None) -> LoadedEncounter | None:
        battle = self._battles.get(encounter)
        if battle is None or tenant not in (None, battle.row.tenant):
            row = await self._store.log.head(encounter)
            if row is None or tenant not in (None, row.tenant):
                return None
            return await self._loaded(row)
        if not await self.renew(battle):
            return None
        if encounter in self._battles:
            self._use(battle)
        return battle

    async def renew(self, battle: LoadedEncounter) -> bool:
        """Bring it to the head the database has now. False if it is no longer there."""
        encounter, stamp = battle.row.id, battle.stamp
        row = await self._store.log.head(encounter)
        if row is not None and row.head_seq < battle.seq and battle.stamp == stamp:
            # Perhaps read before a write of this process; if it still says so, the log is another.
            row = await self._store.log.head(encounter)
        if row is None:
            self.forget(encounter)
            return False
        if row.head_seq > battle.seq or battle.stamp == stamp:
            await self.refresh(battle, row)
        return True

    async def recent(self, encounter: UUID, tenant: UUID) -> LoadedEncounter | None:
        """The encounter as this process last saw it: to decide on, since appends are checked."""
        battle = self._battles.get(encounter)
        if battle is None or battle.row.tenant != tenant:
            return await self.current(encounter, tenant)
        self._use(battle)
        return battle

    def _use(self, battle: LoadedEncounter) -> None:
        """Somebody asks for it: it is the warmest from now on, and one less warm cools down."""
        encounter = battle.row.id
        self._battles.move_to_end(encounter)
        battle.used = self._rounds
        self._warm[encounter] = battle
        self._warm.move_to_end(encounter)
        if len(self._warm) > MOST_WARM:
            self._warm.popitem(last=False)[1].cool_down()

    async def rest(self) -> None:
        """Compress those that nobody has asked for since the last round but one."""
        self._rounds += 1
        while self._battles:
            coldest = next(iter(self._battles.values()))
            if coldest.used >= self._rounds - 1:
                return
            self._compress(coldest)
            await asyncio.sleep(0)

    def _compress(self, battle: LoadedEncounter) -> None:
        """Keep what loading it would read, instead of it; nothing of a large one."""
        encounter, secret, is_small = battle.row.id, battle.secret, battle.weight <= MOST_IDLE_BYTES
        blobs = battle.held
        self.forget(encounter)
        if secret is not None and is_small:
            idle = IdleEncounter(
                snapshot=snapshot_of(battle.state, battle.seq),
                hash=battle.hash,
                at=battle.at,
                erasures=battle.row.erasures,
                secret=secret,
                blobs=blobs,
                unkept=battle.unkept,
            )
            self._idle.keep(encounter, idle)

    def forget(self, encounter: UUID) -> None:
        """Drop what is in memory: the next call reads the log."""
        self._idle.forget(encounter)
        self._warm.pop(encounter, None)
        battle = self._battles.pop(encounter, None)
        if battle is not None:
            self._weight -= battle.weight
            for digest in battle.held:
                self._blobs.release(battle.ruleset.blob, digest)
            battle.weight, battle.held = 0, ()

    def drop(self, battle: LoadedEncounter) -> None:
        """Forget this one, unless another has taken its place already."""
        there = self._battles.get(battle.row.id)
        if there is battle or there is None:
            self.forget(battle.row.id)

    def advance(
        self,
        battle: LoadedEncounter,
        state: State[RuleState],
        head: tuple[int, str, str],
        *,
        rules: Mapping[int, RuleState],
        size: int,
    ) -> None:
        """Go on to a head that was just committed, by so many bytes of events.

        `head` is its seq, its hash and its moment.
        """
        battle.rules.update(rules)
        battle.moved_to(state, *head)
        battle.unkept += size
        battle.unweighed += size
        is_heavier = battle.unweighed >= max(WEIGHED_AGAIN_BYTES, battle.weight)
        if is_heavier or len(state.terms.blobs) > len(battle.held):
            self._weigh(battle)

    async def refresh(self, battle: LoadedEncounter, row: EncounterRow) -> None:
        """Bring it to the head of this row: by the tail, or by a fold if that does not continue it.

        A fold also when text was erased since, which the state in memory may hold. An encounter
        that a write moved on meanwhile is never set back, unless it may hold such text.
        """
        stamp = battle.stamp
        there = (row.head_seq, row.head_hash.hex())
        if row.erasures == battle.row.erasures and (
            there == battle.head or await self._catch_up(battle, row)
        ):
            return
        fold = await self.loader.fold_to(row.id, battle.ruleset, row.head_seq)
        for _ in range(FRESH_TRIES):
            if battle.stamp == stamp:
                break
            if battle.row.erasures >= row.erasures:
                return
            row, stamp = await self._store.log.head(row.id) or row, battle.stamp
            fold = await self.loader.fold_to(row.id, battle.ruleset, row.head_seq)
        battle.row = row
        battle.rules.clear()
        battle.drop_tip()
        battle.unkept = fold.size
        battle.moved_to(_lean(fold.state), row.head_seq, row.head_hash.hex(), fold.at)
        self._weigh(battle)

    async def _catch_up(self, battle: LoadedEncounter, row: EncounterRow) -> bool:
        """Fold the tail another process wrote. False if the log is not a continuation."""
        if row.head_seq <= battle.seq:
            return False
        fold = Fold(state=battle.state, seq=battle.seq, rules=dict(battle.rules))
        await self.loader.continued(row.id, battle.ruleset, fold, row.head_seq, behind=battle.hash)
        if fold.state is None or fold.seq != row.head_seq:
            return False
        terms = battle.state.terms
        if {fold.state.rule.map, fold.state.rule.content} - {UNSET} - terms.blobs.keys():
            terms = battle.ruleset.terms(await self.loader.blobs(row.id, battle.ruleset))
        if battle.seq < row.head_seq:
            battle.row = row
            state = State(rule=fold.state.rule, linear=fold.state.linear, terms=terms)
            head = (row.head_seq, row.head_hash.hex(), fold.at)
            self.advance(battle, state, head, rules={}, size=fold.size)
        return True

    async def rule_at(self, battle: LoadedEncounter, seq: int) -> RuleState:
        """The rule half after event `seq` of this encounter."""
        rule = battle.rules.get(seq)
        if rule is not None:
            return rule
        return (await self.loader.state_at(battle.row.id, battle.ruleset, seq)).rule

    async def _loaded(self, row: EncounterRow) -> LoadedEncounter:
        """Load it, once for all requests of the same moment."""
        battle = self._battles.get(row.id)
        if battle is None:
            task = self._loading.get(row.id)
            if task is None:
                task = self._loading[row.id] = asyncio.create_task(self._load(row))
                task.add_done_callback(lambda _: self._loading.pop(row.id))
            battle = await asyncio.shield(task)
        if battle.seq < row.head_seq or battle.row.erasures < row.erasures:
            await self.refresh(battle, row)
        return battle

    async def _load(self, row: EncounterRow) -> LoadedEncounter:
        ruleset = self._rulesets.get((row.ruleset, row.version))
        if ruleset is None:
            raise NewerVersion(encounter=str(row.id), ruleset=row.ruleset, version=row.version)
        idle = self._idle.take(row)
        if idle is None:
            # A database that cannot erase now still reads: housekeeping tries again.
            with contextlib.suppress(Unavailable):
                if await finish_erasure(self._store, row.id):
                    row = await self._store.log.head(row.id) or row
            secret = await self._store.log.secret(row.id)
            fold = await self.loader.fold_to(row.id, ruleset, row.head_seq)
        else:
            secret, fold = idle.secret, await self._unpacked(row, ruleset, idle)
        state = _lean(fold.state)
        battle = LoadedEncounter(
            row=shared(row),
            ruleset=ruleset,
            secret=secret,
            state=state,
            seq=row.head_seq,
            hash=row.head_hash.hex(),
            at=fold.at,
            rules={row.head_seq: state.rule},
            unkept=fold.size,
        )
        self.forget(row.id)
        self._battles[row.id] = battle
        self._use(battle)
        self._weigh(battle)
        return battle

    async def _unpacked(
        self, row: EncounterRow, ruleset: Ruleset[RuleState], idle: IdleEncounter
    ) -> Folded:
        """The state of an idle one, which is where its log ends."""
        state = restored(ruleset, idle.snapshot)
        if state is None:
            return await self.loader.fold_to(row.id, ruleset, row.head_seq)
        blobs: Mapping[str, object | None] = {
            digest: self._blobs.find(ruleset.blob, digest) for digest in idle.blobs
        }
        if None in blobs.values():
            blobs = await self.loader.blobs(row.id, ruleset)
        state = State(rule=state.rule, linear=state.linear, terms=ruleset.terms(blobs))
        return Folded(state=state, size=idle.unkept, at=idle.at)

    def _weigh(self, battle: LoadedEncounter) -> None:
        """Estimate its memory again, and make room if there is too little.

        A dropped encounter is not estimated: it takes no room.
        """
        if self._battles.get(battle.row.id) is not battle:
            return
        self._share(battle)
        encoded = len(snapshot_of(battle.state, battle.seq).state)
        weight = BATTLE_BYTES + int(STATE_FACTOR * encoded) + RULE_BYTES * RECENT_RULES
        self._weight += weight - battle.weight
        battle.weight, battle.unweighed = weight, 0
        self._make_room()

    def _make_room(self) -> None:
        """Compress the coldest, and drop the coldest idle ones when they take half of all."""
        while self.size > self._most_bytes and (self._idle or len(self._battles) > 1):
            if len(self._battles) == 1 or 2 * self._idle.size > self._most_bytes:
                self._idle.forget_coldest()
            else:
                self._compress(next(iter(self._battles.values())))

    def _share(self, battle: LoadedEncounter) -> None:
        """Use one object for a blob that several encounters have."""
        kind, before = battle.ruleset.blob, battle.held
        blobs = {
            digest: self._blobs.hold(kind, digest, blob)
            for digest, blob in battle.state.terms.blobs.items()
        }
        terms = battle.ruleset.terms(blobs)
        battle.state = State(rule=battle.state.rule, linear=battle.state.linear, terms=terms)
        battle.held = tuple(blobs)
        for digest in before:
            self._blobs.release(kind, digest)


def _lean(state: State[RuleState]) -> State[RuleState]:
    """The state without equal objects in it, and without lookups yet."""
    return State(rule=shared(state.rule), linear=shared(state.linear), terms=state.terms)
