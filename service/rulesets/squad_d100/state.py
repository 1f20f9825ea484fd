"""What a battle remembers: options, fighters with their turn and wounds, changed ground."""

from functools import cached_property
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import state as core
from service.engine.battle.roster import combatant_of
from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.points import Cell
from service.engine.geometry.price_field import PriceField
from service.engine.visibility.audience import (
    BAND,
    EVERYONE,
    GM,
    HEALTH,
    NUMBERS,
    MentionId,
    OtherId,
    OwnId,
    SubjectId,
    unseen,
)
from service.engine.vocabulary.values import Place, SideId
from service.rulesets.squad_d100.rules.aim import CoverMode
from service.rulesets.squad_d100.rules.armour import UNIVERSAL_TABLE, ApEqual, Unarmoured
from service.rulesets.squad_d100.rules.distance import DistanceMetric
from service.rulesets.squad_d100.rules.fire import FireEffect
from service.rulesets.squad_d100.rules.glyphs import GlyphFolding
from service.rulesets.squad_d100.rules.ground import Ground
from service.rulesets.squad_d100.rules.poses import KneelMove
from service.rulesets.squad_d100.rules.shots import AimedModifiers, BurstRolls
from service.rulesets.squad_d100.rules.suppression import SuppressionArc
from service.rulesets.squad_d100.rules.turns import Phase, TurnOrder
from service.rulesets.squad_d100.rules.vigilance import (
    VigilanceReaction,
    VigilanceTarget,
    VigilanceTrigger,
)
from service.rulesets.squad_d100.rules.words import Character, Kind, Posture
from service.rulesets.squad_d100.rules.wounds import Weakened, current_attribute
from service.rulesets.squad_d100.sheets import (
    FULL,
    ArmourClass,
    Attribute,
    Health,
    MostHealth,
    Points,
    WoundCount,
)
from service.rulesets.squad_d100.terrain import CellCoordinate, ChangedRow
from service.rulesets.squad_d100.weapons import ApClass, Grenade, Grenades, Weapon, Weapons

MAX_COMBATANTS: Final = 500
"""How many combatants a battle holds at most."""

Price = Annotated[int, Meta(ge=0, le=100)]
"""Movement points that something costs."""

