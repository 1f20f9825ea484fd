"""Rebuilds states from the log: snapshots where there are some, the fold for the rest.

How this works. A snapshot holds both halves of the state after its seq. From the last one at or
before the wanted seq every event is folded in order, dead branches too, because the linear half
needs them. An event that continues an earlier seq (a rewind) takes the rule half from there; if
that lies before the snapshot, it is rebuilt the same way. Since a snapshot is written at every
rewind, that is rare and its cost does not grow with the number of steps taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from service.encounters.shared_blobs import SharedBlobs
from service.engine.battle import fold as folding
from service.engine.battle.evolve import UnknownEffect
from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState, State
from service.engine.log import event as events
from service.engine.log.event import Event
from service.engine.ruleset import Ruleset
from service.errors import NewerVersion, NotFound
from service.eventstore.records import Snapshot, StoredEvent
from service.eventstore.store import EventStore

ENGINE_VERSION = "3"
PAGE = 500
Rulesets = Mapping[tuple[str, str], Ruleset[RuleState]]


class SnapshotState(Struct, frozen=True, kw_only=True):
    """Both halves of a state as a snapshot keeps them."""

    rule: Raw
    linear: Raw


@dataclass(slots=True)
class Fold:
    """A state and the rule halves met on the way, for rewinds to them.

    `size` are the bytes of the events folded.
    """

    state: State[RuleState] | None
    seq: int
    rules: dict[int, RuleState] = field(default_factory=dict)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Folded:
    """The state at a seq and the bytes of the events behind the snapshot it was made from."""

    state: State[RuleState]
    size: int


@dataclass(frozen=True, slots=True)
class Loader:
    """Rebuilds states of encounters from one store; `shared` are the blobs in memory already."""

    store: EventStore
    shared: SharedBlobs = field(default_factory=SharedBlobs)

    async def state_at(
        self, encounter: UUID, ruleset: Ruleset[RuleState], seq: int
    ) -> State[RuleState]:
        """The state after event `seq`, which exists.

        Raises NewerVersion for an event that this build does not know.
        """
        return (await self.fold_to(encounter, ruleset, seq)).state

    async def fold_to(self, encounter: UUID, ruleset: Ruleset[RuleState], seq: int) -> Folded:
        """As `state_at`, with what it took."""
        start = await self._nearest(encounter, ruleset, seq)
        fold = await self.continued(encounter, ruleset, start, seq)
        if fold.state is None:
            raise NewerVersion(encounter=str(encounter))
        blobs = await self.blobs(encounter, ruleset)
        state = State(rule=fold.state.rule, linear=fold.state.linear, blobs=blobs)
        return Folded(state=state, size=fold.size)

    async def continued(
        self,
        encounter: UUID,
        ruleset: Ruleset[RuleState],
        fold: Fold,
        until: int,
        behind: str | None = None,
    ) -> Fold:
        """Fold on to event `until`, and only if the log goes on behind this hash, if one is given.

        A caller that gives one compares the fold's seq: it may not have got to `until`.
        """
        while fold.seq < until:
            page = await self.store.log.events(
                encounter, after=fold.seq, until=until, limit=PAGE, audiences=None
            )
            if not page or (behind is not None and behind.encode() not in page[0].body):
                break
            behind = None
            for stored in page:
                await self._step(encounter, ruleset, fold, stored)
        return fold

    async def _step(
        self, encounter: UUID, ruleset: Ruleset[RuleState], fold: Fold, stored: StoredEvent
    ) -> None:
        before = fold.state
        if before is not None and stored.base != fold.seq:
            rule = fold.rules.get(stored.base)
            if rule is None:
                rule = (await self.state_at(encounter, ruleset, stored.base)).rule
            before = State(rule=rule, linear=before.linear, blobs=before.blobs)
        try:
            opened = open_event(ruleset, stored, before)
            fold.state = folding.apply(ruleset, before, opened)
        except (msgspec.ValidationError, msgspec.DecodeError, UnknownEffect) as error:
            raise NewerVersion(encounter=str(encounter), seq=stored.seq) from error
        fold.seq = stored.seq
        fold.size += size_of(stored)
        fold.rules[stored.seq] = fold.state.rule

    async def _nearest(self, encounter: UUID, ruleset: Ruleset[RuleState], seq: int) -> Fold:
        until = seq
        while snapshot := await self.store.snapshots.newest(encounter, until, ENGINE_VERSION):
            state = restored(ruleset, snapshot)
            if state is not None:
                rules = {snapshot.seq: state.rule}
                return Fold(state=state, seq=snapshot.seq, rules=rules)
            until = snapshot.seq - 1
        return Fold(state=None, seq=0)

    async def blobs(self, encounter: UUID, ruleset: Ruleset[RuleState]) -> Mapping[str, object]:
        """The immutable blobs of an encounter by digest (hex), decoded."""
        digests = await self.store.log.blob_digests(encounter)
        blobs = {each.hex(): self.shared.find(ruleset.blob, each.hex()) for each in digests}
        for digest in [digest for digest, blob in blobs.items() if blob is None]:
            stored = await self.store.log.blob(encounter, bytes.fromhex(digest))
            if stored is None:
                raise NotFound("unknown_encounter", encounter=str(encounter))
            blobs[digest] = msgspec.json.decode(stored.body, type=ruleset.blob)
        return blobs


def open_event(
    ruleset: Ruleset[RuleState], stored: StoredEvent, before: State[RuleState] | None
) -> Event:
    """The full event as its ruleset's type; erased text is absent."""
    sides = sides_of(stored.body, before)
    return events.decode(
        msgspec.json.Decoder(ruleset.event), stored.body, known_parts(stored), sides
    )


def sides_of(body: bytes, before: State[RuleState] | None) -> tuple[str, ...]:
    """Ids of the sides in setup order: from the state, or from event 1 itself."""
    if before is not None:
        return tuple(side.id for side in before.rule.sides)
    first = msgspec.json.decode(body, type=_First)
    return tuple(side.id for side in first.action.sides)


class _Side(Struct):
    id: str


class _Create(Struct):
    sides: tuple[_Side, ...]


class _First(Struct):
    action: _Create


def known_parts(stored: StoredEvent) -> dict[tuple[str, str], bytes]:
    """The parts that are there: (kind, audience) to bytes, erased ones left out."""
    return {(part.kind, part.audience): part.body for part in stored.parts if part.body is not None}


def size_of(event: StoredEvent) -> int:
    """Bytes of an event and of its parts."""
    return len(event.body) + sum(len(part.body or b"") for part in event.parts)


def snapshot_of(state: State[RuleState], seq: int) -> Snapshot:
    """A snapshot of a state, disposable and never trusted by an audit."""
    body = msgspec.json.encode({"rule": state.rule, "linear": state.linear})
    return Snapshot(seq=seq, state=body, digest=sha256(body).digest())


def restored(ruleset: Ruleset[RuleState], snapshot: Snapshot) -> State[RuleState] | None:
    """The state of a snapshot, None if it is damaged or of another shape."""
    if sha256(snapshot.state).digest() != snapshot.digest:
        return None
    try:
        halves = msgspec.json.decode(snapshot.state, type=SnapshotState)
        rule = msgspec.json.decode(halves.rule, type=ruleset.state)
        linear = msgspec.json.decode(halves.linear, type=Linear)
    except msgspec.MsgspecError:
        return None
    return State(rule=rule, linear=linear)
