"""What an encounter remembers, as far as all rulesets agree on it.

State has two halves. *Rule* state follows `base`, so a rewind restores it. *Linear* state never
rewinds: seats and control, counters, notes, what was revealed of the seed. Each ruleset extends
`RuleState` and `Combatant` with fields of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Final, Generic, Literal, Protocol, TypeVar, cast

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.lookups import Lookups
from service.engine.visibility.audience import (
    BAND,
    BEARER,
    EVERYONE,
    GM,
    GM_TEXT,
    HEALTH,
    KEPT,
    STREAM,
    TEXT,
    MentionId,
    OwnId,
    SubjectId,
    unseen,
)
from service.engine.visibility.projection import audience_of
from service.engine.visibility.scope import (
    EVERYONE_WORD,
    GAME_MASTER,
    GM_WORD,
    Scope,
    Viewer,
    widest,
)
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import (
    Amount,
    By,
    DecisionId,
    DiceMode,
    Digest,
    DrawRun,
    LongText,
    Metadata,
    NameText,
    Opened,
    Place,
    Role,
    SeatId,
    Side,
    SideId,
    Status,
    UndoBar,
    Word,
)

WIDER: Final[tuple[Opened, ...]] = ("none", "sides", "all")
"""How wide parts are opened, in order."""

How = Literal["answered", "passed", "forced", "timeout", "void"]
"""How a decision was closed; `void`: nobody can answer it any more."""


DecisionSeconds = Annotated[int, Meta(ge=5, le=86_400)]
"""How long a decision stays open before the service passes for whoever is asked, in seconds."""

TurnSeconds = Annotated[int, Meta(ge=10, le=604_800)]
"""How long a turn lasts before the service ends it, in seconds."""


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every table may choose about who sees what; frozen when the battle starts.

    `decision_seconds` and `turn_seconds` are limits that no rule reads; absent, there is none.
    """

    enemy_numbers: Annotated[Literal["shown", "hidden"], EVERYONE] = "shown"
    """Numbers of other sides' combatants: `shown` to everyone, or `hidden` from all but their own
    side and the game master."""
    enemy_health: Annotated[Literal["exact", "band", "none"], EVERYONE] = "exact"
    """Health of other sides' combatants: `exact` in points, `band` in words only, `none` not at
    all."""
    breakdowns: Annotated[Literal["all", "own", "none"], EVERYONE] = "all"
    """Who is told the modifiers of a roll: `all`, `own` the side of the combatant only, `none` the
    game master only. With `enemy_numbers` hidden, `all` is as `own`."""
    decision_seconds: Annotated[DecisionSeconds | UnsetType, EVERYONE] = UNSET
    """Seconds until the service passes for whoever does not answer; absent: no limit."""
    turn_seconds: Annotated[TurnSeconds | UnsetType, EVERYONE] = UNSET
    """Seconds until the service ends a turn; absent: no limit."""


