"""The write path: decide on the head in memory, append behind it, decide again on a conflict.

How this works. Keys come first, but cost nothing where nothing went wrong: the append itself tells
that a key was used before. A refusal is only told after the log was asked whether the same request
had succeeded already, and whether the head it was decided on is still the head.
"""

import asyncio
import contextlib
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from service.encounters.access import not_found
from service.encounters.answers import ActionsAnswer, Stopped
from service.encounters.live import Cache, InFlight, Live, dice_of, etag
from service.encounters.loading import ENGINE_VERSION, snapshot_of
from service.encounters.principal import Principal
from service.encounters.receipts import Signer
from service.encounters.requests import ActionItem, ActRequest, convert
from service.encounters.sources import Sources, timestamp
from service.encounters.viewing import event_record, open_decisions, viewer_then
from service.engine import canonical, conduct, folding, hashing
from service.engine import event as events
from service.engine.actions import Action, Answer, Erase, Rewind
from service.engine.effects import DecisionOpened
from service.engine.event import Event, SealedEvent, Sealer
from service.engine.state import RuleState, State, viewer_of
from service.engine.vocabulary import By
from service.errors import (
    ConflictingRequest,
    Forbidden,
    PreconditionFailed,
    PreconditionRequired,
    Refused,
    Unavailable,
    WarlogError,
)
from service.eventstore.records import (
    Append,
    Appended,
    Blob,
    Command,
    Conflict,
    Duplicate,
    Failed,
    Missing,
    NewEvent,
    Outcome,
    Snapshot,
    StoredEvent,
    StoredPart,
)
from service.eventstore.store import EventStore

SALT_BYTES = 16
MAX_RETRIES = 64
SNAPSHOT_EVERY = 64


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: who, for what, under which key and behind which head."""

    who: Principal
    by: By
    request: ActRequest
    key: str | None
    if_match: str | None


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of it; `refusal` is why a list stopped, `replayed` that it was answered before."""

    answer: ActionsAnswer
    refusal: WarlogError | None = None
    replayed: bool = False


@dataclass(slots=True)
class Plan:
    """Events decided behind one head but not yet stored, and the state they lead to."""

    seq: int
    hash: str
    state: State[RuleState]
    rules: dict[int, RuleState]
    events: list[Event] = field(default_factory=list)
    sealed: list[SealedEvent] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    refusal: WarlogError | None = None

    @property
    def opened_decision(self) -> bool:
        """Whether the last event asks somebody something."""
        last = self.events[-1].effects if self.events else ()
        return any(isinstance(effect, DecisionOpened) for effect in last)

    @property
    def erased(self) -> tuple[int, ...]:
        """The seqs whose text is to go."""
        erasures = [event.action for event in self.events if isinstance(event.action, Erase)]
        return tuple(seq for erasure in erasures for seq in erasure.seqs)


class Conflicted(Exception):
    """The head moved: read the tail and decide again."""