Condition = Literal["down", "watch"]
"""`down`: out of the fight (SQ-WOUND-6); `watch`: looks out for enemies (SQ-VIG-1)."""

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, 0."""

Resource = Literal["mp", "rounds", "grenades", "shooting", "sprint"]
"""What is spent: movement points, rounds of a weapon, grenades, the shooting phase, the sprint."""

SuppressedReaction = Literal["barred", "allowed"]

TableBound = Annotated[int, Meta(ge=-1000, le=1000)]
"""The highest number of a zone; that it is 0 to 100 and above the one before is judged apart."""

TableColumns = Annotated[
    tuple[tuple[TableBound, TableBound, TableBound], ...], Meta(max_length=100)
]


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts.

    `glyph_folding` and `doors_open` are read when a map is laid.
    """

    glyph_folding: Annotated[GlyphFolding, EVERYONE] = "repair"
    """Which characters are read as glyphs of the legend: `strict` those alone, `repair` also the
    two look-alikes of the source text, `fold` all look-alikes."""
    x_blocks_sight: Annotated[bool, EVERYONE] = False
    """Whether a `solid_obstacle` stops sight, too (SQ-LOS-3)."""
    doors_open: Annotated[bool, EVERYONE] = False
    """Whether the doors of a map stand open at first (SQ-DOOR-1)."""
    door_cost: Annotated[Price, EVERYONE] = 4
    """Movement points for opening or closing a door (SQ-DOOR-1)."""
    pickup_cost: Annotated[Price, EVERYONE] = 4
    """Movement points for picking up what lies in the cell (SQ-LOOT-1)."""
    fire_effect: Annotated[FireEffect, EVERYONE] = "light_wound"
    """What fire does to whoever enters it or begins a turn in it (SQ-FIRE-1)."""
    turn_order: Annotated[TurnOrder, EVERYONE] = "agility"
    """Who acts first in a round: the greatest `agility`, or side after side (`sides`)."""
    side_order: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)], EVERYONE] = ()
    """Sides in the order of their turns where `turn_order` is `sides`, each at most once; those
    left out follow in the order in which they came in."""
    distance_metric: Annotated[DistanceMetric, EVERYONE] = "chebyshev"
    """How distances are counted (SQ-DIST-1)."""
    corner_rule: Annotated[CornerRule, EVERYONE] = "both"
    """How many of the two cells beside a corner close it to steps and lines (SQ-MOVE-4,
    SQ-LOS-2)."""
    kneel_move: Annotated[KneelMove, EVERYONE] = "forbid"
    """Whether a kneeling combatant may step (SQ-POSE-5)."""
    cover_mode: Annotated[CoverMode, EVERYONE] = "occupied"
    """Who is in cover (SQ-COVER-1): whoever stands in a `cover` cell (`occupied`), or also one
    behind a `cover` cell that the shot line crosses (`line`)."""
    aimed_modifiers: Annotated[AimedModifiers, EVERYONE] = "all"
    """Whether pose, cover and range count for aimed shots (SQ-SHOOT-2)."""
    burst_rolls: Annotated[BurstRolls, EVERYONE] = "per_round"
    """Whether each round of a burst is rolled for, or all with one die (SQ-SHOOT-4)."""
    dual_shots_per_hand: Annotated[Annotated[int, Meta(ge=1, le=2)], EVERYONE] = 2
    """Shots of each hand where one shoots with two (SQ-SHOOT-8)."""
    melee_reach: Annotated[Annotated[int, Meta(ge=1, le=10)], EVERYONE] = 1
    """Cells that a melee attack reaches (SQ-MELEE-3)."""
    melee_equal_hits: Annotated[bool, EVERYONE] = False
    """Whether a die equal to the threshold hits in melee (SQ-MELEE-1)."""
    ap_equal: Annotated[ApEqual, EVERYONE] = "table"
    """What equal classes of weapon and armour do (SQ-AP-1)."""
    unarmoured: Annotated[Unarmoured, EVERYONE] = "penetrate"
    """Whether every hit penetrates where there is no armour (SQ-AP-1)."""
    universal_table: Annotated[TableColumns, EVERYONE] = UNIVERSAL_TABLE
    """Six columns by how far the armour exceeds the weapon, 0 to 5 and more: the highest numbers
    below green, of green and of yellow (SQ-AP-3)."""
    crit_success_max: Annotated[Annotated[int, Meta(ge=0, le=10)], EVERYONE] = 1
    """Highest natural die that is a critical success; 0: none is (SQ-SHOOT-7)."""
    suppression_arc: Annotated[SuppressionArc, EVERYONE] = "cone"
    """Where a suppressed combatant may not shoot (SQ-SUP-4)."""
    suppressed_reaction: Annotated[SuppressedReaction, EVERYONE] = "barred"
    """Whether suppression bars reaction shots, too (SQ-SUP-4)."""
    sight_range: Annotated[Annotated[int, Meta(ge=1, le=512)] | UnsetType, EVERYONE] = UNSET
    """Cells that one sees far at most; absent: no limit (SQ-LOS-4)."""
    vigilance_trigger: Annotated[VigilanceTrigger, EVERYONE] = "in_view"
    """Which step of an enemy calls for a vigilance test (SQ-VIG-2)."""
    vigilance_target: Annotated[VigilanceTarget, EVERYONE] = "ACC"
    """What a vigilance test is rolled against (SQ-VIG-3)."""
    vigilance_reaction: Annotated[VigilanceReaction, EVERYONE] = "snap"
    """The shot of whoever notices an enemy (SQ-VIG-4)."""
    sprint_keeps_watch: Annotated[bool, EVERYONE] = False
    """Whether one is on watch after a turn with a sprint (SQ-VIG-1)."""
    explosive_damage: Annotated[Annotated[int, Meta(ge=0, le=10_000)], EVERYONE] = 30
    """Damage of explosive cargo (SQ-EXP-1)."""
    explosive_ap: Annotated[ApClass, EVERYONE] = 5
    """Armour-piercing class of explosive cargo (SQ-EXP-1)."""
    explosive_radius: Annotated[Annotated[int, Meta(ge=0, le=20)], EVERYONE] = 2
    """Radius of its blast in cells (SQ-EXP-1)."""
    attack_reveals: Annotated[bool, EVERYONE] = True
    """Whether whoever shoots, throws or strikes becomes known to everyone before the first die; if
    not, others learn only who was attacked and how it ended."""