class Combatant(Struct, frozen=True, kw_only=True):
    """What all rulesets know of a combatant; `number` counts creations and is the GM's."""

    id: Annotated[OwnId, EVERYONE]
    """Id of the combatant, unique within the encounter."""
    number: Annotated[Annotated[int, Meta(ge=0, le=2**31 - 1)], GM, KEPT] = 0
    """Place in the order of creation, set by the service; the game master's, since gaps would tell
    of hidden combatants."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """JSON object of the table's own, as a string; no rule reads it. Absent where none was given or
    it was erased."""
    side: Annotated[SideId, EVERYONE]
    """Side that it fights for."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where it stands: cells, with feet of elevation, in Crossfire d6; metres in Seeker d100.
    Absent where it stands nowhere."""
    posture: Annotated[Word, EVERYONE] = "none"
    """How it holds itself: `open`, `in_cover` or `blocked` in Crossfire d6; `none` where a ruleset
    has no postures."""
    conditions: Annotated[tuple[Word, ...], EVERYONE] = ()
    """Conditions that hold, in the order in which they began."""
    hidden: Annotated[bool, EVERYONE] = False
    """True while only its own side and the game master know of it."""
    health: Annotated[Amount, HEALTH, unseen(0)]
    """Points of health left; 0 or less is down. The option `enemy_health` says who is told."""
    health_max: Annotated[Amount, HEALTH, unseen(0)]
    """Points of health when unhurt."""
    band: Annotated[Word, BAND] = "unhurt"
    """Health in words, computed by the service: `unhurt`, `hurt`, `badly_hurt` (at most half left)
    or `down`."""


class UnitMember(Combatant, frozen=True, kw_only=True):
    """A combatant of a unit: what rulesets extend in which units act."""

    unit: Annotated[Annotated[str, Meta(max_length=LONGEST_ID, pattern=ID_PATTERN)], EVERYONE]
    """Id of its unit, all of one side; never another."""


class RollRequest(Struct, frozen=True, kw_only=True):
    """Dice the table must roll: `count` dice of `sides` sides for `purpose`."""

    count: Annotated[int, EVERYONE]
    """How many dice to roll."""
    sides: Annotated[int, EVERYONE]
    """Sides of each die."""
    purpose: Annotated[Word, EVERYONE]
    """What they are rolled for."""


class Declared(Struct, frozen=True, kw_only=True):
    """An action that waits for the table's dice: it cannot be withdrawn any more.

    `draws` name those of `faces` in the events that brought them.
    """

    action: Annotated[Raw, GM]
    """The action as it was asked for, without free text."""
    by: Annotated[By, GM]
    """Who asked for it."""
    faces: Annotated[tuple[int, ...], GM] = ()
    """Faces that it has so far, in the order of drawing."""
    draws: Annotated[tuple[DrawRun, ...], GM] = ()
    """Where the log has those faces, in the same order."""


class Decision(Struct, frozen=True, kw_only=True):
    """A pending question; `side` or `seat` says who may answer, `combatant` whom it is about.

    Neither: the GM. `stream` is that of the dice asked for, where not everyone may know of them.
    `number` counts the questions of a group, from 1; it would tell of those that are not seen.
    """

    id: Annotated[DecisionId, EVERYONE]
    """Id to answer it by; a rewind gives it a new one."""
    kind: Annotated[Word, EVERYONE]
    """What is asked: `roll` for dice of the table, `reaction` for an answer to an attack
    (SK-REACT-2)."""
    opened_by: Annotated[int, EVERYONE]
    """Seq of the event that asked."""
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side asked: any seat that controls it, or `combatant`, may answer. Absent where one seat or
    the game master is asked."""
    seat: Annotated[SeatId | UnsetType, EVERYONE] = UNSET
    """The one seat asked; absent where a side or the game master is asked."""
    combatant: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    """Combatant that the question is about: whoever controls it may answer. Absent for none."""
    options: Annotated[tuple[Word, ...], EVERYONE]
    """Names of the choices that may be made."""
    default: Annotated[Word, EVERYONE]
    """Choice that stands if nobody answers: `pass`, but for a `roll`, which stays open."""
    roll: Annotated[RollRequest | UnsetType, EVERYONE] = UNSET
    """Dice to roll for the answer; absent for any other question."""
    stream: Annotated[int | UnsetType, EVERYONE, STREAM] = UNSET
    """Who may know of the question and of its dice: 1 and up the sides in their order, 255 the game
    master; absent: everyone."""
    number: Annotated[int | UnsetType, GM] = UNSET
    """Place among the questions of its group, from 1; absent outside a group."""


class Suspended(Struct, frozen=True, kw_only=True):
    """An action that goes on once all decisions of its group are closed."""

    action: Annotated[Raw, GM]
    """The action as it was asked for, without free text."""
    by: Annotated[By, GM]
    """Who asked for it."""
    remainder: Annotated[Raw | UnsetType, GM] = UNSET
    """What is left of the action, in the ruleset's own words, such as the rest of a path; absent
    where it goes on from its beginning."""


class Chosen(Struct, frozen=True, kw_only=True):
    """A decision that was answered while others of its group are open: by what, is sealed."""

    decision: Annotated[Decision, EVERYONE, BEARER]
    """The decision as it was asked."""
    how: Annotated[How, GM]
    """How it was closed: `answered`, `passed`, `forced` by the game master or `timeout`."""
    choice: Annotated[Raw, GM]
    """The choice with its fields; of a forced decision `pass`."""


