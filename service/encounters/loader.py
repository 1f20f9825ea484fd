"""Rebuilds states from the log: snapshots where there are some, the fold for the rest.

How this works. A snapshot holds both halves of the state after its seq. From the last one at or
before the wanted seq every event is folded in order, dead branches too, because the linear half
needs them. An event that continues an earlier seq (a rewind) takes the rule half from there; if
that lies before the snapshot, it is rebuilt the same way. Since a snapshot is written at every
rewind, that is rare and its cost does not grow with the number of steps taken back. Of all other
rule halves none is kept. While a page of the log is folded, the next one is read.
"""

from collections.abc import Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from service.encounters.clock_and_ids import timestamp
from service.encounters.long_work import LARGE_BYTES, LongWork, apart, computed, is_large
from service.encounters.shared_values import SharedBlobs
from service.engine.battle import fold as folding
from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState, State, UnknownEffect
from service.engine.log import event as events
from service.engine.log.event import Event
from service.engine.log.parts import PartName
from service.engine.ruleset.definition import Ruleset
from service.errors import NewerVersion, NotFound
from service.eventstore.reading_ahead import pages_of
from service.eventstore.records import EventBody, Snapshot, StoredEvent
from service.eventstore.store import EventStore

ENGINE_VERSION = "4"
PAGE = 500


class SnapshotState(Struct, frozen=True, kw_only=True):
    """Both halves of a state as a snapshot keeps them."""

    rule: Raw
    linear: Raw


@dataclass(slots=True)
class Fold:
    """A state, and by seq the rule halves that the log goes back to.

    `size` are the bytes of the events folded, `at` is the moment of the last one, empty if none
    was folded.
    """

    state: State[RuleState] | None
    seq: int
    rules: dict[int, RuleState] = field(default_factory=dict)
    size: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class Folded:
    """The state at a seq, the moment of its event, and the bytes of the events behind the snapshot
    it was made from.
    """

    state: State[RuleState]
    size: int
    at: str


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
        terms = ruleset.terms(blobs)
        state = State(rule=fold.state.rule, linear=fold.state.linear, terms=terms)
        at = fold.at or await self._moment_of(encounter, seq)
        return Folded(state=state, size=fold.size, at=at)

    async def _moment_of(self, encounter: UUID, seq: int) -> str:
        """When an event was decided that a snapshot is behind."""
        page = await self.store.log.bodies(encounter, after=seq - 1, until=seq, limit=1)
        return moment_in(page[0].body) if page else ""

    async def continued(
        self,
        encounter: UUID,
        ruleset: Ruleset[RuleState],
        fold: Fold,
        until: int,
        behind: str | None = None,
    ) -> Fold:
        """Fold on to event `until`, and only if the log continues behind this hash, if one is
        given.

        A caller that gives one compares the fold's seq: it may not have got to `until`.
        """
        bases = set[int]()
        if until - fold.seq > PAGE:
            bases.update(base for _, base in await self.store.log.rewinds(encounter))
        pages = pages_of(partial(self._page, encounter, until=until), fold.seq, until)
        async with aclosing(pages):
            async for page in pages:
                if behind is not None and behind.encode() not in page[0].body:
                    break
                behind = None
                bases.update(stored.base for stored in page if stored.base != stored.seq - 1)
                await self.fold_on(encounter, ruleset, fold, page, bases)
        return fold

    async def _page(self, encounter: UUID, after: int, *, until: int) -> tuple[EventBody, ...]:
        return await self.store.log.bodies(encounter, after=after, until=until, limit=PAGE)

    async def fold_on(
        self,
        encounter: UUID,
        ruleset: Ruleset[RuleState],
        fold: Fold,
        page: tuple[EventBody, ...],
        bases: Collection[int] = (),
    ) -> None:
        """Fold the events of a page, which follow the fold; the rule halves at `bases` are kept.

        Raises NewerVersion for an event that this build does not know.
        """
        work = LongWork()
        for stored in page:
            before = fold.state
            if before is not None and stored.base != fold.seq:
                rule = fold.rules.get(stored.base)
                if rule is None:
                    rule = (await self.state_at(encounter, ruleset, stored.base)).rule
                    fold.rules[stored.base] = rule
                before = State(rule=rule, linear=before.linear, terms=before.terms)
            try:
                fold.state = await _applied_apart(ruleset, before, stored)
            except (msgspec.ValidationError, msgspec.DecodeError, UnknownEffect) as error:
                raise NewerVersion(encounter=str(encounter), seq=stored.seq) from error
            fold.seq = stored.seq
            fold.size += stored.size
            if stored.seq in bases:
                fold.rules[stored.seq] = fold.state.rule
            await work.pause()
        fold.at = moment_in(page[-1].body)

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


async def _applied_apart(
    ruleset: Ruleset[RuleState], before: State[RuleState] | None, stored: EventBody
) -> State[RuleState]:
    """As `applied`; a large event of a large battle is applied in the worker thread."""
    if stored.size <= LARGE_BYTES or not (before is None or is_large(before.rule)):
        return applied(ruleset, before, stored)
    state = None if before is None else apart(before)
    return await computed(lambda: applied(ruleset, state, stored), is_large=True)


def applied(
    ruleset: Ruleset[RuleState], before: State[RuleState] | None, stored: EventBody
) -> State[RuleState]:
    """The state after an event; no more of it is opened than the fold reads."""
    if before is not None and not before.linear.floors:
        decoder = events.facts_decoder_of(ruleset.event)
        # Where nothing is to be laid in, it matters to nobody which sides there are.
        sides = sides_of(stored.body, before) if stored.parts else ()
        facts = events.decode(decoder, stored.body, stored.parts, sides)
        state = folding.apply_facts(ruleset, before, facts)
        if state is not None:
            return state
    event = open_event(ruleset, stored.body, stored.parts, before)
    return folding.apply(ruleset, before, event)


def open_event(
    ruleset: Ruleset[RuleState],
    body: bytes,
    filled: Mapping[PartName, bytes],
    before: State[RuleState] | None,
) -> Event:
    """The full event as its ruleset's type; erased text is absent."""
    sides = sides_of(body, before)
    return events.decode(events.decoder_of(ruleset.event), body, filled, sides)


def sides_of(body: bytes, before: State[RuleState] | None) -> tuple[str, ...]:
    """Ids of the sides in setup order: from the state, or from event 1 itself."""
    if before is not None:
        return tuple(side.id for side in before.rule.sides)
    first = msgspec.json.decode(body, type=_First)
    return tuple(side.id for side in first.action.sides)


class _Moment(Struct):
    at: datetime


def moment_in(body: bytes) -> str:
    """When an event says that it was decided; empty where it says no moment."""
    try:
        return timestamp(msgspec.json.decode(body, type=_Moment).at)
    except msgspec.MsgspecError:
        return ""


class _Side(Struct):
    id: str


class _Create(Struct):
    sides: tuple[_Side, ...]


class _First(Struct):
    action: _Create


def known_parts(stored: StoredEvent) -> dict[PartName, bytes]:
    """The parts that are there: (kind, audience) to bytes, erased ones left out."""
    return {(part.kind, part.audience): part.body for part in stored.parts if part.body is not None}


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
    return State(rule=rule, linear=linear, terms=ruleset.terms({}))