class Actor:
    """Decides and appends actions."""

    def __init__(self, store: EventStore, cache: Cache, signer: Signer, sources: Sources) -> None:
        self._store = store
        self._cache = cache
        self._signer = signer
        self._sources = sources
        self._in_flight = InFlight()
        self._tasks: set[asyncio.Task[None]] = set()

    async def act(self, live: Live, asked: Asked) -> Acted:
        """One action, or several in order.

        Raises PreconditionRequired, PreconditionFailed, ConflictingRequest, Forbidden, Malformed,
        Refused, Unavailable.
        """
        actions = self._read(live, asked)
        # A caller that hangs up must not leave a write half known.
        return await asyncio.shield(asyncio.create_task(self._act(live, asked, actions)))

    async def _act(self, live: Live, asked: Asked, actions: tuple[Action, ...]) -> Acted:
        if asked.key is None:
            return await self._locked(live, asked, actions)
        ticket = self._in_flight.enter(live.row.id, asked.who.name, asked.key)
        try:
            return await self._locked(live, asked, actions)
        finally:
            self._in_flight.leave(ticket)

    def _read(self, live: Live, asked: Asked) -> tuple[Action, ...]:
        path = "$.actions[{}].action" if asked.request.is_list else "$.action"
        actions: tuple[Action, ...] = tuple(
            convert(item.action, live.ruleset.action, path.format(index))
            for index, item in enumerate(asked.request.items)
        )
        is_safe = all(isinstance(action, Answer) for action in actions) and len(actions) == 1
        if asked.key is None and asked.if_match is None and not is_safe:
            raise PreconditionRequired(allowed=["Idempotency-Key", "If-Match"])
        supplies = any(item.dice is not UNSET for item in asked.request.items)
        if supplies and asked.who.acting_for is None and "dice" not in asked.who.scopes:
            raise Forbidden("scope_missing", scope="dice")
        return actions

    async def _locked(self, live: Live, asked: Asked, actions: tuple[Action, ...]) -> Acted:
        async with live.lock:
            for _ in range(MAX_RETRIES):
                try:
                    return await self._attempt(live, asked, actions)
                except Conflicted:
                    await self._catch_up(live)
        raise Unavailable("try_again", encounter=live.id, retry_after=1)

    async def _attempt(self, live: Live, asked: Asked, actions: tuple[Action, ...]) -> Acted:
        plan = Plan(
            seq=live.seq,
            hash=live.hash,
            state=live.state,
            rules={live.seq: live.state.rule},
        )
        try:
            if not isinstance(actions[0], Answer):
                _require_head(plan, asked)
            await self._decide(live, asked, plan, actions)
        except WarlogError as refusal:
            repeated = await self._repeated(live, asked)
            if repeated is not None:
                return repeated
            if not await self._is_head(live, plan):
                raise Conflicted from refusal
            raise
        if plan.blobs:
            await self._store.writer.keep_blobs(live.row.id, _blobs(plan))
        outcome = (await self._store.writer.append([_append_of(live, asked, plan)]))[0]
        return await self._settled(live, asked, plan, outcome)

    async def _is_head(self, live: Live, plan: Plan) -> bool:
        """Whether what was decided on is still the log's end."""
        row = await self._store.log.head(live.row.id)
        return row is None or (row.head_seq, row.head_hash.hex()) == (plan.seq, plan.hash)

    async def _catch_up(self, live: Live) -> None:
        """Read the tail another process wrote. Raises NotFound, Unavailable("try_again")."""
        row = await self._store.log.head(live.row.id)
        if row is None:
            self._cache.forget(live.row.id)
            raise not_found(live.id)
        if (row.head_seq, row.head_hash.hex()) == (live.seq, live.hash):
            return
        if not await self._cache.catch_up(live, row):
            self._cache.forget(live.row.id)
            raise Unavailable("try_again", encounter=live.id, retry_after=1)

    async def _settled(self, live: Live, asked: Asked, plan: Plan, outcome: Outcome) -> Acted:
        match outcome:
            case Appended(recorded_at=moment):
                stored = tuple(stored_event(sealed, moment) for sealed in plan.sealed)
                return await self._commit(live, asked, plan, stored)
            case Duplicate():
                repeated = await self._repeated(live, asked)
                if repeated is None:
                    raise Conflicted
                return repeated
            case Conflict():
                raise Conflicted
            case Missing():
                raise Conflicted
            case Failed(error=error):
                self._cache.forget(live.row.id)
                raise error

    async def _decide(
        self, live: Live, asked: Asked, plan: Plan, actions: tuple[Action, ...]
    ) -> None:
        for action, item in zip(actions, asked.request.items, strict=True):
            try:
                await self._decide_one(live, asked, plan, action, item)
            except (Refused, Forbidden) as refusal:
                if not plan.events:
                    raise
                plan.refusal = refusal
                return
            if plan.opened_decision:
                return

    async def _decide_one(
        self, live: Live, asked: Asked, plan: Plan, action: Action, item: ActionItem
    ) -> None:
        seq = plan.seq + len(plan.events) + 1
        base = conduct.base_of(action, seq)
        before = plan.state
        if base != seq - 1:
            rule = plan.rules.get(base) or await self._cache.rule_at(live, base)
            before = State(rule=rule, linear=before.linear, blobs=before.blobs)
        faces = () if item.dice is UNSET else item.dice
        if faces and before.rule.dice == "sealed":
            raise Refused("faces_not_taken", supplied=len(faces))
        dice = dice_of(live, before, seq, faces)
        effects = conduct.decide(live.ruleset, before, action, asked.by, seq, dice)
        event = live.ruleset.event(
            seq=seq,
            base=base,
            encounter=live.id,
            at=timestamp(self._sources.now()),
            by=asked.by,
            action=action,
            draws=dice.draws,
            effects=effects,
        )
        after, scopes = folding.unfold(live.ruleset, before, event)
        prev = plan.sealed[-1].hash if plan.sealed else plan.hash
        sealer = sealer_of(live.secret.seal_key, len(live.sides), self._sources)
        plan.sealed.append(events.seal(event, scopes, prev, sealer))
        plan.events.append(event)
        plan.state = _with_blobs(live, plan, action, after)
        plan.rules[seq] = after.rule

    async def _commit(
        self, live: Live, asked: Asked, plan: Plan, stored: tuple[StoredEvent, ...]
    ) -> Acted:
        last = plan.sealed[-1]
        if live.seq < last.seq:
            live.rules |= plan.rules
            live.moved_to(plan.state, last.seq, last.hash)
        if last.seq % SNAPSHOT_EVERY < len(plan.sealed) or _rewinds(plan):
            self._keep_snapshot(live, snapshot_of(plan.state, last.seq))
        if plan.erased:
            await self._erase(live, plan.erased)
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(asked.request.items):
            reason = "refused" if plan.refusal is not None else "decision"
            stopped = Stopped(index=len(stored), reason=reason)
        answer = await self._answer(live, asked, stored, stopped)
        return Acted(answer=answer, refusal=plan.refusal)

    async def _answer(
        self,
        live: Live,
        asked: Asked,
        stored: tuple[StoredEvent, ...],
        stopped: Stopped | UnsetType,
    ) -> ActionsAnswer:
        linear = live.state.linear
        last = stored[-1]
        now = viewer_of(asked.by, live.state.rule, linear)
        return ActionsAnswer(
            accepted=len(stored),
            events=tuple(
                event_record(each, viewer_then(asked.by, linear, live.sides, each.seq), live.sides)
                for each in stored
            ),
            version=last.seq,
            etag=etag(last.seq, last.hash.hex()),
            decisions=open_decisions(live.state.rule, now),
            receipt=await self._signer.receipt(live.id, live.seq, live.hash),
            stopped=stopped,
        )

    async def _repeated(self, live: Live, asked: Asked) -> Acted | None:
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
        if command.last_seq > live.seq:
            await self._catch_up(live)
        stored = await self._store.log.events(
            live.row.id,
            after=command.first_seq - 1,
            until=command.last_seq,
            limit=len(asked.request.items),
            audiences=None,
        )
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(asked.request.items):
            opened = b'"decision_opened"' in stored[-1].body
            stopped = Stopped(index=len(stored), reason="decision" if opened else "refused")
        answer = await self._answer(live, asked, stored, stopped)
        return Acted(answer=answer, replayed=True)

    async def _erase(self, live: Live, seqs: tuple[int, ...]) -> None:
        """Empty the text parts the log now says are erased, and forget what held their text."""
        self._cache.forget(live.row.id)
        await self._store.eraser.erase_text(live.row.id, until=live.seq, seqs=seqs)

    def _keep_snapshot(self, live: Live, snapshot: Snapshot) -> None:
        """Write a snapshot in the background; it may fail, nothing depends on it."""
        task = asyncio.create_task(self._put_snapshot(live, snapshot))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _put_snapshot(self, live: Live, snapshot: Snapshot) -> None:
        with contextlib.suppress(Unavailable):
            await self._store.snapshots.put(
                live.row.id,
                snapshot,
                engine_version=ENGINE_VERSION,
                erasures=live.row.erasures,
            )

    async def settle(self) -> None:
        """Wait for work in the background: before the store is closed."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def sealer_of(seal_key: bytes, sides: int, sources: Sources) -> Sealer:
    """The seal key and a fresh salt for every text part: everyone's, the sides', the GM's."""
    fresh = sources.random(SALT_BYTES * (sides + 2))
    salts = tuple(fresh[at : at + SALT_BYTES] for at in range(0, len(fresh), SALT_BYTES))
    return Sealer(seal_key=seal_key, text_salts=salts)


