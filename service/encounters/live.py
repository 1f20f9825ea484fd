"""Encounters in memory: a cache of committed heads, correct because every append is checked.

How this works. A `Live` holds the state at a committed head. A write decides on it and appends
behind it; if the log has grown elsewhere, the append conflicts and the tail is read first. A read
asks the database for the head and reads the tail if there is one, so it never shows a stale state.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from service.encounters.committing import Settled
from service.encounters.loading import Fold, Loader, Rulesets
from service.engine import hashing
from service.engine.dice import Dice, SealedDice, SuppliedDice
from service.engine.ruleset import Ruleset
from service.engine.state import RuleState, State
from service.errors import ConflictingRequest, NewerVersion
from service.eventstore.records import EncounterRow, Secret
from service.eventstore.store import EventStore

RECENT_RULES = 64
"""Rule states of the last events kept for rewinds."""


@dataclass(frozen=True, slots=True)
class Tip:
    """A head on its way to the disk: the next action may be decided on it, but not released.

    `done` says what became of it.
    """

    seq: int
    hash: str
    state: State[RuleState]
    rules: Mapping[int, RuleState]
    done: asyncio.Future[Settled]


@dataclass(slots=True)
class Live:
    """One encounter at its committed head. `hash` is the head's, in hex.

    `tip` is the newest head in flight, None when nothing is. `unkept` are the bytes of events
    since the last snapshot that this process knows of.
    """

    row: EncounterRow
    ruleset: Ruleset[RuleState]
    secret: Secret
    state: State[RuleState]
    seq: int
    hash: str
    rules: dict[int, RuleState] = field(default_factory=dict)
    unkept: int = 0
    tip: Tip | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def id(self) -> str:
        """The encounter's id as the log writes it."""
        return str(self.row.id)

    @property
    def sides(self) -> tuple[str, ...]:
        """Ids of the sides in setup order."""
        return tuple(side.id for side in self.state.rule.sides)

    def moved_to(self, state: State[RuleState], seq: int, head: str) -> None:
        """Stand at a later committed head."""
        self.state = state
        self.seq = seq
        self.hash = head
        self.keep({seq: state.rule})

    def keep(self, rules: Mapping[int, RuleState]) -> None:
        """Remember rule states by seq, the latest of them."""
        self.rules |= rules
        for old in sorted(self.rules)[:-RECENT_RULES]:
            del self.rules[old]


def etag(seq: int, head: str) -> str:
    """A version as clients hold it: `seq-hash8`."""
    return f"{seq}-{head[:8]}"


def dice_of(live: Live, state: State[RuleState], seq: int, faces: tuple[int, ...]) -> Dice:
    """The dice of event `seq`: sealed streams, or the faces the table rolled."""
    seed = live.secret.seed
    if state.rule.dice == "supplied":
        return SuppliedDice(faces, seed=seed)
    mixed = tuple(bytes.fromhex(each.value) for each in state.linear.contributions)
    return SealedDice(hashing.dice_key(seed, live.id, hashing.entropy(mixed)), seq, seed=seed)


