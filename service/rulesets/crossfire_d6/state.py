"""What a battle remembers: options, combatants with their weapons, and the ground's changes."""

from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle import state as core
from service.engine.geometry.arcs import Heading
from service.engine.geometry.distance import DiagonalRule
from service.engine.visibility.audience import (
    BAND,
    EVERYONE,
    GM,
    HEALTH,
    NUMBERS,
    TEXT,
    OtherId,
    OwnId,
    RuleId,
    SubjectId,
    unseen,
)
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import Digest, NameText, Place, SideId
from service.rulesets.crossfire_d6.rules.cover import CoverPenaltyMode
from service.rulesets.crossfire_d6.rules.crossfire import CrossfireCount
from service.rulesets.crossfire_d6.rules.defaults import CriticalRule
from service.rulesets.crossfire_d6.rules.facing import WeaponArc
from service.rulesets.crossfire_d6.rules.flanking import FlankingMembership
from service.rulesets.crossfire_d6.rules.ground import Board, Fighter, Position, Posture
from service.rulesets.crossfire_d6.rules.suppression import MOST_TURNS, HideScope, MeasuredFrom
from service.rulesets.crossfire_d6.terrain import Cell, TerrainChange

MAX_COMBATANTS = 500
"""How many combatants a battle holds at most."""

Count = Annotated[int, Meta(ge=0, le=10_000)]
"""A number of a sheet that is not below 0."""

Turns = Annotated[int, Meta(ge=0, le=MOST_TURNS)]
"""Turns counted by suppression."""

Range = Annotated[int, Meta(ge=1, le=100_000)]
"""How far one shoots, in feet: as far as the map at most."""

Pool = Annotated[int, Meta(ge=0, le=30)]
"""Dice of an attribute."""

WeaponDice = Annotated[int, Meta(ge=0, le=50)]
"""Dice of a weapon."""

Defence = Annotated[int, Meta(ge=0, le=200)]
"""A total to reach."""