class DecisionGroup(Struct, frozen=True, kw_only=True):
    """Decisions opened together: answered in any order, resumed when all are closed.

    `decisions` are the open ones, `closed` those that were answered. `declared` is the action that
    waits for dice, `suspended` the one that waits for answers, if it is that kind of group.
    """

    decisions: Annotated[tuple[Decision, ...], EVERYONE]
    """Decisions of the group that are open, in the order of asking."""
    declared: Annotated[Declared | UnsetType, GM] = UNSET
    """Action that waits for the table's dice; absent for another kind of group."""
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET
    """Decisions of the group that were answered while others are open; absent where there are none.
    """
    suspended: Annotated[Suspended | UnsetType, GM] = UNSET
    """Action that goes on once the group is complete; absent for another kind of group."""


class RuleState(Struct, frozen=True, kw_only=True, dict=True):
    """The half that a rewind restores. Rulesets extend it and narrow the types."""

    status: Annotated[Status, EVERYONE] = "setup"
    """`setup` before the start, then `running`, at last `ended`."""
    options: Annotated[TableOptions, EVERYONE]
    """All options, frozen when the battle starts."""
    dice: Annotated[DiceMode, EVERYONE]
    """`sealed`: the service draws. `supplied`: the table sends faces."""
    sides: Annotated[tuple[Side, ...], EVERYONE]
    """Sides of the battle, as event 1 states them."""
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the map, without what changed since; absent without one."""
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the content, such as weapons and armour of the table; absent without any."""
    round: Annotated[int, EVERYONE] = 0
    """Number of the round, from 1; 0 before the start."""
    order: Annotated[tuple[SubjectId, ...], EVERYONE] = ()
    """Combatants in the order of their turns, those left out that the caller may not know of."""
    turn: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Whose turn it is; absent outside a turn, or where that combatant is hidden from the caller.
    """
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Combatants in the order of their creation, those left out that the caller may not know of."""
    pending: Annotated[tuple[DecisionGroup, ...], EVERYONE] = ()
    """Groups of open decisions as a stack: only those of the last may be answered."""

    @cached_property
    def lookups(self) -> Lookups:
        """What was worked out of this state and those before it: no field, see `lookups.py`."""
        return Lookups()


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A participant: a player acts for the combatants named and for all of the sides named.

    `knows` are the sides whose secrets it shares: its own and those of its combatants. It is
    computed, whatever came in, and the GM's: it would tell of combatants that nobody sees.
    `metadata` stand in the GM's text alone; the seat itself is told its own by the view.
    """

    id: Annotated[SeatId, EVERYONE]
    """Id of the seat; given once in an encounter, even if the seat is removed."""
    role: Annotated[Role, EVERYONE]
    """`gm` may do everything, `player` acts for what it controls, `observer` looks on."""
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)], EVERYONE] = ()
    """Sides all of whose combatants it controls, present and future."""
    combatants: Annotated[Annotated[tuple[SubjectId, ...], Meta(max_length=500)], EVERYONE] = ()
    """Combatants that it controls by name."""
    knows: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)], GM] = ()
    """Sides whose secrets it shares, computed from what it controls; whatever is sent is ignored.
    """
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, GM_TEXT] = UNSET
    """JSON object of the table's own, as a string, for the game master and the seat itself. Absent
    where none was given or it was erased."""


class Contribution(Struct, frozen=True, kw_only=True):
    """Entropy one seat mixed into the dice before the start: 32 bytes in hex."""

    seat: Annotated[str, EVERYONE]
    """Seat that contributed; the id of the API key where a key did by itself."""
    value: Annotated[Digest, EVERYONE]
    """Its 32 bytes in hex."""


class Note(Struct, frozen=True, kw_only=True):
    """A remark in the log; `gm_text` is for the GM alone."""

    seq: Annotated[int, EVERYONE]
    """Event that left the remark."""
    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Remark for everyone; absent where none was left or it was erased."""
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET
    """Remark for the game master alone; absent where none was left or it was erased."""


class Grant(Struct, frozen=True, kw_only=True):
    """From event `since` on a seat shares the secrets of these sides, until its next grant.

    `role` is absent for a player; a seat that was removed is granted an observer's rights.
    """

    seat: Annotated[SeatId, GM]
    """Seat whose rights are stated."""
    since: Annotated[int, GM]
    """First event that they are for."""
    sides: Annotated[tuple[SideId, ...], GM]
    """Sides whose secrets the seat shares from then on."""
    role: Annotated[Role | UnsetType, GM] = UNSET
    """Role from then on; absent for a player."""


