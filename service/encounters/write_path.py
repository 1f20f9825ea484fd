"""The write path: decide on the head in memory, append behind it, decide again on a conflict.

How this works. Keys come first, but cost nothing where nothing went wrong: the append itself tells
that a key was used before. A refusal is only told after the log was asked whether the same request
had succeeded already, and whether the head it was decided on is still the head.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from service.encounters.access import not_found
from service.encounters.cache import Cache
from service.encounters.clock_and_ids import Sources, timestamp
from service.encounters.cursors import require_on_log
from service.encounters.event_sealing import sealer_of, stored_event
from service.encounters.group_commit import BatchTally, Committer, once_stored
from service.encounters.housekeeping import finish_erasure
from service.encounters.loaded import InFlight, InFlightHead, LoadedEncounter, dice_of, etag
from service.encounters.loader import ENGINE_VERSION, open_event, size_of, snapshot_of
from service.encounters.pending_events import (
    ActCall,
    PendingEvents,
    append_of,
    opens_decision,
    require_head,
    with_blobs,
)
from service.encounters.receipts import Signer
from service.encounters.requests import ActionItem, convert, within
from service.encounters.responses import ActionsAnswer, Receipt, Stopped
from service.encounters.timers.deadlines import is_timed
from service.encounters.views import event_record, open_decisions, viewer_then
from service.engine.battle import decide, fold
from service.engine.battle.permission import require_role
from service.engine.battle.state import Linear, RuleState, State, viewer_of
from service.engine.log import event as events
from service.engine.ruleset import refusing
from service.engine.vocabulary.actions import Action, Answer, NoteAction
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
from service.eventstore.records import (
    Appended,
    Command,
    Conflict,
    Duplicate,
    Failed,
    Missing,
    Snapshot,
    StoredEvent,
)
from service.eventstore.store import EventStore

MAX_RETRIES = 64
SNAPSHOT_EVERY = 64
SNAPSHOT_BYTES = 256 * 1024
"""A snapshot is written at every so many events, or bytes of events, whichever comes first."""


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of it; `refusal` is why a list stopped, `replayed` that it was answered before."""

    answer: ActionsAnswer
    refusal: WarlogError | None = None
    replayed: bool = False


PublishCommitted = Callable[[UUID, Sequence[StoredEvent], Linear], None]
"""Hears of events of an encounter that were stored, with that half of the state behind the last."""


class Conflicted(Exception):
    """The head moved: read the tail and decide again."""