WeaponId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a weapon, unique with its bearer."""

Condition = Literal["prone", "helpless", "unaware", "invisible", "dead"]

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, 0 and less."""


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts."""

    diagonal_rule: Annotated[DiagonalRule, EVERYONE] = "equal"
    """How diagonal steps count in distances and walks: `equal`: each one cell; `alternating`: every
    second one two cells (CF-RANGE-3)."""
    melee_elevation_min_ft: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 2
    """Feet an attacker must stand above the target for +1d6 in melee (CF-ELEV-1)."""
    ranged_elevation_min_ft: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 10
    """Feet an attacker must stand above the target for +1d6 to shooting (CF-ELEV-2)."""
    default_max_increments: Annotated[Annotated[int, Meta(ge=1, le=20)], EVERYONE] = 5
    """Maximum range, in increments, of a weapon that states none (CF-RANGE-2)."""
    cover_penalty_mode: Annotated[CoverPenaltyMode, EVERYONE] = "once"
    """Cover, an ally near the target and poor visibility cost 2d6 together (`once`) or each
    (`separate`) (CF-COVER-4)."""
    cover_vs_melee: Annotated[bool, EVERYONE] = False
    """Whether a target in cover costs melee attacks 2d6, too, not only ranged ones (CF-COVER-2)."""
    intervening_cover: Annotated[bool, EVERYONE] = False
    """Whether cover on the line that is adjacent to neither fighter puts an open target in cover
    (CF-POS-9)."""
    crossfire_membership: Annotated[Literal["able", "fired"], EVERYONE] = "able"
    """Who counts as a shooter: `able`: whoever could shoot at the target now; `fired`: of those,
    only who has shot at it in this round, and the attacker (CF-XFIRE-4)."""
    crossfire_count: Annotated[CrossfireCount, EVERYONE] = "participants"
    """Who takes part in a crossfire: `participants`: shooters more than 90 degrees from another
    one; `all_shooters`: all of them as soon as two are (CF-XFIRE-2)."""
    crossfire_cap: Annotated[Annotated[int, Meta(ge=0, le=20)], EVERYONE] = 3
    """Most dice that a crossfire adds (CF-XFIRE-3); 0: none."""
    flanking_membership: Annotated[FlankingMembership, EVERYONE] = "melee"
    """Who is a flanking partner: `melee`: only who has the target within reach of a ready melee
    weapon; `any`: whoever stands opposite (CF-FLANK-1)."""
    pin_cap: Annotated[Turns | UnsetType, EVERYONE] = UNSET
    """Most dice that suppression adds (CF-PIN-1); absent, there is no limit."""
    pin_min_move_ft: Annotated[Annotated[int, Meta(ge=5, le=100)], EVERYONE] = 10
    """Feet away from the origin that count as having moved; less is staying (CF-PIN-3)."""
    pin_measured_from: Annotated[MeasuredFrom, EVERYONE] = "origin"
    """Where staying is measured from: `origin`: the cell where the count began; `last_turn`: where
    the last own turn ended (CF-PIN-2)."""
    pin_return_memory: Annotated[bool, EVERYONE] = False
    """Whether a count broken in one turn goes on if the next one ends where it began (CF-PIN-4)."""
    hide_scope: Annotated[HideScope, EVERYONE] = "aggressor"
    """From whom a successful `hide` hides: the enemy named (`aggressor`) or every enemy (`all`)
    (CF-PIN-6)."""
    hide_tie_succeeds: Annotated[bool, EVERYONE] = True
    """Whether the hider wins if both rolls sum to the same (CF-PIN-6)."""
    point_blank_ft: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 5
    """Distance in feet up to which a shot is point blank and costs 2d6 (CF-PB-1)."""
    ally_near_ft: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 5
    """Distance in feet from the target up to which the attacker's ally costs a shot 2d6
    (CF-ALLY-1)."""
    allow_reckless_fire: Annotated[bool, EVERYONE] = False
    """Whether `ranged_attack` may be `reckless` (CF-ALLY-3)."""
    rear_is_unaware: Annotated[bool, EVERYONE] = False
    """Whether a melee attack from the rear gains the +2d6 against an unaware target (CF-FACE-5)."""
    pool_floor: Annotated[Literal[0, 1], EVERYONE] = 1
    """Fewest dice of an attack: 1, or 0, where an empty pool misses without a roll (CF-SD-2)."""
    natural_crit_sixes: Annotated[Annotated[int, Meta(ge=0, le=10)], EVERYONE] = 3
    """Sixes that make a hit critical (CF-SD-3); 0: none do."""
    crit_rule: Annotated[CriticalRule, EVERYONE] = "double_dice"
    """Damage of a critical hit: `double_dice` rolls twice the dice, `max_damage` counts each die as
    6 (CF-SD-4)."""
    actions_per_turn: Annotated[Annotated[int, Meta(ge=1, le=5)], EVERYONE] = 2
    """Actions that a turn begins with (CF-SD-1)."""
    initiative: Annotated[Literal["roll", "fixed"], EVERYONE] = "roll"
    """`roll`: `int_pool` dice, the highest sum first; `fixed`: the order of entry, without dice
    (CF-SD-1)."""
    attack_reveals: Annotated[bool, EVERYONE] = True
    """Whether attacking makes a hidden attacker known to everyone; if not, others learn only who
    was attacked and how it ended."""


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a combatant attacks with. A ranged one (or `both`) states its increment."""

    id: Annotated[WeaponId, EVERYONE]
    """Id of the weapon, unique with its bearer; attacks name it."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Name to display; no rule reads it."""
    kind: Annotated[Literal["melee", "ranged", "both"], EVERYONE]
    """Whether one strikes with it, shoots with it, or does `both`."""
    attack_dice: Annotated[WeaponDice, NUMBERS]
    """d6 of an attack with it before any modifier (CF-SD-2)."""
    damage_dice: Annotated[WeaponDice, NUMBERS]
    """d6 of damage of a hit with it (CF-SD-4)."""
    range_increment_ft: Annotated[Range | UnsetType, NUMBERS] = UNSET
    """Feet per step of range: each one after the first costs a shot 1d6 (CF-RANGE-1); needed by
    `ranged` and `both`."""
    max_range_ft: Annotated[Range | UnsetType, NUMBERS] = UNSET
    """Farthest shot in feet (CF-RANGE-2); absent: `default_max_increments` increments."""
    reach_ft: Annotated[Annotated[int, Meta(ge=0, le=1000)], NUMBERS] = 5
    """Farthest target in feet of a strike with it; not read of a `ranged` one."""
    arc: Annotated[WeaponArc, EVERYONE] = "any"
    """Quarter, as its bearer looks, that attacks with it are bound to (CF-FACE-4); `any`: all
    round."""
    ready: Annotated[bool, EVERYONE] = True
    """Whether it is in hand and loaded; one that is not neither attacks nor counts for crossfire
    and flanking."""