class PastOpening(Struct, frozen=True, kw_only=True):
    """Parts of the events before `before` are open, later ones not: the battle was taken up again.

    `opened` says to whom.
    """

    before: Annotated[int, EVERYONE]
    """First seq that is not open by this: the rewind that took the battle up again."""
    opened: Annotated[Opened, EVERYONE]
    """To whom earlier parts are open: `sides` to every seat those of all sides, `all` those of the
    game master too."""


class UndoFloor(Struct, frozen=True, kw_only=True):
    """The earliest seq a player's seat may rewind to, and why none before it."""

    seat: Annotated[SeatId, GM]
    """Player's seat."""
    floor: Annotated[int, GM]
    """Earliest seq that it may rewind to."""
    reason: Annotated[UndoBar, GM] = "not_yours"
    """What bars: `not_yours` somebody else's event, `dice_or_reveal` a draw or something made
    known, `asked_somebody` a question to others."""


class Linear(Struct, frozen=True, kw_only=True):
    """The half that never rewinds.

    `opened` says whose parts of all events are open to whom, `openings` what was open before the
    battle was taken up again: what happens since is as secret as ever.
    """

    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Title of the encounter; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """JSON object of the table's own, as a string; absent where none was given or it was erased."""
    seats: Annotated[tuple[Seat, ...], EVERYONE] = ()
    """Seats in the order in which they were added."""
    grants: Annotated[tuple[Grant, ...], GM] = ()
    """What each seat was entitled to see, since when; in the order of the log."""
    next_number: Annotated[int, GM] = 1
    """Number that the next combatant is given."""
    contributions: Annotated[tuple[Contribution, ...], EVERYONE] = ()
    """What was mixed into the dice, in the order of the log."""
    seed: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """The 32 bytes of the seed in hex; absent until it is revealed."""
    opened: Annotated[Opened, EVERYONE] = "none"
    """To whom hidden parts of all events are open: `none` to nobody new, `sides` to every seat
    those of all sides, `all` those of the game master too."""
    openings: Annotated[tuple[PastOpening, ...], EVERYONE] = ()
    """What was open before a rewind took an ended battle up again, and stays open."""
    notes: Annotated[tuple[Note, ...], EVERYONE] = ()
    """Remarks in the order of the log."""
    floors: Annotated[tuple[UndoFloor, ...], GM] = ()
    """How far each player's seat may rewind."""


R = TypeVar("R", bound=RuleState)
C = TypeVar("C", bound=Combatant)
C_co = TypeVar("C_co", bound=Combatant, covariant=True)
R_co = TypeVar("R_co", bound=RuleState, covariant=True)


@dataclass(frozen=True, slots=True)
class State(Generic[R_co]):
    """Both halves, and the immutable blobs (map, content) they name by digest."""

    rule: R_co
    linear: Linear
    blobs: Mapping[str, object] = field(default_factory=dict)


def handed_on(before: RuleState, after: R) -> R:
    """The state after an effect, with the lookups of the one before it."""
    after.__dict__["lookups"] = before.lookups
    return after


def scope_of(rule: RuleState) -> Scope:
    """Who may know what in this state; most effects leave that alone."""
    lookups = rule.lookups
    if lookups.scoped is not None:
        before, scope = cast("tuple[RuleState, Scope]", lookups.scoped)
        if before is rule:
            return scope
        if _is_known_alike(before, rule):
            lookups.scoped = (rule, scope)
            return scope
    scope = _scope_of(rule)
    lookups.scoped = (rule, scope)
    return scope


def _is_known_alike(before: RuleState, rule: RuleState) -> bool:
    """Whether two states of one battle have the same scope."""
    return (
        before.options is rule.options
        and before.pending is rule.pending
        and before.sides is rule.sides
        and _are_known_alike(before.combatants, rule.combatants)
    )


def _are_known_alike(first: tuple[Combatant, ...], second: tuple[Combatant, ...]) -> bool:
    """Whether the same combatants are of the same sides and hide as before."""
    if first is second:
        return True
    if len(first) != len(second):
        return False
    for one, other in zip(first, second, strict=True):
        if one is not other and (
            one.hidden is not other.hidden or one.id != other.id or one.side != other.side
        ):
            return False
    return True


