"""What is decided but not yet stored: who asked for it, behind which head, and what to append."""

import asyncio
from dataclasses import dataclass, field

from service.encounters.access import not_seated
from service.encounters.event_sealing import new_event
from service.encounters.group_commit import Settled
from service.encounters.loaded import InFlightHead, LoadedEncounter, etag
from service.encounters.principal import Principal, by_of, is_seated
from service.encounters.requests import ActRequest
from service.engine.battle.state import Linear, RuleState, State, seat_of
from service.engine.log import canonical, hashing
from service.engine.log.event import Event, SealedEvent
from service.engine.vocabulary.actions import Action, Erase, Rewind
from service.engine.vocabulary.effects import DecisionOpened, Effect
from service.engine.vocabulary.values import By
from service.errors import PreconditionFailed, WarlogError
from service.eventstore.records import Append, Blob, Command


@dataclass(frozen=True, slots=True)
class ActCall:
    """One request: who, for what, under which key and behind which head."""

    who: Principal
    by: By
    request: ActRequest
    key: str | None
    if_match: str | None

    def by_in(self, linear: Linear) -> By:
        """Who asks, in the role that the seat has by now.

        Raises what `not_seated` makes for a seat that is there no more.
        """
        if self.who.acting_for is None:
            return self.by
        seat = seat_of(linear, self.who.acting_for)
        if seat is None:
            raise not_seated(self.who)
        return self.by if seat.role == self.by.role else by_of(self.who, seat.role)

    def by_after(self, linear: Linear) -> By:
        """The same for whoever is to be told what came of it: who sits there no more looks on."""
        is_gone = not is_seated(self.who, linear)
        return by_of(self.who, "observer") if is_gone else self.by_in(linear)


@dataclass(slots=True)
class PendingEvents:
    """Events decided behind one head but not yet stored, and the state they lead to."""

    seq: int
    hash: str
    state: State[RuleState]
    rules: dict[int, RuleState]
    erasures: int
    events: list[Event] = field(default_factory=list)
    sealed: list[SealedEvent] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    refusal: WarlogError | None = None

    @classmethod
    def behind(cls, live: LoadedEncounter) -> "PendingEvents":
        """A plan on the newest head this process knows of, be it still in flight."""
        head = live.tip or live
        # What is committed by now need not be carried along: heads may follow without a pause.
        ahead = {} if live.tip is None else live.tip.rules
        rules = {seq: rule for seq, rule in ahead.items() if seq > live.seq}
        return cls(
            seq=head.seq,
            hash=head.hash,
            state=head.state,
            rules=rules | {head.seq: head.state.rule},
            erasures=live.row.erasures,
        )

    def tip(self, branch: int, done: "asyncio.Future[Settled]") -> InFlightHead:
        """The head behind the planned events, on its way."""
        last = self.sealed[-1]
        return InFlightHead(
            seq=last.seq,
            hash=last.hash,
            state=self.state,
            rules=self.rules,
            branch=branch,
            done=done,
        )

    @property
    def opened_decision(self) -> bool:
        """Whether the last event asks somebody something."""
        return opens_decision(self.events[-1].effects if self.events else ())

    @property
    def erased(self) -> tuple[int, ...]:
        """The seqs whose text is to go."""
        erasures = [event.action for event in self.events if isinstance(event.action, Erase)]
        return tuple(seq for erasure in erasures for seq in erasure.seqs)

    @property
    def rewinds(self) -> bool:
        """Whether an event continues an earlier one."""
        return any(isinstance(event.action, Rewind) for event in self.events)

    @property
    def new_blobs(self) -> tuple[Blob, ...]:
        """The blobs that the events name for the first time."""
        return tuple(
            Blob(digest=bytes.fromhex(digest), body=body) for digest, body in self.blobs.items()
        )


def opens_decision(effects: tuple[Effect, ...]) -> bool:
    """Whether an event asks somebody something."""
    return any(isinstance(effect, DecisionOpened) for effect in effects)


def require_head(plan: PendingEvents, asked: ActCall) -> None:
    """`If-Match` names the present head. Raises PreconditionFailed."""
    head = etag(plan.seq, plan.hash)
    if asked.if_match is not None and asked.if_match != head:
        raise PreconditionFailed(head=head, given=asked.if_match)


def append_of(live: LoadedEncounter, asked: ActCall, plan: PendingEvents) -> Append:
    """The planned events, and the key they are asked for under, behind the head of the plan."""
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


def with_blobs(
    live: LoadedEncounter, plan: PendingEvents, action: Action, after: State[RuleState]
) -> State[RuleState]:
    """The state with the blobs that an action brought along, which are yet to be stored."""
    known = dict(after.blobs)
    for blob in live.ruleset.blobs(action):
        body = canonical.encode(blob)
        digest = hashing.blob_digest(body)
        plan.blobs[digest] = body
        known[digest] = blob
    return State(rule=after.rule, linear=after.linear, blobs=known)