class WritePath:
    """Decides and appends actions."""

    def __init__(
        self,
        store: EventStore,
        cache: Cache,
        signer: Signer,
        sources: Sources,
        tell: PublishCommitted,
    ) -> None:
        self._store = store
        self._cache = cache
        self._signer = signer
        self._sources = sources
        self._tell = tell
        self._committer = Committer(store.writer, signer)
        self._in_flight = InFlight()
        self._tasks: set[asyncio.Task[Acted] | asyncio.Task[None]] = set()

    async def act(self, live: LoadedEncounter, asked: ActCall) -> Acted:
        """One action, or several in order.

        Raises PreconditionRequired, PreconditionFailed, ConflictingRequest, Forbidden, Malformed,
        Refused, Unavailable.
        """
        actions = self._read(live, asked)
        # A caller that hangs up must not leave a write half known.
        task = asyncio.create_task(self._act(live, asked, actions))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _act(
        self, live: LoadedEncounter, asked: ActCall, actions: tuple[Action, ...]
    ) -> Acted:
        if asked.key is None:
            return await self._persevere(live, asked, actions)
        ticket = self._in_flight.enter(live.row.id, asked.who.name, asked.key)
        try:
            return await self._persevere(live, asked, actions)
        finally:
            self._in_flight.leave(ticket)

    def _read(self, live: LoadedEncounter, asked: ActCall) -> tuple[Action, ...]:
        asked.request.require_ruleset(live.row.ruleset)
        actions: tuple[Action, ...] = tuple(
            convert(item.action, live.ruleset.action, asked.request.path_of(index))
            for index, item in enumerate(asked.request.items)
        )
        for index, action in enumerate(actions):
            if isinstance(action, NoteAction) and action.text is action.gm_text is UNSET:
                path = asked.request.path_of(index)
                raise Malformed(path=f"{path}.text", allowed="text or gm_text")
        is_safe = all(isinstance(action, Answer) for action in actions) and len(actions) == 1
        if asked.key is None and asked.if_match is None and not is_safe:
            raise PreconditionRequired(allowed=["Idempotency-Key", "If-Match"])
        supplies = any(item.dice is not UNSET for item in asked.request.items)
        if supplies and asked.who.acting_for is None and "dice" not in asked.who.scopes:
            raise Forbidden("scope_missing", scope="dice")
        return actions

    async def _persevere(
        self, live: LoadedEncounter, asked: ActCall, actions: tuple[Action, ...]
    ) -> Acted:
        for _ in range(MAX_RETRIES):
            refused = self._store.probe.refusal()
            if refused is not None:
                return await self._repeated_or(live, asked, refused)
            async with live.lock:
                branch, before, plan = live.branch, live.tip, PendingEvents.behind(live)
                refusal = await self._planned(live, asked, plan, actions)
                if live.branch != branch:
                    # Meanwhile it was set to another state than the one decided on.
                    continue
                result = refusal or self._hand_over(live, asked, plan)
            try:
                if isinstance(result, InFlightHead):
                    return await self._settled(live, asked, plan, result)
                return await self._refused(live, asked, plan, before, result)
            except Conflicted:
                async with live.lock:
                    # Of those that failed together the first one leads the others to the new head.
                    if live.branch == branch:
                        live.drop_tip()
                        await self._catch_up(live)
        raise Unavailable("try_again", encounter=live.id, retry_after=1)

    async def _repeated_or(
        self, live: LoadedEncounter, asked: ActCall, refusal: WarlogError
    ) -> Acted:
        """Nothing is committed now: the answer to what was before, or the refusal."""
        repeated = await self._repeated(live, asked)
        if repeated is None:
            raise refusal
        return repeated

    async def _planned(
        self,
        live: LoadedEncounter,
        asked: ActCall,
        plan: PendingEvents,
        actions: tuple[Action, ...],
    ) -> WarlogError | None:
        """Decide, and store what the events will need; why not, if that cannot be."""
        try:
            if not all(isinstance(action, Answer) for action in actions):
                require_head(plan, asked)
            await self._decide(live, asked, plan, actions)
        except WarlogError as refusal:
            return refusal
        if plan.blobs:
            await self._store.writer.keep_blobs(live.row.id, plan.new_blobs)
        after = plan.state.rule
        if after.status == "setup" and is_timed(after) and not is_timed(live.state.rule):
            await self._store.timers.begin(live.row.id)
        return None

    def _hand_over(
        self, live: LoadedEncounter, asked: ActCall, plan: PendingEvents
    ) -> InFlightHead:
        """Send the events on their way; the head they make, in flight."""
        append = msgspec.structs.replace(append_of(live, asked, plan), erases=plan.erased)
        live.tip = plan.tip(live.branch, self._committer.submit(append))
        return live.tip

    async def _refused(
        self,
        live: LoadedEncounter,
        asked: ActCall,
        plan: PendingEvents,
        before: InFlightHead | None,
        refusal: WarlogError,
    ) -> Acted:
        """Tell a refusal once what it was decided on is committed and was the log's end.

        Before that, the same request may turn out to have succeeded earlier.
        """
        if before is not None:
            await asyncio.wait([before.done])
            if not isinstance(before.done.result().outcome, Appended):
                raise Conflicted from refusal
        repeated = await self._repeated(live, asked)
        if repeated is not None:
            return repeated
        if before is None and not await self._is_head(live, plan):
            raise Conflicted from refusal
        if isinstance(refusal, PreconditionFailed) and asked.if_match is not None:
            with contextlib.suppress(Malformed):
                log, given = self._store.log, asked.if_match
                await require_on_log(log, live.row.id, plan.seq, given, "If-Match")
        raise refusal

    async def _is_head(self, live: LoadedEncounter, plan: PendingEvents) -> bool:
        """Whether what was decided on is still the log's end."""
        row = await self._store.log.head(live.row.id)
        return row is None or (row.head_seq, row.head_hash.hex()) == (plan.seq, plan.hash)

    async def _catch_up(self, live: LoadedEncounter) -> None:
        """Go to the head the log has now. Raises NotFound."""
        if not await self._cache.renew(live):
            raise not_found(live.id)

    async def _settled(
        self, live: LoadedEncounter, asked: ActCall, plan: PendingEvents, tip: InFlightHead
    ) -> Acted:
        """Answer once it is known what became of the append."""
        await asyncio.wait([tip.done])
        if live.tip is tip:
            live.tip = None
        settled = tip.done.result()
        match settled.outcome:
            case Appended(recorded_at=moment):
                stored = tuple(stored_event(sealed, moment) for sealed in plan.sealed)
                with once_stored():
                    return await self._commit(live, asked, plan, stored, settled.receipt)
            case Duplicate():
                with once_stored():
                    repeated = await self._repeated(live, asked)
                if repeated is None:
                    raise Conflicted
                return repeated
            case Conflict() | Missing():
                raise Conflicted
            case Failed(error=error):
                # Once for all that failed together: what was decided or loaded since then stays.
                if live.branch == tip.branch:
                    live.drop_tip()
                self._cache.drop(live)
                raise error

    async def _decide(
        self,
        live: LoadedEncounter,
        asked: ActCall,
        plan: PendingEvents,
        actions: tuple[Action, ...],
    ) -> None:
        for index, (action, item) in enumerate(zip(actions, asked.request.items, strict=True)):
            try:
                with refusing(live.ruleset), within(asked.request.path_of(index)):
                    await self._decide_one(live, asked, plan, action, item)
            except (Refused, Forbidden, NotFound, Unauthenticated) as refusal:
                if not plan.events:
                    raise
                plan.refusal = refusal
                return
            if plan.opened_decision:
                return

    async def _decide_one(
        self,
        live: LoadedEncounter,
        asked: ActCall,
        plan: PendingEvents,
        action: Action,
        item: ActionItem,
    ) -> None:
        by = asked.by_in(plan.state.linear)
        require_role(action, by)
        seq = plan.seq + len(plan.events) + 1
        base = decide.base_of(action, seq)
        before = plan.state
        if base != seq - 1:
            rule = plan.rules.get(base) or await self._cache.rule_at(live, base)
            before = State(rule=rule, linear=before.linear, blobs=before.blobs)
        faces = () if item.dice is UNSET else item.dice
        if faces and before.rule.dice == "sealed":
            decide.require_askable(before, action, by, seq)
            raise Refused("faces_not_taken", supplied=len(faces), dice="sealed")
        dice = dice_of(live, before, seq, faces)
        effects = decide.decide(live.ruleset, before, action, by, seq, dice)
        event = live.ruleset.event(
            seq=seq,
            base=base,
            encounter=live.id,
            at=timestamp(self._sources.now()),
            by=by,
            action=action,
            draws=dice.draws,
            effects=effects,
        )
        after, scopes = fold.unfold(live.ruleset, before, event)
        prev = plan.sealed[-1].hash if plan.sealed else plan.hash
        sealer = sealer_of(live.secret.seal_key, len(live.sides), self._sources)
        plan.sealed.append(events.seal(event, scopes, prev, sealer))
        plan.events.append(event)
        plan.state = with_blobs(live, plan, action, after)
        plan.rules[seq] = after.rule

    async def _commit(
        self,
        live: LoadedEncounter,
        asked: ActCall,
        plan: PendingEvents,
        stored: tuple[StoredEvent, ...],
        receipt: Receipt | None,
    ) -> Acted:
        self._tell(live.row.id, stored, plan.state.linear)
        last = plan.sealed[-1]
        if live.row.erasures != plan.erasures:
            await self._catch_up(live)
        elif live.seq < last.seq:
            size = sum(map(size_of, stored))
            self._cache.advance(
                live, plan.state, (last.seq, last.hash), rules=plan.rules, size=size
            )
        is_due = last.seq % SNAPSHOT_EVERY < len(plan.sealed) or live.unkept >= SNAPSHOT_BYTES
        if is_due or plan.rewinds:
            live.unkept = 0
            self._keep_snapshot(live, snapshot_of(plan.state, last.seq), plan.erasures)
        if plan.erased:
            await self._erase(live, plan.erased)
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(asked.request.items):
            reason = "refused" if plan.refusal is not None else "decision"
            stopped = Stopped(index=len(stored), reason=reason)
        answer = await self._answer(live, plan.state, asked, stored, (stopped, receipt))
        return Acted(answer=answer, refusal=plan.refusal)

    async def _answer(
        self,
        live: LoadedEncounter,
        state: State[RuleState],
        asked: ActCall,
        stored: tuple[StoredEvent, ...],
        end: tuple[Stopped | UnsetType, Receipt | None],
    ) -> ActionsAnswer:
        stopped, receipt = end
        linear, terms = state.linear, live.terms
        last = stored[-1]
        by = asked.by_after(linear)
        now = viewer_of(by, state.rule, linear)
        return ActionsAnswer(
            ruleset=live.row.ruleset,
            accepted=len(stored),
            events=tuple(
                event_record(each, viewer_then(by, linear, terms.sides, each.seq), terms)
                for each in stored
            ),
            version=last.seq,
            etag=etag(last.seq, last.hash.hex()),
            decisions=open_decisions(state.rule, now),
            receipt=receipt or await self._signer.receipt(live.id, live.seq, live.hash),
            stopped=stopped,
        )

    async def _repeated(self, live: LoadedEncounter, asked: ActCall) -> Acted | None:
        """The answer to the same request if it succeeded before, made from the log.

        Raises ConflictingRequest("idempotency_key_reused") for another request under its key.
        """
        if asked.key is None:
            return None
        command = await self._store.log.command(live.row.id, asked.who.name, asked.key)
        if command is None:
            return None
        if command.fingerprint not in (b"", asked.request.fingerprint):
            raise ConflictingRequest("idempotency_key_reused", key=asked.key)
        with once_stored():
            return await self._told_again(live, asked, command)

    async def _told_again(self, live: LoadedEncounter, asked: ActCall, command: Command) -> Acted:
        """The answer to a request that succeeded, with the events it made then."""
        if command.last_seq > live.seq:
            await self._catch_up(live)
        # The first attempt may have failed between the event and the erasing.
        if await finish_erasure(self._store, live.row.id):
            self._cache.forget(live.row.id)
        stored = await self._store.log.events(
            live.row.id,
            after=command.first_seq - 1,
            until=command.last_seq,
            limit=len(asked.request.items),
            audiences=None,
        )
        if not stored:
            raise not_found(live.id)
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(asked.request.items):
            last = open_event(live.ruleset, stored[-1], live.state)
            stopped = Stopped(
                index=len(stored), reason="decision" if opens_decision(last.effects) else "refused"
            )
        answer = await self._answer(live, live.state, asked, stored, (stopped, None))
        return Acted(answer=answer, replayed=True)

    async def _erase(self, live: LoadedEncounter, seqs: tuple[int, ...]) -> None:
        """Empty the text parts the log now says are erased, and forget what held their text."""
        self._cache.forget(live.row.id)
        await self._store.eraser.erase_text(live.row.id, until=max(seqs), seqs=seqs)

    def _keep_snapshot(self, live: LoadedEncounter, snapshot: Snapshot, erasures: int) -> None:
        """Write a snapshot in the background; it may fail, nothing depends on it."""
        task = asyncio.create_task(self._put_snapshot(live, snapshot, erasures))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _put_snapshot(self, live: LoadedEncounter, snapshot: Snapshot, erasures: int) -> None:
        with contextlib.suppress(Unavailable):
            is_kept = await self._store.snapshots.put(
                live.row.id, snapshot, engine_version=ENGINE_VERSION, erasures=erasures
            )
            if not is_kept:
                # Text was erased since this was read: by another process, if it is still here.
                self._cache.drop(live)

    @property
    def batches(self) -> BatchTally:
        """What went out in batches."""
        return self._committer.tally

    async def settle(self) -> None:
        """Wait for work in the background: before the store is closed."""
        await self._committer.settle()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
