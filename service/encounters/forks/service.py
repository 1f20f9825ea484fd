"""Forks: who may take up a battle, and how its event 1 comes to be.

How this works. The state at the event named is read as for any view of the past, and becomes event
1 of a new encounter; to the battle itself nothing is written. The actions sent along are posted to
the fork as any others, under a key made of the request's: a request that was cut off in between is
finished by the same request sent again.
"""

from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.encounters import access
from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import Sources, etag
from service.encounters.creation import (
    KEY_BYTES,
    CreationTerms,
    created_once,
    decided,
    require_distinct_seats,
)
from service.encounters.forks.messages import ForkAnswer, ForkRequest
from service.encounters.long_work import apart, computed, is_large
from service.encounters.principal import FORKER_SEAT, Principal, seat_principal
from service.encounters.reads import Reads
from service.encounters.requests import ActionItem, ActRequest, convert, fingerprint, within
from service.encounters.responses import ActionsAnswer, Replayable, Stopped
from service.encounters.views import viewer_then
from service.encounters.write_path import WritePath
from service.engine import hashing
from service.engine.battle.continuation import standing_of
from service.engine.battle.creation import continued_by
from service.engine.battle.linear import Seat
from service.engine.battle.setup import Header
from service.engine.battle.state import RuleState, State
from service.engine.ruleset.definition import Ruleset, refusing
from service.engine.vocabulary.values import By, ForkOf
from service.errors import (
    ConflictingRequest,
    Forbidden,
    Malformed,
    NotFound,
    PreconditionFailed,
    Refused,
    WarlogError,
)
from service.eventstore.records import (
    Creation,
    NewEncounter,
    NewFork,
    SeatRow,
    Secret,
)


class ForkCall(Struct, frozen=True, kw_only=True):
    """One request for a fork: who, of which encounter, under which key.

    `token_hash` is the SHA-256 of the token that a seat is given which asks by its own.
    """

    who: Principal
    encounter: UUID
    key: str
    token_hash: bytes

    @property
    def principal(self) -> str:
        """Under which name the key is kept: a seat's is its own only within its encounter."""
        return f"{self.encounter}/{self.who.name}" if self.who.has_own_token else self.who.name

    def forker(self) -> By:
        """How the fork names its game master."""
        if self.who.has_own_token:
            return By(kind="seat", id=FORKER_SEAT, role="gm", seat=FORKER_SEAT)
        return self._key_alone.by_itself

    def in_fork(self, fork: UUID) -> Principal:
        """The caller in the fork."""
        if self.who.has_own_token:
            account = self.who.account
            return seat_principal(self.who.tenant, fork, FORKER_SEAT, self.token_hash, account)
        return self._key_alone

    @property
    def _key_alone(self) -> Principal:
        return replace(self.who, acting_for=None)


class ForkQuota(Struct, frozen=True, kw_only=True):
    """How many forks one battle may have, and how many of them one seat may make, also in a day.

    A fork counts until it is deleted; of a day those that are deleted count, too.
    """

    most: int = 100
    most_of_seat: int = 10
    most_a_day: int = 50


class ForkPoint(Struct, frozen=True):
    """A battle as it stood after event `seq`, whose hash is `hash`."""

    state: State[RuleState]
    seq: int
    hash: str