def _scope_of(rule: RuleState) -> Scope:
    scope = Scope(
        sides=tuple([side.id for side in rule.sides]),
        subjects={c.id: (c.side, c.hidden) for c in rule.combatants},
        numbers=rule.options.enemy_numbers,
        health=rule.options.enemy_health,
        breakdowns=rule.options.breakdowns,
    )
    if rule.combatants and isinstance(rule.combatants[0], UnitMember):
        scope = replace(scope, units=_units_of(rule.combatants, scope))
    if not rule.pending:
        return scope
    asked = [decision for group in rule.pending for decision in in_order(group)]
    return replace(
        scope,
        decisions={each.id: audience_of(each, scope) for each in asked},
        answers={each.id: _answers_of(each, scope) for each in asked},
    )


def _units_of(combatants: tuple[Combatant, ...], scope: Scope) -> dict[str, str]:
    """Who may know of each unit: whoever may know any of its members."""
    members: dict[str, list[str]] = {}
    for each in combatants:
        if isinstance(each, UnitMember):
            members.setdefault(each.unit, []).append(scope.subject(each.id))
    return {unit: widest(audiences) for unit, audiences in members.items()}


def in_order(group: DecisionGroup) -> tuple[Decision, ...]:
    """All decisions of a group that is not complete, answered or not, in the order of asking."""
    if group.closed is UNSET:
        return group.decisions
    everyone = (*group.decisions, *(chosen.decision for chosen in group.closed))
    return tuple(sorted(everyone, key=lambda each: 0 if each.number is UNSET else each.number))


def _answers_of(decision: Decision, scope: Scope) -> str:
    """Who may know the answer before it is stated: of faces all who know of the question."""
    if decision.roll is not UNSET:
        return EVERYONE_WORD
    if decision.side is not UNSET:
        return decision.side
    return GM_WORD if decision.combatant is UNSET else scope.side_of(decision.combatant)


def seat_of(linear: Linear, seat: str) -> Seat | None:
    """The seat of that id, if there is one."""
    for known in linear.seats:
        if known.id == seat:
            return known
    return None


def viewer_of(by: By, rule: RuleState, linear: Linear) -> Viewer:
    """What somebody may see: the GM everything, a player the secrets of its sides."""
    if by.role == "gm":
        return GAME_MASTER
    seat = seat_of(linear, by.seat) if by.seat is not UNSET else None
    if seat is None or by.role == "observer":
        return Viewer()
    return Viewer(sides=tuple(side.id for side in rule.sides if side.id in seat.knows))


def viewer_at(linear: Linear, seat: str, seq: int) -> Viewer:
    """What a seat was entitled to see when event `seq` was made, whatever it is now.

    A GM's seat everything, a player's the secrets of its sides, an observer's and one that was
    not there nothing but what everyone sees.
    """
    held = next((g for g in reversed(linear.grants) if g.seat == seat and g.since <= seq), None)
    if held is None or held.role == "observer":
        return Viewer()
    return GAME_MASTER if held.role == "gm" else Viewer(sides=held.sides)


def opened_at(linear: Linear, seq: int) -> Opened:
    """To whom the parts of event `seq` have been opened."""
    levels = [linear.opened, *(each.opened for each in linear.openings if seq < each.before)]
    return max(levels, key=WIDER.index)


def known_sides(
    sides: tuple[str, ...], combatants: tuple[str, ...], everyone: tuple[Combatant, ...]
) -> tuple[str, ...]:
    """The sides whose secrets come with control of these sides and combatants, sorted."""
    return tuple(sorted({*sides, *(c.side for c in everyone if c.id in combatants)}))


def controls(by: By, linear: Linear, combatant: Combatant) -> bool:
    """Whether this seat may act for the combatant; the GM may for anyone."""
    if by.role == "gm":
        return True
    seat = seat_of(linear, by.seat) if by.seat is not UNSET else None
    return seat is not None and (combatant.id in seat.combatants or combatant.side in seat.sides)


class Roster(Protocol[C_co]):
    """A rule state, as far as its combatants go: of the ruleset's own type."""

    @property
    def combatants(self) -> tuple[C_co, ...]:
        """Combatants in the order of their creation."""

    @property
    def lookups(self) -> Lookups:
        """What was worked out of the state."""


def combatant_of(rule: Roster[C], combatant: str) -> C | None:
    """The combatant of that id, if there is one."""
    combatants, positions = rule.combatants, rule.lookups.positions
    at = positions.get(combatant, len(combatants))
    if at < len(combatants) and combatants[at].id == combatant:
        return combatants[at]
    for at, known in enumerate(combatants):
        if known.id == combatant:
            positions[combatant] = at
            return known
    return None
