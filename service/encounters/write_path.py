"""The write path: one action from its caller to its answer, shown from top to bottom.

    act          may this caller ask for it -> the encounter in memory -> actions of its ruleset
    act_on       one request at a time under one key
    _write       decide behind the newest head, in flight or not; on a conflict decide again
    _prepare     decide -> seal, one event after another
    _submit      hand the events to the group commit: their head is in flight now
    _land        what became of the append, whether or not the caller is still there
    _release     stored: publish -> cache -> snapshot
    _settle      the answer

How this works. Keys come first, but cost nothing where nothing went wrong: the append itself says
that a key was used before. What is refused, or was done before, is seen to by `repeated_requests`;
snapshots and text that goes for good by `after_commit`.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import UNSET

from service.encounters.access import not_found, require_own
from service.encounters.after_commit import AfterCommit
from service.encounters.cache import Cache, InFlightHead, LoadedEncounter, caller_of
from service.encounters.clock_and_ids import ClockLead, Sources, etag
from service.encounters.group_commit import (
    BatchTally,
    CommitResult,
    Committed,
    Committer,
    once_stored,
)
from service.encounters.held_back import HeldNow, nothing_held
from service.encounters.long_work import LongWork
from service.encounters.narrations import name_those_meant
from service.encounters.pending_events import ActCall, PendingEvents, opens_decision
from service.encounters.principal import Principal
from service.encounters.receipts import Signer
from service.encounters.repeated_requests import Conflicted, RepeatedRequests
from service.encounters.requests import ActRequest, place_under
from service.encounters.responses import Acted, ActionsAnswer
from service.encounters.timers.upcoming_deadlines import UpcomingDeadlines
from service.engine.battle import decide
from service.engine.battle.linear import Linear, seat_of
from service.engine.battle.permission import require_role
from service.engine.battle.state import RuleState, State, viewer_of
from service.engine.vocabulary.actions import Answer, Rewind
from service.errors import (
    ConflictingRequest,
    Forbidden,
    Malformed,
    NotFound,
    PreconditionFailed,
    PreconditionRequired,
    Refused,
    Unauthenticated,
    Unavailable,
    WarlogError,
)
from service.eventstore.log_writes import as_read_back
from service.eventstore.records import (
    Conflict,
    Duplicate,
    Failed,
    Missing,
    StoredEvent,
)
from service.eventstore.store import EventStore

MAX_RETRIES = 64
"""How often one request is decided again because another process appended first."""

SNAPSHOT_EVERY = 64
SNAPSHOT_BYTES = 256 * 1024
"""A snapshot is written at every so many events, or bytes of events, whichever comes first."""

_OF_ROWS = ("remove_seat", "configure")
"""Types of actions that may change what also is in rows next to the log."""

_STOPS_A_LIST = (Refused, Forbidden, NotFound, Unauthenticated)
"""What an action of a list may be refused with, while those before it stay."""

PublishCommitted = Callable[[UUID, Sequence[StoredEvent], Linear], None]
"""Called with events of an encounter that were stored, and the linear half behind the last."""

SeatRemoved = Callable[[UUID, str], None]
"""Called with an encounter and the id of a seat of it that no longer exists."""


class WritePath:
    """Decides and appends actions; `act` is for callers, `act_on` for the service itself."""

    def __init__(
        self,
        store: EventStore,
        cache: Cache,
        signer: Signer,
        sources: Sources,
        publish: PublishCommitted,
        deadlines: UpcomingDeadlines,
        held: HeldNow = nothing_held,
    ) -> None:
        self._store = store
        self._held = held
        self._cache = cache
        self._signer = signer
        self._sources = sources
        self._publish = publish
        self._deadlines = deadlines
        self._committer = Committer(store.writer, signer)
        self._repeats = RepeatedRequests(store, cache, signer)
        self._under_way: set[object] = set()
        self._is_idle = asyncio.Event()
        self._afterwards = AfterCommit(store, cache)
        self.clock_lead = ClockLead()
        self._seat_removed: list[SeatRemoved] = []

    def on_seat_removed(self, removed: SeatRemoved) -> None:
        """Call this with each seat that was removed and its encounter, before the answer."""
        self._seat_removed.append(removed)

    async def act(
        self,
        who: Principal,
        encounter: UUID,
        request: ActRequest,
        key: str | None,
        if_match: str | None,
    ) -> Acted:
        """One action, or several in order.

        Raises NotFound, Unauthenticated, Malformed, and what `act_on` raises.
        """
        touches_rows = any(item.action.get("type") in _OF_ROWS for item in request.items)
        require_own(who, encounter)
        recent = await self._cache.recent(encounter, who.tenant)
        seat = who.acting_for
        if recent is not None and seat is not None and seat_of(recent.state.linear, seat) is None:
            # The seat was removed, or added elsewhere since this process looked.
            recent = await self._cache.current(encounter, who.tenant)
        battle, by = caller_of(who, encounter, recent)
        actions = request.typed(battle.ruleset)
        acted = await self.act_on(battle, ActCall(who, by, request, actions, key, if_match))
        if not acted.replayed and battle.state.rule.options.has_time_limit:
            self._deadlines.committed(battle)
        if touches_rows:
            await self._update_rows(encounter, request, acted.answer)
        return acted

    async def _update_rows(
        self, encounter: UUID, request: ActRequest, answer: ActionsAnswer
    ) -> None:
        """Bring the rows of seats and metadata in line with the log; again after a replay."""
        for seat in request.removed_seats(answer.accepted):
            with once_stored():
                await self._store.seats.remove(encounter, seat)
            for removed in self._seat_removed:
                removed(encounter, seat)
        for index, metadata in request.restated_metadata(answer.accepted):
            with once_stored():
                seq = answer.events[index].seq
                await self._store.directory.restate_metadata(encounter, seq, metadata)

    async def act_on(self, battle: LoadedEncounter, call: ActCall) -> Acted:
        """One action, or several in order, in a loaded encounter, by a caller who may see it.

        Raises PreconditionRequired, PreconditionFailed, ConflictingRequest, Forbidden, Malformed,
        Refused, UpgradeUnfinished, Unavailable.
        """
        _require_safe(call)
        ticket = object() if call.key is None else (battle.id, call.who.name, call.key)
        if ticket in self._under_way:
            raise ConflictingRequest("in_progress", key=call.key, retry_after=1)
        self._under_way.add(ticket)
        try:
            return await self._write(battle, call)
        finally:
            self._under_way.discard(ticket)
            if not self._under_way:
                self._is_idle.set()

    async def _write(self, battle: LoadedEncounter, call: ActCall) -> Acted:
        """Decide behind the newest head and append; on a conflict again behind the new one."""
        for _ in range(MAX_RETRIES):
            if self._store.probe.is_stuck:
                return await self._repeats.answer_or_raise(
                    battle, call, self._store.probe.refusal()
                )
            async with battle.lock:
                branch, before, pending = battle.branch, battle.tip, PendingEvents.behind(battle)
                refusal = await self._prepare(battle, call, pending)
                if battle.branch != branch:
                    # The encounter was set to another state than the one decided on.
                    continue
                head = None if refusal is not None else self._submit(battle, call, pending)
            try:
                if head is not None:
                    return await self._settle(battle, call, pending, head)
                if refusal is not None:
                    return await self._repeats.refuse(battle, call, pending, before, refusal)
            except Conflicted:
                async with battle.lock:
                    # Of the requests that failed together the first moves to the new head.
                    if battle.branch == branch:
                        battle.drop_tip()
                        await self._catch_up(battle)
        raise Unavailable("try_again", encounter=battle.id, retry_after=1)

    # --- decide --------------------------------------------------------------------------------

    async def _prepare(
        self, battle: LoadedEncounter, call: ActCall, pending: PendingEvents
    ) -> WarlogError | None:
        """Decide, and store what the events will need; why not, if that cannot be."""
        try:
            is_answers = all(isinstance(each, Answer) for each in call.actions)
            if call.if_match is not None and not is_answers:
                head = etag(pending.seq, pending.hash)
                if call.if_match != head:
                    raise PreconditionFailed(head=head, given=call.if_match)
            self._held().require_known(battle.ruleset, call.actions)
            await self._decide(battle, call, pending)
        except WarlogError as refusal:
            return refusal
        if pending.blobs:
            await self._store.writer.keep_blobs(battle.row.id, pending.new_blobs)
        after, earlier = pending.state.rule, battle.state.rule.options
        if after.status == "setup" and after.options.has_time_limit and not earlier.has_time_limit:
            await self._store.timers.begin(battle.row.id)
        return None

    async def _decide(self, battle: LoadedEncounter, call: ActCall, pending: PendingEvents) -> None:
        """Add an event for each action, up to one that is refused or that opens a decision.

        Raises what refuses the first action.
        """
        request, work = call.request, LongWork() if len(call.actions) > 1 else None
        for action, item, path in zip(call.actions, request.items, request.paths, strict=True):
            if opens_decision(pending.effects):
                return
            if work is not None:
                await work.pause()
            try:
                by = call.by_in(pending.state.linear)
                before = pending.state
                if isinstance(action, Rewind):
                    require_role(action, by)
                    before = await self._state_rewound(battle, action, pending)
                faces = () if item.dice is UNSET else item.dice
                await pending.add(battle, before, by, action, faces, self._sources)
            except WarlogError as refusal:
                # The problem has the words of the ruleset and the place in the request.
                refusal.ruleset = (battle.ruleset.slug, battle.ruleset.version)
                state = pending.state
                viewer = viewer_of(call.by_after(state.linear), state.rule, state.linear)
                name_those_meant(refusal, battle.ruleset, state, viewer)
                tag = str(action.__struct_config__.tag)
                refusal.names = {**refusal.names, "action": tag}
                if isinstance(refusal, Malformed | Refused):
                    place_under(path, refusal)
                if not pending.sealed or not isinstance(refusal, _STOPS_A_LIST):
                    raise
                pending.refusal = refusal
                return

    async def _state_rewound(
        self, battle: LoadedEncounter, rewind: Rewind, pending: PendingEvents
    ) -> State[RuleState]:
        """The state a rewind is decided on: the present one with the rule half it goes back to."""
        state, base = pending.state, decide.base_of(rewind, pending.next_seq)
        rule = pending.rules.get(base) or await self._cache.rule_at(battle, base)
        return State(rule=rule, linear=state.linear, terms=state.terms)

    # --- append --------------------------------------------------------------------------------

    def _submit(
        self, battle: LoadedEncounter, call: ActCall, pending: PendingEvents
    ) -> InFlightHead:
        """Send the events on their way; the head they make, in flight.

        From here on `_land` sees to them, whether or not the caller is still there.
        """
        done = self._committer.submit(
            pending.append_for(battle, call),
            lambda outcome: self._land(battle, pending, head, outcome),
        )
        last = pending.sealed[-1]
        head = battle.tip = InFlightHead(
            seq=last.seq,
            hash=last.hash,
            at=pending.at,
            state=pending.state,
            rules=pending.rules,
            branch=battle.branch,
            done=done,
        )
        return head

    def _land(
        self,
        battle: LoadedEncounter,
        pending: PendingEvents,
        head: InFlightHead,
        outcome: CommitResult | None,
    ) -> None:
        """It is known what became of an append: go on from there, before any caller is answered."""
        if battle.tip is head:
            battle.tip = None
        match outcome:
            case Committed(recorded_at=moment):
                self._release(battle, pending, moment)
            case Failed():
                # Once for all that failed together: what was decided or loaded since then stays.
                if battle.branch == head.branch:
                    battle.drop_tip()
                self._cache.drop(battle)
            case _:
                pass

    def _release(self, battle: LoadedEncounter, pending: PendingEvents, moment: datetime) -> None:
        """The events are durable: publish them, move the cache on."""
        stored = pending.stored = tuple([as_read_back(each, moment) for each in pending.sealed])
        self.clock_lead.note(pending.at, moment, len(stored))
        self._publish(battle.row.id, stored, pending.state.linear)
        last = pending.sealed[-1]
        is_behind_erasure = battle.row.erasures != pending.erasures
        if not is_behind_erasure and battle.seq < last.seq:
            head = (last.seq, last.hash, pending.at)
            self._cache.advance(battle, pending.state, head, rules=pending.rules, size=pending.size)
        is_due = last.seq % SNAPSHOT_EVERY < len(stored) or battle.unkept >= SNAPSHOT_BYTES
        if is_due or pending.has_rewind:
            battle.unkept = 0
            self._afterwards.keep_snapshot(battle, pending)
        if is_behind_erasure or pending.erased:
            pending.erasing = self._afterwards.erase(battle, pending)

    async def _settle(
        self, battle: LoadedEncounter, call: ActCall, pending: PendingEvents, head: InFlightHead
    ) -> Acted:
        """Answer once it is known what became of the append. Raises Conflicted."""
        match await head.done:
            case Committed(receipt=receipt):
                if pending.erasing is not None:
                    with once_stored():
                        await asyncio.shield(pending.erasing)
                return pending.answer(battle, call, receipt)
            case Duplicate():
                with once_stored():
                    repeated = await self._repeats.answer(battle, call)
                if repeated is None:
                    raise Conflicted
                return repeated
            case Conflict() | Missing():
                raise Conflicted
            case Failed(error=error):
                raise error

    async def _catch_up(self, battle: LoadedEncounter) -> None:
        """Go to the head the log has now. Raises NotFound."""
        if not await self._cache.renew(battle):
            raise not_found(battle.id)

    @property
    def under_way(self) -> int:
        """How many requests are neither answered nor refused yet."""
        return len(self._under_way)

    @property
    def batches(self) -> BatchTally:
        """What went out in batches."""
        return self._committer.tally

    async def settle(self) -> None:
        """Wait for what is under way, with or without a caller: before the store is closed."""
        while self._under_way:
            self._is_idle.clear()
            await self._is_idle.wait()
        await self._committer.settle()
        await self._afterwards.settle()


def _require_safe(call: ActCall) -> None:
    """A retry of the request cannot act twice, and supplied faces are for those who may roll.

    Raises PreconditionRequired, Forbidden("scope_missing").
    """
    # A decision is answered once, however often the answer is sent.
    is_answer = len(call.actions) == 1 and isinstance(call.actions[0], Answer)
    if call.key is None and call.if_match is None and not is_answer:
        raise PreconditionRequired(allowed=["Idempotency-Key", "If-Match"])
    may_roll = call.who.acting_for is not None or "dice" in call.who.scopes
    if not may_roll and any(item.dice is not UNSET for item in call.request.items):
        raise Forbidden("scope_missing", scope="dice")
