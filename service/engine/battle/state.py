"""What an encounter remembers, as far as all rulesets agree on it.

State has two halves. *Rule* state follows `base`, so a rewind restores it. *Linear* state never
rewinds: seats and control, counters, notes, what was revealed of the seed. Each ruleset extends
`RuleState` and `Combatant` with fields of its own.

How the lookups work. A rule state is asked the same things again and again: which combatant has an
id, who may know what, where a line runs. The answers stand in its `lookups`, an attribute that is
no field: it is not encoded, compared or hashed, and `replace` does not copy it. The reducer's
caller hands them on (`fold`), so the states of one battle share them. Each answer stands with
its inputs and is found only while these are equal: what an effect left alone is not worked out
again, and a state that went another way (a preview, a rewind, a decision that lost a race) gets no
wrong answer. A perceived state begins with none, since an index of the true one names who is
hidden. A full table forgets everything, which bounds it. Who may know what, the `scope`, stands
beside each state in the same way, and is handed on for as long as it is the same.
"""

from functools import cached_property
from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.linear import Linear, seat_of
from service.engine.battle.open_decisions import Decision, DecisionGroup, in_order
from service.engine.battle.terms import Terms
from service.engine.visibility.audience import (
    BAND,
    EVERYONE,
    EVERYONE_WORD,
    GM,
    GM_WORD,
    HEALTH,
    KEPT,
    TEXT,
    MentionId,
    OwnId,
    SubjectId,
    unseen,
)
from service.engine.visibility.scope import GAME_MASTER, Scope, Viewer, audience_of, widest
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import (
    Amount,
    By,
    DiceMode,
    Digest,
    Metadata,
    NameText,
    Place,
    Side,
    SideId,
    Status,
    Word,
)

K = TypeVar("K")
V = TypeVar("V")

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

    @property
    def has_time_limit(self) -> bool:
        """Whether decisions or turns have a limit."""
        return self.decision_seconds is not UNSET or self.turn_seconds is not UNSET


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
    """Where it stands: cells, with feet of elevation, in Crossfire d6 and Tactical d20; metres in
    Seeker d100; cells in Squad d100. Absent where it stands nowhere."""
    posture: Annotated[Word, EVERYONE] = "none"
    """How it holds itself: `open`, `in_cover` or `blocked` in Crossfire d6, `standing` or
    `kneeling` in Squad d100; `none` where a ruleset has no postures."""
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


class UnknownEffect(ValueError):
    """The log holds an effect this build cannot apply."""


MOST_ENTRIES: Final = 512
"""Entries of one table of lookups."""


class Table(Generic[K, V]):
    """Answers by key, each with what it was worked out of: its inputs."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[K, tuple[tuple[object, ...], V]] = {}

    def find(self, key: K, inputs: tuple[object, ...]) -> V | None:
        """The answer, None unless it was worked out of equal inputs."""
        entry = self._entries.get(key)
        return entry[1] if entry is not None and entry[0] == inputs else None

    def keep(self, key: K, inputs: tuple[object, ...], answer: V) -> V:
        """Keep an answer in the place of the one before, and give it back."""
        if len(self._entries) >= MOST_ENTRIES and key not in self._entries:
            self._entries.clear()
        self._entries[key] = (inputs, answer)
        return answer

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._entries)


class Lookups:
    """The answers that every ruleset needs; rulesets extend it with tables of their own.

    `positions` says at which place of `combatants` an id was last found.
    """

    __slots__ = ("positions",)

    def __init__(self) -> None:
        self.positions: dict[str, int] = {}


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
        """What was worked out of this state and those before it; no field, see above."""
        return Lookups()


R_co = TypeVar("R_co", bound=RuleState, covariant=True)


class State(Struct, Generic[R_co], frozen=True):
    """Both halves, and the terms that no effect changes; a perceived state has the same terms."""

    rule: R_co
    linear: Linear
    terms: Terms


def scope_of(rule: RuleState) -> Scope:
    """Who may know what in this state; it stands beside the fields, like the lookups."""
    scope: Scope | None = rule.__dict__.get("scope")
    if scope is None:
        scope = rule.__dict__["scope"] = _scope_of(rule)
    return scope


def hand_on(before: RuleState, after: RuleState) -> None:
    """Give a state what was worked out of the one before and holds for it, too."""
    after.__dict__["lookups"] = before.lookups
    scope = before.__dict__.get("scope")
    if scope is not None and "scope" not in after.__dict__ and _is_known_alike(before, after):
        after.__dict__["scope"] = scope


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
        if one is not other and not _is_one_alike(one, other):
            return False
    return True


def _is_one_alike(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are of one id and side, and both hide or neither."""
    return one.hidden is other.hidden and one.id == other.id and one.side == other.side


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
    questions = [decision for group in rule.pending for decision in in_order(group)]
    return replace(
        scope,
        decisions={question.id: audience_of(question, scope) for question in questions},
        answers={question.id: _answers_of(question, scope) for question in questions},
    )


def _units_of(combatants: tuple[Combatant, ...], scope: Scope) -> dict[str, str]:
    """The audience of each unit: everyone who may know any of its members."""
    members: dict[str, list[str]] = {}
    for combatant in combatants:
        if isinstance(combatant, UnitMember):
            members.setdefault(combatant.unit, []).append(scope.subject(combatant.id))
    return {unit: widest(audiences) for unit, audiences in members.items()}


def _answers_of(decision: Decision, scope: Scope) -> str:
    """Who may know the answer before it is stated: of faces all who know of the question."""
    if decision.roll is not UNSET:
        return EVERYONE_WORD
    if decision.side is not UNSET:
        return decision.side
    return GM_WORD if decision.combatant is UNSET else scope.side_of(decision.combatant)


def viewer_of(by: By, rule: RuleState, linear: Linear) -> Viewer:
    """The view that a caller is entitled to: the GM's, a player's with the secrets of its sides."""
    if by.role == "gm":
        return GAME_MASTER
    seat = seat_of(linear, by.seat) if by.seat is not UNSET else None
    if seat is None or by.role == "observer":
        return Viewer()
    return Viewer(sides=tuple(side.id for side in rule.sides if side.id in seat.knows))


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