class Suppression(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fire that pins somebody down."""

    by: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Id of whoever suppresses; absent where the caller may not know of it, or it is gone."""
    due: Annotated[bool, EVERYONE] = False
    """Whether this is the turn in which it binds (SQ-SUP-4)."""


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in.
    """

    id: Annotated[OwnId, EVERYONE]
    """Id of the combatant, unique in the battle; actions and effects name it."""
    side: Annotated[SideId, EVERYONE]
    """Id of its side; combatants of different sides are enemies, but those of `neutral` nobody's.
    """
    kind: Annotated[Kind, EVERYONE]
    """What it is; its glyph on a map follows from it."""
    character: Annotated[Character | UnsetType, EVERYONE] = UNSET
    """Which character a `named` one is, each once in a battle; absent for all others."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Its cell; absent: none yet, a reserved one is found for it (SQ-MAP-4). No rule reads
    `elevation`."""
    posture: Annotated[Posture, EVERYONE] = "standing"
    """Whether it stands or kneels."""
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=2)], EVERYONE] = ()
    """What holds of it; whoever is `down` does nothing any more."""
    health: Annotated[Health, HEALTH, unseen(0)] = FULL
    """Hit points left; at 0 it is down (SQ-WOUND-6). Left out, or 100000: as much as `health_max`.
    """
    health_max: Annotated[MostHealth, HEALTH] = 100
    """Hit points when unhurt."""
    band: Annotated[Band, BAND] = "unhurt"
    """Health in words: `unhurt` at full, `hurt` below, `badly_hurt` at most half, `down` at 0;
    computed, whatever came in."""
    strength: Annotated[Attribute, NUMBERS, unseen(0)] = 40
    """Strength: damage hand to hand, and how far it throws (SQ-MELEE-2, SQ-GREN-1)."""
    agility: Annotated[Attribute, NUMBERS, unseen(0)] = 30
    """Agility before wounds: movement points, melee, sprint (SQ-MOVE-1)."""
    accuracy: Annotated[Attribute, NUMBERS, unseen(0)] = 60
    """Accuracy before wounds: what a roll to hit must be less than (SQ-SHOOT-5)."""
    endurance: Annotated[Attribute, NUMBERS, unseen(0)] = 10
    """Endurance before wounds: movement points of a sprint (SQ-SPRINT-1)."""
    armour_class: Annotated[ArmourClass, NUMBERS, unseen(0)] = 0
    """Armour class, 0 without armour (SQ-AP-1)."""
    melee_ap: Annotated[ApClass, NUMBERS, unseen(0)] = 0
    """Armour-piercing class of its melee attack (SQ-MELEE-2)."""
    heavy_wounds: Annotated[WoundCount, NUMBERS] = 0
    """Heavy wounds it has (SQ-WOUND-1)."""
    light_wounds: Annotated[WoundCount, NUMBERS] = 0
    """Light wounds it has (SQ-WOUND-2)."""
    weapons: Annotated[Weapons, EVERYONE] = ()
    """Its firearms, each id once."""
    grenades: Annotated[Grenades, EVERYONE] = ()
    """Its grenades by kind, each id once."""
    suppressions: Annotated[
        Annotated[tuple[Suppression, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """Fire that pins it down, once for each who fired (SQ-SUP-3)."""
    mp_left: Annotated[Points | UnsetType, NUMBERS] = UNSET
    """Movement points left in its turn; absent outside of it, and at the creation of a battle in
    progress: as many as its agility."""
    phase: Annotated[Phase, EVERYONE] = "movement"
    """Phase of its turn (SQ-TURN-1); each turn begins with `movement`."""
    sprinted: Annotated[bool, EVERYONE] = False
    """Whether it has sprinted in its last turn, so far (SQ-SPRINT-1)."""
    shooting_used: Annotated[bool, EVERYONE] = False
    """Whether it has used the shooting phase of its last turn, so far (SQ-SHOOT-1)."""
    sits_out: Annotated[bool, EVERYONE] = False
    """Whether it was down at some time of this round: it has no turn before the next."""


class VigilanceTest(Struct, frozen=True, kw_only=True):
    """A vigilance test made in this turn; each watcher tests a mover once (SQ-VIG-2)."""

    watcher: Annotated[SubjectId, EVERYONE]
    """Id of the combatant on watch who tested."""
    mover: Annotated[OtherId, EVERYONE]
    """Id of the enemy whom it tested for."""


class Cache(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lies in a cell of `weapons_ammo` until somebody picks it up."""

    x: Annotated[CellCoordinate, GM]
    """Column of the cell."""
    y: Annotated[CellCoordinate, GM]
    """Row of the cell."""
    weapons: Annotated[Weapons, GM] = ()
    """Weapons that lie there."""
    grenades: Annotated[Grenades, GM] = ()
    """Grenades that lie there."""


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle. `terrain` are the cells that differ from the map."""

    options: Annotated[Options, EVERYONE]
    """The table's choices, frozen when the battle starts."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Everybody in the battle, in the order of entry, those who are down included."""
    terrain: Annotated[tuple[ChangedRow, ...], EVERYONE] = ()
    """Cells that differ from the map, row by row."""
    tests: Annotated[tuple[VigilanceTest, ...], EVERYONE] = ()
    """Vigilance tests made in the present turn."""
    caches: Annotated[tuple[Cache, ...], GM] = ()
    """What lies about and nobody has picked up, as far as the game master stated it."""
    map_units: Annotated[tuple[MentionId, ...], GM] = ()
    """Combatants who came with the map, and go with it where another one is laid."""

    @cached_property
    def lookups(self) -> "BattleLookups":
        """The lookups of this battle, handed on from state to state."""
        return BattleLookups()


class CoverSearch(NamedTuple):
    """The prices of the ways to cover from the cells that were asked about."""

    sought: frozenset[Cell]
    prices: PriceField


class BattleLookups(core.Lookups):
    """What is worked out of a battle and asked again: the tables kept beside its state.

    `grounds` by the digest of the map, `covers`, the prices of the ways to cover, by whose side
    knows what is in the way.
    """

    __slots__ = ("covers", "grounds")

    def __init__(self) -> None:
        super().__init__()
        self.grounds: core.Table[str, Ground] = core.Table()
        self.covers: core.Table[str, CoverSearch] = core.Table()


def band_of(health: int, most: int) -> Band:
    """Health in words."""
    if health <= 0:
        return "down"
    if health >= most:
        return "unhurt"
    return "badly_hurt" if 2 * health <= most else "hurt"


def is_down(combatant: Combatant) -> bool:
    """Whether a combatant is out of the fight."""
    return "down" in combatant.conditions


def is_on_watch(combatant: Combatant) -> bool:
    """Whether a combatant looks out for enemies (SQ-VIG-1)."""
    return "watch" in combatant.conditions


def is_kneeling(combatant: Combatant) -> bool:
    """Whether a combatant kneels."""
    return combatant.posture == "kneeling"


def points_left(combatant: Combatant) -> int:
    """Movement points left; 0 outside of its turn."""
    return 0 if combatant.mp_left is UNSET else combatant.mp_left


def current(combatant: Combatant, attribute: Weakened) -> int:
    """Agility (`agi`), accuracy (`acc`) or endurance (`end`) as the wounds leave it."""
    base = {
        "agi": combatant.agility,
        "acc": combatant.accuracy,
        "end": combatant.endurance,
    }[attribute]
    return current_attribute(base, attribute, combatant.heavy_wounds, combatant.light_wounds)


def weapon_named(combatant: Combatant, weapon: str) -> Weapon | None:
    """The weapon of that id that a combatant carries, if there is one."""
    return next((each for each in combatant.weapons if each.id == weapon), None)


def grenade_named(combatant: Combatant, grenade: str) -> Grenade | None:
    """The grenades of that id that a combatant carries, if there are any."""
    return next((each for each in combatant.grenades if each.id == grenade), None)


def standing_suppressors(rule: BattleState, combatant: Combatant) -> tuple[Combatant, ...]:
    """Those who suppress a combatant and are not down, in their order."""
    named = [each.by for each in combatant.suppressions if each.by is not UNSET]
    present = [combatant_of(rule, each) for each in named]
    return tuple(each for each in present if each is not None and not is_down(each))