def new_event(sealed: SealedEvent) -> NewEvent:
    """An event as the store takes it; parts that say nothing are known by their commitment."""
    return NewEvent(
        seq=sealed.seq,
        base=sealed.base,
        hash=bytes.fromhex(sealed.hash),
        body=sealed.body,
        commits=b"".join(sealed.commits),
        parts=tuple(
            StoredPart(audience=part.audience, kind=part.kind, salt=part.salt, body=part.body)
            for part in sealed.parts
            if not part.is_empty
        ),
    )


def stored_event(sealed: SealedEvent, moment: datetime) -> StoredEvent:
    """The same event as it would be read back."""
    fresh = new_event(sealed)
    return StoredEvent(**msgspec.structs.asdict(fresh), recorded_at=moment)


def _require_head(plan: Plan, asked: Asked) -> None:
    """`If-Match` names the present head. Raises PreconditionFailed."""
    head = etag(plan.seq, plan.hash)
    if asked.if_match is not None and asked.if_match != head:
        raise PreconditionFailed(head=head, given=asked.if_match)


def _append_of(live: Live, asked: Asked, plan: Plan) -> Append:
    commands: tuple[Command, ...] = ()
    if asked.key is not None:
        commands = (
            Command(
                principal=asked.who.name,
                key=asked.key,
                fingerprint=asked.request.fingerprint,
                first_seq=plan.sealed[0].seq,
                last_seq=plan.sealed[-1].seq,
            ),
        )
    return Append(
        encounter_id=live.row.id,
        expected_seq=plan.seq,
        expected_hash=bytes.fromhex(plan.hash),
        events=tuple(new_event(sealed) for sealed in plan.sealed),
        commands=commands,
        status=plan.state.rule.status,
    )


def _with_blobs(
    live: Live, plan: Plan, action: Action, after: State[RuleState]
) -> State[RuleState]:
    """The state with the blobs that an action brought along, which are yet to be stored."""
    known = dict(after.blobs)
    for blob in live.ruleset.blobs(action):
        body = canonical.encode(blob)
        digest = hashing.blob_digest(body)
        plan.blobs[digest] = body
        known[digest] = blob
    return State(rule=after.rule, linear=after.linear, blobs=known)


def _blobs(plan: Plan) -> tuple[Blob, ...]:
    return tuple(
        Blob(digest=bytes.fromhex(digest), body=body) for digest, body in plan.blobs.items()
    )


def _rewinds(plan: Plan) -> bool:
    return any(isinstance(event.action, Rewind) for event in plan.events)
