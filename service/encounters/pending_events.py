"""Events that are decided but not yet stored: behind which head, and what is to be appended."""

import asyncio
from collections.abc import Callable
from functools import lru_cache

from msgspec import UNSET, Struct, UnsetType, field

from service.encounters.access import not_seated
from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import Sources, timestamp
from service.encounters.long_work import apart, computed, is_large
from service.encounters.principal import Principal, by_of
from service.encounters.requests import ActRequest
from service.encounters.responses import Acted, Receipt, Replayable, Stopped
from service.encounters.views import actions_answer
from service.engine import hashing
from service.engine.battle import decide, fold
from service.engine.battle.linear import Contribution, Linear, seat_of
from service.engine.battle.permission import require_askable
from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import Dice, SealedDice, SuppliedDice
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import SALT_BYTES, SealedEvent, Sealer
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action, Configure, Erase, Rewind
from service.engine.vocabulary.effects import DecisionOpened, Effect
from service.engine.vocabulary.values import By
from service.errors import LogDamaged, Refused, WarlogError
from service.eventstore.records import Append, Blob, Command, Secret, StoredEvent


class ActCall(Struct, frozen=True):
    """One request: who, for what, under which key and behind which head.

    `actions` are those of the request, read as the ruleset's.
    """

    who: Principal
    by: By
    request: ActRequest
    actions: tuple[Action, ...]
    key: str | None
    if_match: str | None

    def by_in(self, linear: Linear) -> By:
        """The caller as the log names it, in the role that its seat has by now.

        Raises what `not_seated` makes for a seat that was removed.
        """
        if self.who.acting_for is None:
            return self.by
        seat = seat_of(linear, self.who.acting_for)
        if seat is None:
            raise not_seated(self.who)
        return self.by if seat.role == self.by.role else by_of(self.who, seat.role)

    def by_after(self, linear: Linear) -> By:
        """The caller as reader of the answer: an observer where its seat is removed by now."""
        if self.who.acting_for is None:
            return self.by
        seat = seat_of(linear, self.who.acting_for)
        return by_of(self.who, "observer" if seat is None else seat.role)


class PendingEvents(Struct):
    """Events decided behind one head but not yet stored, and the state they lead to.

    `seq` and `hash` are the head's, `at` is the moment of the last event, the head's if there is
    none yet. `rules` has the rule states that a rewind may go back to, by seq, as far as they are
    at hand. `effects` are those of the last event, `erased` the seqs whose text is to go, `size`
    the bytes of the events with their parts; `refusal` says why a list of actions stopped.
    Once they are durable, `stored` are the events as they are read back, and `erasing` what happens
    with text that is to go, if anything does.
    """

    seq: int
    hash: str
    at: str
    state: State[RuleState]
    rules: dict[int, RuleState]
    erasures: int
    sealed: list[SealedEvent] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()
    blobs: dict[str, bytes] = field(default_factory=dict)
    erased: tuple[int, ...] = ()
    size: int = 0
    has_rewind: bool = False
    refusal: WarlogError | None = None
    stored: tuple[StoredEvent, ...] = ()
    erasing: "asyncio.Task[None] | None" = None

    @classmethod
    def behind(cls, battle: LoadedEncounter) -> "PendingEvents":
        """None yet, on the newest head this process knows of, be it still in flight."""
        head = battle.tip or battle
        # What is committed by now need not be carried along: heads may follow without a pause.
        ahead = {} if battle.tip is None else battle.tip.rules
        rules = {seq: rule for seq, rule in ahead.items() if seq > battle.seq}
        rules[head.seq] = head.state.rule
        return cls(
            seq=head.seq,
            hash=head.hash,
            at=head.at,
            state=head.state,
            rules=rules,
            erasures=battle.row.erasures,
        )

    @property
    def next_seq(self) -> int:
        """The seq of the event to come."""
        return self.seq + len(self.sealed) + 1

    async def add(
        self,
        battle: LoadedEncounter,
        before: State[RuleState],
        by: By,
        action: Action,
        faces: tuple[int, ...],
        sources: Sources,
    ) -> None:
        """Decide an action on the state `before`, and seal the event behind those there are.

        `before` is the present state, or with the rule half that a rewind goes back to. That of a
        large battle is decided in the worker thread. Raises Refused, Forbidden, NotFound,
        LogDamaged; then nothing was added.
        """
        seq = self.next_seq
        if faces and before.rule.dice == "sealed":
            require_askable(before, action, by, seq)
            raise Refused("faces_not_taken", supplied=len(faces), dice="sealed")
        secret = battle.secret
        if secret is None:
            raise LogDamaged(encounter=battle.id, found="no_secret")
        terms = _Terms(
            ruleset=battle.ruleset,
            encounter=battle.id,
            seq=seq,
            # A clock may go back, a log never does.
            at=max(timestamp(sources.now()), self.at),
            prev=self.sealed[-1].hash if self.sealed else self.hash,
            faces=faces,
            secret=secret,
            random=sources.random,
        )
        if is_large(before.rule):
            state = apart(before)
            decided = await computed(lambda: _decided(terms, state, by, action), is_large=True)
        else:
            decided = _decided(terms, before, by, action)
        sealed, after = decided.sealed, decided.after
        self.sealed.append(sealed)
        self.at = terms.at
        self.size += len(sealed.body) + sum([len(part.body) for part in sealed.parts])
        self.state = after
        self.rules[seq] = after.rule
        self.effects = decided.effects
        if isinstance(action, Rewind):
            self.has_rewind = True
        elif isinstance(action, Erase):
            self.erased += action.seqs
        elif isinstance(action, Configure):
            self.state = self._with_blobs(battle, action, after)

    def _with_blobs(
        self, battle: LoadedEncounter, action: Configure, after: State[RuleState]
    ) -> State[RuleState]:
        """The state with the blobs that an action brought along, which are yet to be stored."""
        brought = battle.ruleset.blobs(action)
        if not brought:
            return after
        blobs: dict[str, object] = {}
        for blob in brought:
            body = canonical.encode(blob)
            digest = hashing.blob_digest(body)
            self.blobs[digest] = body
            blobs[digest] = blob
        terms = after.terms.with_blobs(blobs)
        return State(rule=after.rule, linear=after.linear, terms=terms)

    @property
    def new_blobs(self) -> tuple[Blob, ...]:
        """The blobs that the events name for the first time."""
        return tuple(
            Blob(digest=bytes.fromhex(digest), body=body) for digest, body in self.blobs.items()
        )

    def answer(self, battle: LoadedEncounter, call: ActCall, receipt: Receipt) -> Acted:
        """The answer to the request, once the events are stored."""
        stored, state = self.stored, self.state
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(call.request.items):
            reason = "refused" if self.refusal is not None else "decision"
            stopped = Stopped(index=len(stored), reason=reason)
        by = call.by_after(state.linear)
        answer = actions_answer(battle.terms, state, by, stored, stopped, receipt)
        return Replayable(answer=answer, refusal=self.refusal)

    def append_for(self, battle: LoadedEncounter, call: ActCall) -> Append:
        """The events, and the key they are asked for under, behind the head they follow."""
        commands: tuple[Command, ...] = ()
        if call.key is not None:
            commands = (
                Command(
                    principal=call.who.name,
                    key=call.key,
                    fingerprint=call.request.fingerprint,
                    first_seq=self.sealed[0].seq,
                    last_seq=self.sealed[-1].seq,
                ),
            )
        return Append(
            encounter_id=battle.row.id,
            expected_seq=self.seq,
            expected_hash=bytes.fromhex(self.hash),
            events=tuple(self.sealed),
            commands=commands,
            status=self.state.rule.status,
            erases=self.erased,
        )


