"""What a battle remembers: sides with their FP, units, warriors, the turn, Melodies in play."""

from functools import cached_property
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import state as core
from service.engine.visibility.audience import (
    BAND,
    EVERYONE,
    HEALTH,
    KEPT,
    NUMBERS,
    MentionId,
    OwnId,
    SubjectId,
    UnitId,
    UnitMention,
    unseen,
)
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Place, SideId
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.melodies import TemplateLength
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.questions import DecisionGroup
from service.rulesets.melody_d6.sheets import (
    FULL,
    Armour,
    BaseRadius,
    Courage,
    Mobility,
    Move,
    Presence,
    Rerolls,
    Resistance,
    Sight,
    Singer,
    Skill,
    Toughness,
    Wounds,
    WoundsLeft,
)
from service.rulesets.melody_d6.terrain import FeatureChange
from service.rulesets.melody_d6.weapons import ContentId

MAX_COMBATANTS: Final = 500
"""How many warriors a battle holds at most."""

MAX_UNITS: Final = 40
"""How many units a battle holds at most: 20 a side."""

MAX_SONGS: Final = MAX_COMBATANTS
"""How many lasting Melodies are in play at most: one of each singer."""

Condition = Literal[
    "masked",
    "exposed",
    "on_guard",
    "fleeing",
    "stunned",
    "dazed",
    "hoarse",
    "melody",
    "attacked",
    "fleeting",
    "approaching",
    "out",
    "fled",
]
"""`masked` (ML-MASK-4); `exposed`: cannot mask any more (ML-AMB-4); `on_guard` (ML-GUARD-1);
`fleeing` (ML-PANIC-2); `stunned` (ML-STUN-1); `dazed`: shoots at -1; `hoarse`: cannot sing
(ML-HOARSE-1); `melody`: affected by lasting Melodies (ML-LAST-8); `attacked`: has attacked in this
turn (ML-MASK-8); `fleeting`: an appearing or disappearing target (ML-GUARD-11);
`approaching`: has come nearer masked and in the open (ML-MASK-14); `out`: killed; `fled`: has left
the table in flight (ML-PANIC-3)."""

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, none left or off the table."""

Resource = Literal["fp", "movement", "action", "rerolls", "dampening"]
"""What is spent: FP of a side, the movement and the action of a warrior in an activation, its
ordinary rerolls of a round, a side's attempt at a lasting Melody in a round."""

FelledState = Literal["out", "fled"]
"""Why a warrior is on the table no more."""

Phase = Literal["movement", "action"]
UnitKind = Literal["squad", "lone"]
Edge = Literal["north", "south", "west", "east"]

SongId = ContentId
"""Id of a lasting Melody in play: `s` and the seq of the event that sang it."""

RoundNumber = Annotated[int, Meta(ge=0, le=100_000)]
Points = Annotated[int, Meta(ge=0, le=20)]