class Hiding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many counted turns give this enemy no dice: one has hidden from it."""

    combatant: Annotated[OtherId, EVERYONE]
    """Id of the enemy one has hidden from."""
    offset: Annotated[Turns, NUMBERS]
    """Own turns of `pin_count` that give this enemy no dice (CF-PIN-6)."""


class Override(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game master's word on the position against this enemy."""

    versus: Annotated[SubjectId, EVERYONE]
    """Id of the enemy against whom the position is overruled."""
    position: Annotated[Position, EVERYONE]
    """What counts instead of the position that posture and map give (CF-POS-1)."""


class RememberedStreak(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A streak broken at the end of the last turn: where it began and how long it was."""

    origin: Annotated[Cell, EVERYONE]
    """Cell where the streak began; ending the next turn there restores it (CF-PIN-4)."""
    count: Annotated[Turns, NUMBERS]
    """Own turns that the streak had counted."""


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in.
    """

    id: Annotated[OwnId, EVERYONE]
    """Id of the combatant, unique in the battle; actions and effects name it."""
    side: Annotated[SideId, EVERYONE]
    """Id of its side; combatants of different sides are hostile."""
    place: Annotated[Place, EVERYONE]
    """Cell of the north-west corner of its space; `elevation`, in feet, replaces the ground's
    height."""
    size: Annotated[Annotated[int, Meta(ge=1, le=8)], EVERYONE] = 1
    """Width and depth of its space in cells."""
    facing: Annotated[Heading, EVERYONE] = "N"
    """Compass direction in which it looks; weapon arcs and attacks from the rear go by it
    (CF-FACE-1)."""
    posture: Annotated[Posture, EVERYONE] = "open"
    """What it declares: `open`, `in_cover` or `blocked` (behind cover); the position against each
    enemy follows from it and the map (CF-POS-1)."""
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=5)], EVERYONE] = ()
    """What holds of it; whoever is `helpless` or `dead` takes no turn."""
    health: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH, unseen(0)]
    """Health points now: at 0 and less `helpless`, as far below 0 as `health_max` above it `dead`
    (CF-SD-4)."""
    health_max: Annotated[Count, HEALTH] = 0
    """Starting health points; 0 when it comes in: as much as `health`, at least 1."""
    band: Annotated[Band, BAND] = "unhurt"
    """Health in words: `unhurt` at full, `hurt` below, `badly_hurt` at most half, `down` at 0 and
    less; computed, whatever came in."""
    soak: Annotated[Count, NUMBERS] = 0
    """Points taken off the damage of every hit (CF-SD-4)."""
    speed_ft: Annotated[Annotated[int, Meta(ge=0, le=200)], NUMBERS, unseen(0)] = 30
    """Feet that one `move` leads at most."""
    agi_pool: Annotated[Pool, NUMBERS] = 0
    """d6 of agility: rolled to hide (CF-PIN-6)."""
    int_pool: Annotated[Pool, NUMBERS] = 0
    """d6 of intellect: rolled for initiative (CF-SD-1) and against those who hide (CF-PIN-6)."""
    pin_resistance: Annotated[Annotated[int, Meta(ge=0, le=20)], NUMBERS] = 0
    """Dice of suppression that do not count against it (CF-PIN-5)."""
    melee_defence: Annotated[Defence, NUMBERS, unseen(0)]
    """Total that a melee attack must reach to hit it (CF-SD-3)."""
    ranged_defence: Annotated[Defence, NUMBERS, unseen(0)]
    """Total that a ranged attack must reach to hit it (CF-SD-3)."""
    ignored_rules: Annotated[Annotated[tuple[RuleId, ...], Meta(max_length=50)], NUMBERS] = ()
    """Rule ids whose penalties do not count in its own attacks: its tricks (CF-ALLY-2)."""
    weapons: Annotated[Annotated[tuple[Weapon, ...], Meta(max_length=20)], EVERYONE] = ()
    """What it can attack with, each id once."""
    actions_left: Annotated[Annotated[int, Meta(ge=0, le=5)] | UnsetType, EVERYONE] = UNSET
    """Actions left in its turn; absent until its first one, unless it comes in with some."""
    pin_count: Annotated[Turns, NUMBERS] = 0
    """Own turns ended without moving away from `pin_origin`: dice of suppression (CF-PIN-1)."""
    pin_origin: Annotated[Cell | UnsetType, EVERYONE] = UNSET
    """Cell from which staying is measured (CF-PIN-2); absent when it comes in: where it stands."""
    previous_streak: Annotated[RememberedStreak | UnsetType, EVERYONE] = UNSET
    """The streak broken at the end of its last turn, kept with `pin_return_memory`; absent: none
    (CF-PIN-4)."""
    hidden_from: Annotated[
        Annotated[tuple[Hiding, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """Enemies it has hidden from, with the turns that give them no dice (CF-PIN-6)."""
    overrides: Annotated[
        Annotated[tuple[Override, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """Its positions that the game master has overruled, by enemy."""
    shot_at: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    """Ids of those it has made ranged attacks on in this round (CF-XFIRE-4)."""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place in the order of turns; without a score where it was given or is that of entry."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Id of the combatant who has this place in the order."""
    score: Annotated[Annotated[int, Meta(ge=0, le=10_000)] | UnsetType, NUMBERS] = UNSET
    """Sum of its initiative dice (CF-SD-1); absent where the order was given or is that of
    entry."""


class Company(NamedTuple):
    """Who else counts in a shot.

    `allies` are those of the attacker's side that are alive, each with its distance from the target
    in feet; `shooters` are those in crossfire.
    """

    allies: tuple[tuple[Fighter, int], ...]
    shooters: tuple[Fighter, ...]


SeenFighter = tuple[Combatant, Options, Fighter]
"""A fighter, behind what it was made of, except for its elevation."""


class Crowd(NamedTuple):
    """All fighters, behind what they were made of: `board` has the heights they stand at."""

    board: Board | None = None
    options: Options | None = None
    combatants: tuple[Combatant, ...] = ()
    fighters: tuple[Fighter, ...] = ()


SeenBoard = tuple[Digest | UnsetType, tuple[TerrainChange, ...], tuple[TerrainChange, ...], Board]
"""A board, behind what it was made of: the map, what changed on it, and what is hidden there."""


class BattleLookups(core.Lookups):
    """What is worked out of a battle and asked again: the tables kept beside its state.

    `boards` by whether they hold what only the game master knows; `fighters` by id, `crowd` all of
    them; `company` by the ids of an attacker and a target.
    """

    __slots__ = ("boards", "company", "crowd", "fighters")

    def __init__(self) -> None:
        super().__init__()
        self.boards: dict[bool, SeenBoard] = {}
        self.fighters: dict[str, SeenFighter] = {}
        self.crowd = Crowd()
        self.company: core.Table[tuple[str, str], Company] = core.Table()


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle.

    `terrain` are the cells and borders that differ from the map, `secrets` those that only the
    game master knows; where both speak of one, the secret is the truth.
    """

    options: Annotated[Options, EVERYONE]
    """The table's choices, frozen when the battle starts."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Everybody in the battle, in the order of entry, the fallen included."""
    scores: Annotated[tuple[Score, ...], EVERYONE] = ()
    """The order of turns with the initiative of each, the first to act first."""
    terrain: Annotated[tuple[TerrainChange, ...], EVERYONE] = ()
    """Cells and borders that differ from the map and that everyone knows, each whole."""
    secrets: Annotated[tuple[TerrainChange, ...], GM] = ()
    """Cells and borders that only the game master knows; where `terrain` speaks of one, too, these
    are the truth."""

    @cached_property
    def lookups(self) -> BattleLookups:
        """The lookups of this battle, handed on from state to state."""
        return BattleLookups()