class Cache:
    """The encounters this process has in memory, the least recently used dropped first."""

    def __init__(self, store: EventStore, rulesets: Rulesets, capacity: int) -> None:
        self._store = store
        self._rulesets = rulesets
        self._capacity = capacity
        self._lives: OrderedDict[UUID, Live] = OrderedDict()
        self.loader = Loader(store)

    async def current(self, encounter: UUID) -> Live | None:
        """The encounter at the head the database has now; None if there is none."""
        row = await self._store.log.head(encounter)
        live = self._lives.get(encounter)
        if live is not None and row is not None and row.head_seq < live.seq:
            # Read before a write of this process was; if it still says so, the log is another.
            row = await self._store.log.head(encounter)
        if row is None:
            self.forget(encounter)
            return None
        if live is None:
            return await self._load(row)
        if encounter in self._lives:
            self._lives.move_to_end(encounter)
        await self.refresh(live, row)
        return live

    async def recent(self, encounter: UUID) -> Live | None:
        """The encounter as this process last saw it: to decide on, since appends are checked."""
        live = self._lives.get(encounter)
        if live is None:
            return await self.current(encounter)
        self._lives.move_to_end(encounter)
        return live

    def forget(self, encounter: UUID) -> None:
        """Drop what is in memory: the next call reads the log."""
        self._lives.pop(encounter, None)

    async def refresh(self, live: Live, row: EncounterRow) -> None:
        """Bring it to the head of this row: by the tail, or anew if the log is no continuation.

        Anew also when text was erased since, which the state in memory may hold.
        """
        if row.erasures == live.row.erasures:
            if (row.head_seq, row.head_hash.hex()) == (live.seq, live.hash):
                return
            if await self._catch_up(live, row):
                return
        fold = await self.loader.fold_to(row.id, live.ruleset, row.head_seq)
        live.row = row
        live.rules.clear()
        live.unkept = fold.size
        live.moved_to(fold.state, row.head_seq, row.head_hash.hex())

    async def _catch_up(self, live: Live, row: EncounterRow) -> bool:
        """Fold the tail another process wrote. False if the log is not a continuation."""
        if row.head_seq <= live.seq:
            return False
        fold = Fold(state=live.state, seq=live.seq, rules=dict(live.rules))
        head = live.hash.encode()
        page = await self._store.log.events(row.id, after=fold.seq, limit=1)
        if not page or page[0].body.find(head) < 0:
            return False
        await self.loader.continued(row.id, live.ruleset, fold, row.head_seq)
        if fold.state is None or fold.seq != row.head_seq:
            return False
        blobs = await self.loader.blobs(row.id, live.ruleset)
        if live.seq < row.head_seq:
            live.row = row
            live.unkept += fold.size
            state = State(rule=fold.state.rule, linear=fold.state.linear, blobs=blobs)
            live.moved_to(state, row.head_seq, row.head_hash.hex())
        return True

    async def rule_at(self, live: Live, seq: int) -> RuleState:
        """The rule half after event `seq` of this encounter."""
        known = live.rules.get(seq)
        if known is not None:
            return known
        return (await self.loader.state_at(live.row.id, live.ruleset, seq)).rule

    async def _load(self, row: EncounterRow) -> Live:
        ruleset = self._rulesets.get((row.ruleset, row.version))
        secret = await self._store.log.secret(row.id)
        if ruleset is None or secret is None:
            raise NewerVersion(encounter=str(row.id), ruleset=row.ruleset, version=row.version)
        fold = await self.loader.fold_to(row.id, ruleset, row.head_seq)
        loaded = Live(
            row=row,
            ruleset=ruleset,
            secret=secret,
            state=fold.state,
            seq=row.head_seq,
            hash=row.head_hash.hex(),
            rules={row.head_seq: fold.state.rule},
            unkept=fold.size,
        )
        live = self._lives.setdefault(row.id, loaded)
        if live is not loaded and live.seq <= row.head_seq:
            await self.refresh(live, row)
        if len(self._lives) > self._capacity:
            self._lives.popitem(last=False)
        return live


class InFlight:
    """The idempotency keys of requests under way: a second one is told to ask again."""

    def __init__(self) -> None:
        self._keys: set[tuple[UUID, str, str]] = set()

    def enter(self, encounter: UUID, principal: str, key: str) -> tuple[UUID, str, str]:
        """Take the key. Raises ConflictingRequest("in_progress")."""
        ticket = (encounter, principal, key)
        if ticket in self._keys:
            raise ConflictingRequest("in_progress", key=key, retry_after=1)
        self._keys.add(ticket)
        return ticket

    def leave(self, ticket: tuple[UUID, str, str]) -> None:
        """Give the key back."""
        self._keys.discard(ticket)