class ForkService:
    """Takes up battles. Every method raises NotFound for another tenant's."""

    def __init__(
        self, reads: Reads, write_path: WritePath, sources: Sources, quota: ForkQuota
    ) -> None:
        self._reads = reads
        self._store = reads.store
        self._write_path = write_path
        self._sources = sources
        self._quota = quota

    async def standing(
        self, who: Principal, encounter: UUID, operation: str
    ) -> tuple[LoadedEncounter, By]:
        """The encounter, if this caller may play it on elsewhere.

        A game master may at any time, others once it has ended and all of it is open to them.
        Raises NotFound, Forbidden("gm_only").
        """
        battle, by = await self._reads.load(who, encounter)
        if not _may_read_everything(battle, by):
            access.require_gm(by, operation)
        return battle, by

    async def state_at(self, battle: LoadedEncounter, at: int) -> ForkPoint:
        """The battle after event `at`, from which it can go on.

        Raises NotFound("unknown_event"), Refused("fork_after_end").
        """
        state, head = await self._reads.standing_at(battle, at)
        with refusing(battle.ruleset):
            if state.rule.status == "ended":
                raise Refused("fork_after_end", at=at)
        return ForkPoint(state, at, head)

    async def create(self, call: ForkCall, tree: object) -> Replayable[ForkAnswer]:
        """A fork from a request body.

        Raises Malformed, Forbidden, NotFound, Refused,
        ConflictingRequest("idempotency_key_reused") or ("too_many_forks"),
        TooMany("too_many_forks_today"), UpgradeUnfinished, Unavailable.
        """
        battle, _ = await self.standing(call.who, call.encounter, "create_fork")
        request = convert(tree, ForkRequest)
        acts = actions_of(request.actions, request.ruleset, tree, battle.ruleset)
        if acts is not None:
            self._reads.held().require_known(battle.ruleset, acts.typed(battle.ruleset))
        print_of = fingerprint(["create_fork", str(call.encounter), tree])
        creation = Creation(principal=call.principal, key=call.key, fingerprint=print_of)

        async def drafted() -> NewEncounter:
            point = await self.state_at(battle, request.at)
            there = replace(point, state=apart(point.state))
            return await computed(
                lambda: self._drafted(call, battle.ruleset, there, request, creation),
                is_large=is_large(there.state.rule),
            )

        async def answer(fork: UUID, replayed: bool) -> Replayable[ForkAnswer]:
            return await self._answer(call, fork, acts, replayed=replayed)

        return await created_once(self._store, creation, drafted, answer)

    def _drafted(
        self,
        call: ForkCall,
        ruleset: Ruleset[RuleState],
        there: ForkPoint,
        request: ForkRequest,
        creation: Creation,
    ) -> NewEncounter:
        """Event 1 and what is kept next to it. Raises Malformed, Refused."""
        require_distinct_seats(request.seats)
        own = Seat(id=FORKER_SEAT, role="gm")
        seats = request.seats
        if call.who.has_own_token:
            if FORKER_SEAT in [seat.id for seat in seats]:
                raise Malformed(
                    path="$.seats", allowed=f"ids other than {FORKER_SEAT}: it is yours"
                )
            seats = (own, *seats)
        rule = there.state.rule
        seed = self._sources.random(KEY_BYTES)
        if request.seed is not UNSET:
            seed = bytes.fromhex(request.seed)
        header = Header(
            dice=rule.dice if request.dice is UNSET else request.dice,
            commitment=hashing.commitment(seed),
            seed="os" if request.seed is UNSET else "given",
            sides=(),
            seats=seats,
            reveal_by_days=request.reveal_by_days,
            title=request.title,
            metadata=request.metadata,
        )
        fork_of = ForkOf(
            encounter=str(call.encounter),
            seq=there.seq,
            hash=there.hash,
            status=standing_of(there.state),
        )
        by = call.forker()
        with refusing(ruleset), within("$"):
            action = continued_by(ruleset, there.state, fork_of, header, by)
        secret = Secret(seed=seed, seal_key=self._sources.random(KEY_BYTES))
        terms = CreationTerms(
            tenant=call.who.tenant,
            by=by,
            secret=secret,
            creation=creation,
            blobs={
                digest: there.state.terms.blobs[digest]
                for digest in (rule.map, rule.content)
                if digest is not UNSET
            },
        )
        new = replace(
            decided(terms, ruleset, action, self._sources), fork=self._place_among_forks(call)
        )
        if not call.who.has_own_token:
            return new
        [first, *others] = new.seats
        with_token = SeatRow(id=first.id, role=first.role, token_hash=call.token_hash)
        return replace(new, seats=(with_token, *others))

    def _place_among_forks(self, call: ForkCall) -> NewFork:
        return NewFork(
            parent=call.encounter,
            account=call.who.account if call.who.has_own_token else None,
            most=self._quota.most,
            most_of_account=self._quota.most_of_seat,
            most_a_day=self._quota.most_a_day,
        )

    async def _answer(
        self, call: ForkCall, fork: UUID, acts: ActRequest | None, *, replayed: bool
    ) -> Replayable[ForkAnswer]:
        """The fork, once the actions are applied that were sent along."""
        who = call.in_fork(fork)
        acted, refusal = await self._act(call, who, fork, acts)
        battle, by = await self._reads.load(who, fork)
        accepted = 0 if acted is None else acted.accepted
        records = [await self._reads.event(who, fork, 1), *(acted.events if acted else ())]
        view = await self._reads.view_at(battle, by, 1 + accepted)
        fork_of = battle.state.linear.fork_of
        if fork_of is UNSET:
            raise ConflictingRequest("idempotency_key_reused", key=call.key)
        stopped = UNSET if acted is None else acted.stopped
        if refusal is not None and acted is None:
            stopped = Stopped(index=0, reason="refused")
        answer = ForkAnswer(
            encounter=battle.id,
            ruleset=battle.row.ruleset,
            fork_of=fork_of,
            view=view,
            events=tuple(records),
            accepted=accepted,
            receipt=self._reads.signer.sign(battle.id, view.seq, view.hash),
            stopped=stopped,
        )
        return Replayable(answer=answer, replayed=replayed, refusal=refusal)

    async def _act(
        self, call: ForkCall, who: Principal, fork: UUID, acts: ActRequest | None
    ) -> tuple[ActionsAnswer | None, WarlogError | None]:
        """What came of the actions sent along, right behind event 1 and never later.

        None, with the refusal, where not even the first was applied.
        """
        if acts is None:
            return None, None
        first = await self._reads.event(who, fork, 1)
        # A space is in no key of a caller: this one is of no other request.
        key, head = f"fork {call.key}", etag(1, first.hash)
        try:
            acted = await self._write_path.act(who, fork, acts, key, head)
        except (Malformed, Refused, Forbidden, NotFound, PreconditionFailed) as refusal:
            return None, refusal
        return acted.answer, acted.refusal


def _may_read_everything(battle: LoadedEncounter, by: By) -> bool:
    """Whether the battle has ended and every part of its log is open to this caller."""
    linear, sides = battle.state.linear, battle.sides
    # What a caller sees of an event is another only where rights were stated or parts opened.
    turns = {1, battle.seq}
    turns |= {grant.since for grant in linear.grants}
    turns |= {opening.before for opening in linear.openings}
    return battle.state.rule.status == "ended" and all(
        viewer_then(by, linear, sides, seq).is_gm for seq in turns
    )


def actions_of(
    items: tuple[ActionItem, ...],
    named: str | UnsetType,
    tree: object,
    ruleset: Ruleset[RuleState],
) -> ActRequest | None:
    """The actions sent along, None if there are none. Raises Malformed."""
    acts = ActRequest(
        items=items,
        fingerprint=fingerprint(["create_fork", tree]),
        paths=tuple(f"$.actions[{at}].action" for at in range(len(items))),
        ruleset=named,
    )
    acts.typed(ruleset)
    return acts if items else None