class _Terms(Struct, frozen=True):
    """What an event is made of next to the state, the caller and the action."""

    ruleset: Ruleset[RuleState]
    encounter: str
    seq: int
    at: str
    prev: str
    faces: tuple[int, ...]
    secret: Secret
    random: Callable[[int], bytes]


class _Decided(Struct, frozen=True):
    """An event, what happened in it and the state behind it."""

    sealed: SealedEvent
    effects: tuple[Effect, ...]
    after: State[RuleState]


def _decided(terms: _Terms, before: State[RuleState], by: By, action: Action) -> _Decided:
    """Decide an action and seal its event; pure but for the salts. Raises Refused, Forbidden."""
    ruleset, seq = terms.ruleset, terms.seq
    dice, base = _dice(terms, before), decide.base_of(action, seq)
    effects = decide.decide(ruleset, before, action, by, seq, dice)
    event = ruleset.event(
        seq=seq,
        base=base,
        encounter=terms.encounter,
        at=terms.at,
        by=by,
        action=action,
        draws=tuple(dice.draws),
        effects=effects,
    )
    after, scopes = fold.unfold(ruleset, before, event)
    layout = events.lay_out(event, scopes)
    salt_bytes = SALT_BYTES * (len(before.rule.sides) + 2)
    text_salts = b"" if layout.is_public else terms.random(salt_bytes)
    sealed = events.seal(layout, terms.prev, Sealer(terms.secret.seal_key, text_salts))
    return _Decided(sealed=sealed, effects=effects, after=after)


def _dice(terms: _Terms, state: State[RuleState]) -> Dice:
    """The dice of an event: sealed streams, or the faces the table rolled."""
    seq, seed = terms.seq, terms.secret.seed
    if state.rule.dice == "supplied":
        return SuppliedDice(terms.faces, seq, seed=seed)
    key = dice_key_of(seed, terms.encounter, state.linear.contributions)
    return SealedDice(key, seq, seed=seed)


@lru_cache(maxsize=256)
def dice_key_of(seed: bytes, encounter: str, contributions: tuple[Contribution, ...]) -> bytes:
    """The key of an encounter's streams, the same from its start on."""
    mixed = hashing.entropy(tuple([bytes.fromhex(each.value) for each in contributions]))
    return hashing.dice_key(seed, encounter, mixed)


def opens_decision(effects: tuple[Effect, ...]) -> bool:
    """Whether an event asks somebody something."""
    return any(isinstance(effect, DecisionOpened) for effect in effects)
