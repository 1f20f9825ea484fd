"""One encounter in memory: its state at a committed head, and the head in flight behind it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from service.encounters import access
from service.encounters.group_commit import Settled
from service.encounters.principal import Principal, by_of
from service.engine.battle.state import RuleState, State, seat_of
from service.engine.dice.dice import Dice, SealedDice, SuppliedDice
from service.engine.log import hashing
from service.engine.ruleset import Ruleset
from service.engine.vocabulary.values import By
from service.errors import ConflictingRequest, LogDamaged
from service.eventstore.records import EncounterRow, Secret


class EncounterTerms(NamedTuple):
    """What never changes in an encounter: its ruleset and the ids of its sides, in setup order."""

    ruleset: str
    sides: tuple[str, ...]


RECENT_RULES = 8
"""Rule states of the last events kept for rewinds: each takes about a kilobyte, and one that is
further back is rebuilt from the snapshot before it."""


@dataclass(frozen=True, slots=True)
class InFlightHead:
    """A head on its way to the disk: the next action may be decided on it, but not released.

    `done` says what became of it; `branch` is that of the encounter when it was sent.
    """

    seq: int
    hash: str
    state: State[RuleState]
    rules: Mapping[int, RuleState]
    branch: int
    done: asyncio.Future[Settled]


@dataclass(slots=True)
class LoadedEncounter:
    """One encounter at its committed head. `hash` is the head's, in hex.

    `tip` is the newest head in flight, None when nothing is; `branch` counts how often heads in
    flight were given up, so that whoever decided on one knows whether that was before. `unkept`
    are the bytes of events since the last snapshot that this process knows of, `unweighed` those
    since its memory was last estimated: `weight`, in bytes, without the blobs, whose digests are
    in `held`. `kept_secret` is None where the store has lost it: then the encounter is read
    as ever, but nothing can be added to it.
    """

    row: EncounterRow
    ruleset: Ruleset[RuleState]
    kept_secret: Secret | None
    state: State[RuleState]
    seq: int
    hash: str
    rules: dict[int, RuleState] = field(default_factory=dict)
    unkept: int = 0
    tip: InFlightHead | None = None
    branch: int = 0
    weight: int = 0
    unweighed: int = 0
    held: tuple[str, ...] = ()
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def id(self) -> str:
        """The encounter's id as the log writes it."""
        return str(self.row.id)

    @property
    def secret(self) -> Secret:
        """Seed and seal key. Raises LogDamaged where they are gone."""
        if self.kept_secret is None:
            raise LogDamaged(encounter=self.id, found="no_secret")
        return self.kept_secret

    @property
    def head(self) -> tuple[int, str]:
        """Where it stands: seq and hash."""
        return self.seq, self.hash

    @property
    def stamp(self) -> tuple[int, str, int]:
        """What changes whenever it is set to another state: seq, hash, erasures."""
        return self.seq, self.hash, self.row.erasures

    @property
    def sides(self) -> tuple[str, ...]:
        """Ids of the sides in setup order."""
        return tuple(side.id for side in self.state.rule.sides)

    @property
    def terms(self) -> EncounterTerms:
        """Its ruleset and sides."""
        return EncounterTerms(self.row.ruleset, self.sides)

    def moved_to(self, state: State[RuleState], seq: int, head: str) -> None:
        """Stand at a later committed head."""
        self.state = state
        self.seq = seq
        self.hash = head
        self.keep({seq: state.rule})

    def drop_tip(self) -> None:
        """Give up the heads in flight: decide on the committed head again."""
        self.tip = None
        self.branch += 1

    def keep(self, rules: Mapping[int, RuleState]) -> None:
        """Remember rule states by seq, the latest of them."""
        self.rules |= rules
        for old in sorted(self.rules)[:-RECENT_RULES]:
            del self.rules[old]


def caller_of(
    who: Principal, encounter: UUID, live: LoadedEncounter | None
) -> tuple[LoadedEncounter, By]:
    """The encounter and how its log names the caller; another tenant's encounter is none.

    Raises NotFound("unknown_encounter"); for a seat that is gone what `access.not_seated` makes.
    """
    if live is None or live.row.tenant != who.tenant:
        raise access.not_found(str(encounter))
    if who.acting_for is None:
        return live, by_of(who, "gm")
    seat = seat_of(live.state.linear, who.acting_for)
    if seat is None:
        raise access.not_seated(who)
    return live, by_of(who, seat.role)


def etag(seq: int, head: str) -> str:
    """A version as clients hold it: `seq-hash8`."""
    return f"{seq}-{head[:8]}"


def dice_of(
    live: LoadedEncounter, state: State[RuleState], seq: int, faces: tuple[int, ...]
) -> Dice:
    """The dice of event `seq`: sealed streams, or the faces the table rolled."""
    seed = live.secret.seed
    if state.rule.dice == "supplied":
        return SuppliedDice(faces, seq, seed=seed)
    mixed = tuple(bytes.fromhex(each.value) for each in state.linear.contributions)
    return SealedDice(hashing.dice_key(seed, live.id, hashing.entropy(mixed)), seq, seed=seed)


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