class Combatant(core.UnitMember, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A warrior: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in.
    """

    id: Annotated[OwnId, EVERYONE]
    """Id of the warrior, unique in the battle; actions and effects name it."""
    side: Annotated[SideId, EVERYONE]
    """Id of its side, one of the two: that of its unit."""
    place: Annotated[Place, EVERYONE]
    """Centre of its base, in u; where it stood last if it is on the table no more. No rule reads
    `elevation`."""
    base_radius: Annotated[BaseRadius, EVERYONE] = 500
    """Radius of its round base, in u."""
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=13)], EVERYONE] = ()
    """What holds of it."""
    health: Annotated[WoundsLeft, HEALTH, unseen(1)] = FULL
    """Wounds left; at 0 it is killed (ML-SHOOT-6). Left out, or 20: as many as `health_max`."""
    health_max: Annotated[Wounds, HEALTH, unseen(1)] = 1
    """Wounds it has when unhurt."""
    band: Annotated[Band, BAND] = "unhurt"
    """Health in words: `unhurt` at full, `hurt` below, `badly_hurt` at most half, `down` at 0 or
    off the table; computed, whatever came in."""
    mobility: Annotated[Mobility, NUMBERS, unseen(4)] = 4
    """Mobility: Mobility tests, detection (ML-TEST-1, ML-MASK-9, ML-MASK-12)."""
    move: Annotated[Move, NUMBERS, unseen(6000)] = 6000
    """How far it moves, in u (ML-MOVE-1)."""
    accuracy: Annotated[Skill, NUMBERS, unseen(4)] = 4
    """Added to hit (ML-SHOOT-2)."""
    melee: Annotated[Skill, NUMBERS, unseen(3)] = 3
    """Added in fights (ML-FIGHT-1)."""
    toughness: Annotated[Toughness, NUMBERS, unseen(3)] = 3
    """What wound rolls are made against (ML-SHOOT-6)."""
    armour: Annotated[Armour | UnsetType, NUMBERS] = UNSET
    """What a save must reach (ML-SHOOT-6); absent without armour."""
    courage: Annotated[Courage, NUMBERS, unseen(7)] = 7
    """Courage: panic and rally (ML-PANIC-1, ML-PANIC-4)."""
    sight: Annotated[Sight, NUMBERS, unseen(24_000)] = 24_000
    """How far it sees, in u (ML-GEO-7)."""
    mounted: Annotated[bool, EVERYONE] = False
    """Whether it is mounted, and so may not go on guard (ML-GUARD-1)."""
    weapons: Annotated[Annotated[tuple[ContentId, ...], Meta(max_length=6)], EVERYONE] = ()
    """Ids of its weapons in the content, each once."""
    singer: Annotated[Singer | UnsetType, EVERYONE] = UNSET
    """What it can sing; absent for one who is no Singer."""
    resistances: Annotated[Annotated[tuple[Resistance, ...], Meta(max_length=10)], EVERYONE] = ()
    """What it resists, in the order of rolling (ML-RES-3)."""
    masked_this_turn: Annotated[bool, EVERYONE] = False
    """Whether it has masked in the present turn of its side (ML-MASK-8)."""
    moved: Annotated[bool, EVERYONE] = False
    """Whether it has moved or charged in the present turn of its side (ML-TURN-4)."""
    acted: Annotated[bool, EVERYONE] = False
    """Whether it has spent its action in the present turn of its side (ML-TURN-4)."""
    stunned_anew: Annotated[bool, EVERYONE] = False
    """Whether the stun came in the activation of its unit that is open, and outlasts it
    (ML-STUN-1)."""
    hoarse_until: Annotated[RoundNumber, EVERYONE] = 0
    """Last round in which it cannot sing, while it is hoarse (ML-HOARSE-1)."""
    rerolls_left: Annotated[Rerolls | UnsetType, EVERYONE] = UNSET
    """Ordinary rerolls left in this round; absent: all that it has (ML-SING-7)."""
    songs: Annotated[Annotated[tuple[SongId, ...], Meta(max_length=MAX_SONGS)], EVERYONE] = ()
    """Ids of the lasting Melodies that affect it (ML-LAST-8)."""

    @property
    def presence(self) -> Presence:
        """Whether it is on the table, was killed, or has left it."""
        if "out" in self.conditions:
            return "out"
        return "fled" if "fled" in self.conditions else "table"


class Unit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A squad, or a lone warrior (1.2)."""

    id: Annotated[UnitId, EVERYONE]
    """Id of the unit; its members name it."""
    side: Annotated[SideId, EVERYONE]
    """Id of its side."""
    kind: Annotated[UnitKind, EVERYONE]
    """`squad` of 1 to 20 members, or a `lone` warrior."""
    activated: Annotated[bool, EVERYONE] = False
    """Whether it was activated in the present turn of its side, or counts as that (ML-TURN-3,
    ML-PANIC-4)."""


class Force(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a side has: its edge of the table, and its FP."""

    side: Annotated[SideId, EVERYONE]
    """Id of the side."""
    home_edge: Annotated[Edge, EVERYONE]
    """Edge of the table that its warriors flee to (ML-PANIC-3)."""
    fp: Annotated[Points, EVERYONE] = 0
    """FP left (ML-FP-1)."""
    dampenings: Annotated[Annotated[int, Meta(ge=0, le=MAX_SONGS)], EVERYONE] = 0
    """Attempts at lasting Melodies in this round (ML-LAST-7)."""


class SongShape(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a lasting Melody lies."""

    kind: Annotated[Literal["disc", "model"], EVERYONE]
    """`disc`: a template round `origin`; `model`: with one warrior; its singer stood there."""
    radius: Annotated[TemplateLength | UnsetType, EVERYONE] = UNSET
    """Radius of a disc in u; absent for `model`."""
    length: Annotated[TemplateLength | UnsetType, EVERYONE] = UNSET
    """Always absent: no lasting Melody starts at its singer."""
    half_width: Annotated[TemplateLength | UnsetType, EVERYONE] = UNSET
    """Always absent, as `length`."""


class Song(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lasting Melody in play (ML-LAST-1)."""

    id: Annotated[SongId, EVERYONE]
    """Id of the song: `s` and the seq of the event that sang it. One that is stated has another id:
    those from `s2` on are kept for songs of later events."""
    melody: Annotated[ContentId, EVERYONE]
    """Id of the Melody in the content."""
    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the singer."""
    target: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Id of the warrior it was sung at, with whom it goes; absent with a template."""
    shape: Annotated[SongShape, EVERYONE]
    """Its template as it lies (ML-LAST-1): a `disc`; of kind `model` where it goes with a warrior,
    `origin` then being where its singer stood."""
    round: Annotated[RoundNumber, EVERYONE] = 0
    """Round in which it was sung."""
    monstrous: Annotated[bool, EVERYONE] = False
    """Whether it was sung with Monstrous Power (ML-LAST-6)."""
    dampened_in: Annotated[RoundNumber, EVERYONE] = 0
    """Last round in which the other side tried to dampen it; 0: none (ML-LAST-7)."""


class BattleLookups(core.Lookups):
    """The answers of the core, and the ground with what changed of it, by digest of the map."""

    __slots__ = ("grounds",)

    def __init__(self) -> None:
        super().__init__()
        self.grounds: core.Table[str, Ground] = core.Table()


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle. `turn` and `order` of the core stay empty: sides have the turn."""

    options: Annotated[Options, EVERYONE]
    """The table's choices, frozen when the battle starts."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """All warriors in the order of entry, those who are out or fled included."""
    pending: Annotated[tuple[DecisionGroup, ...], EVERYONE] = ()
    """Stack of open decisions, the last one on top."""
    units: Annotated[tuple[Unit, ...], EVERYONE] = ()
    """All units in the order of entry."""
    forces: Annotated[tuple[Force, ...], EVERYONE] = ()
    """What each side has, in the order of the sides."""
    side_order: Annotated[tuple[SideId, ...], EVERYONE] = ()
    """Sides in the order of their turns; empty before the start (ML-TURN-1)."""
    turn_side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side whose turn it is; absent outside of a turn."""
    turn_unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET
    """Unit whose activation is open; absent where none is."""
    phase: Annotated[Phase, EVERYONE] = "movement"
    """Phase of the open activation."""
    mask_declared: Annotated[bool, EVERYONE] = False
    """Whether the open activation has had its `mask` (ML-MASK-1)."""
    songs: Annotated[tuple[Song, ...], EVERYONE, KEPT] = ()
    """Lasting Melodies in play, in the order of singing. Rules read those of hidden singers, too: a
    warrior feels what affects it."""
    terrain: Annotated[tuple[FeatureChange, ...], EVERYONE] = ()
    """Features that differ from the map, sorted by id."""

    @cached_property
    def lookups(self) -> BattleLookups:
        """The lookups of this battle, handed on from state to state."""
        return BattleLookups()


def band_of(health: int, most: int, *, is_gone: bool = False) -> Band:
    """Health in words."""
    if health <= 0 or is_gone:
        return "down"
    if health >= most:
        return "unhurt"
    return "badly_hurt" if 2 * health <= most else "hurt"


def is_on_table(combatant: Combatant) -> bool:
    """Whether a warrior was neither killed nor has fled from the table."""
    return "out" not in combatant.conditions and "fled" not in combatant.conditions


def is_fleeing(combatant: Combatant) -> bool:
    """Whether a warrior flees (ML-PANIC-2)."""
    return "fleeing" in combatant.conditions


def is_stunned(combatant: Combatant) -> bool:
    """Whether a warrior is stunned (ML-STUN-1)."""
    return "stunned" in combatant.conditions


def is_masked(combatant: Combatant) -> bool:
    """Whether a warrior is masked (ML-MASK-4)."""
    return "masked" in combatant.conditions


def is_on_guard(combatant: Combatant) -> bool:
    """Whether a warrior is on guard (ML-GUARD-1)."""
    return "on_guard" in combatant.conditions


def is_steady(combatant: Combatant) -> bool:
    """Whether a warrior is on the table and does not flee."""
    return is_on_table(combatant) and not is_fleeing(combatant)


def unit_named(rule: BattleState, unit: str) -> Unit | None:
    """The unit of that id, if there is one."""
    return next((each for each in rule.units if each.id == unit), None)


def members_of(rule: BattleState, unit: str) -> tuple[Combatant, ...]:
    """The members of a unit in upload order, those who are out or fled included."""
    return tuple(each for each in rule.combatants if each.unit == unit)


def force_of(rule: BattleState, side: str) -> Force:
    """What a side has."""
    return next(force for force in rule.forces if force.side == side)


def other_side(rule: BattleState, side: str) -> str:
    """The opponent of a side."""
    return next(each.id for each in rule.sides if each.id != side)


def song_named(rule: BattleState, song: str) -> Song | None:
    """The lasting Melody in play of that id, if there is one."""
    return next((each for each in rule.songs if each.id == song), None)


def song_of(rule: BattleState, singer: str) -> Song | None:
    """The lasting Melody that a singer keeps in play, if there is one (ML-LAST-2)."""
    return next((each for each in rule.songs if each.combatant == singer), None)
