"""What a battle remembers: options, combatants with their weapons, and the ground's changes."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine import state as core
from service.engine.audience import (
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
)
from service.engine.geometry.arcs import Facing
from service.engine.geometry.distance import DiagonalRule
from service.engine.vocabulary import NameText, Place, SideId
from service.rulesets.crossfire_d6.rules.cover import CoverPenaltyMode
from service.rulesets.crossfire_d6.rules.crossfire import CrossfireCount
from service.rulesets.crossfire_d6.rules.defaults import CriticalRule
from service.rulesets.crossfire_d6.rules.facing import WeaponArc
from service.rulesets.crossfire_d6.rules.flanking import FlankingMembership
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
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

WeaponId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[a-z0-9_-]+$")]
"""Id of a weapon, unique with its bearer."""

Condition = Literal["prone", "helpless", "unaware", "invisible", "dead"]

Band = Literal["unhurt", "hurt", "badly_hurt", "down"]
"""Health in words: at full, below, at most half, 0 and less."""


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts.

    `attack_reveals`: attacking makes a hidden attacker known to everyone. If not, others learn
    only who was attacked and how it ended.
    """

    diagonal_rule: Annotated[DiagonalRule, EVERYONE] = "equal"
    melee_elevation_min_ft: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 2
    ranged_elevation_min_ft: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE] = 10
    default_max_increments: Annotated[Annotated[int, Meta(ge=1, le=20)], EVERYONE] = 5
    cover_penalty_mode: Annotated[CoverPenaltyMode, EVERYONE] = "once"
    cover_vs_melee: Annotated[bool, EVERYONE] = False
    intervening_cover: Annotated[bool, EVERYONE] = False
    crossfire_membership: Annotated[Literal["able", "fired"], EVERYONE] = "able"
    crossfire_count: Annotated[CrossfireCount, EVERYONE] = "participants"
    crossfire_cap: Annotated[Annotated[int, Meta(ge=0, le=20)], EVERYONE] = 3
    flanking_membership: Annotated[FlankingMembership, EVERYONE] = "melee"
    pin_cap: Annotated[Turns | UnsetType, EVERYONE] = UNSET
    pin_min_move_ft: Annotated[Annotated[int, Meta(ge=5, le=100)], EVERYONE] = 10
    pin_measured_from: Annotated[MeasuredFrom, EVERYONE] = "origin"
    pin_return_memory: Annotated[bool, EVERYONE] = False
    hide_scope: Annotated[HideScope, EVERYONE] = "aggressor"
    hide_tie_succeeds: Annotated[bool, EVERYONE] = True
    point_blank_ft: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 5
    ally_near_ft: Annotated[Annotated[int, Meta(ge=0, le=100)], EVERYONE] = 5
    allow_reckless_fire: Annotated[bool, EVERYONE] = False
    rear_is_unaware: Annotated[bool, EVERYONE] = False
    pool_floor: Annotated[Literal[0, 1], EVERYONE] = 1
    natural_crit_sixes: Annotated[Annotated[int, Meta(ge=0, le=10)], EVERYONE] = 3
    crit_rule: Annotated[CriticalRule, EVERYONE] = "double_dice"
    actions_per_turn: Annotated[Annotated[int, Meta(ge=1, le=5)], EVERYONE] = 2
    initiative: Annotated[Literal["roll", "fixed"], EVERYONE] = "roll"
    attack_reveals: Annotated[bool, EVERYONE] = True


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a combatant attacks with. A ranged one (or `both`) states its increment.

    `ready`: in hand and loaded.
    """

    id: Annotated[WeaponId, EVERYONE]
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    kind: Annotated[Literal["melee", "ranged", "both"], EVERYONE]
    attack_dice: Annotated[WeaponDice, NUMBERS]
    damage_dice: Annotated[WeaponDice, NUMBERS]
    range_increment_ft: Annotated[Range | UnsetType, NUMBERS] = UNSET
    max_range_ft: Annotated[Range | UnsetType, NUMBERS] = UNSET
    reach_ft: Annotated[Annotated[int, Meta(ge=0, le=1000)], NUMBERS] = 5
    arc: Annotated[WeaponArc, EVERYONE] = "any"
    ready: Annotated[bool, EVERYONE] = True


class Hiding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many counted turns give this enemy no dice: one has hidden from it."""

    combatant: Annotated[OtherId, EVERYONE]
    offset: Annotated[Turns, NUMBERS]


class Override(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game master's word on the position against this enemy."""

    versus: Annotated[SubjectId, EVERYONE]
    position: Annotated[Position, EVERYONE]


class RememberedStreak(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A streak broken at the end of the last turn: where it began and how long it was."""

    origin: Annotated[Cell, EVERYONE]
    count: Annotated[Turns, NUMBERS]


class Combatant(core.Combatant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter: what a creation states of it, and what the battle remembers of it.

    `number` and `band` are computed, whatever came in; `health_max` is the starting health (0:
    as much as `health`); `pin_origin` is where it stands unless stated. `place.elevation`
    replaces the height of the ground under it. `offset`s and counts are those of the rules
    about suppression; `shot_at` are the targets of its ranged attacks in this round.
    """

    id: Annotated[OwnId, EVERYONE]
    side: Annotated[SideId, EVERYONE]
    place: Annotated[Place, EVERYONE]
    size: Annotated[Annotated[int, Meta(ge=1, le=8)], EVERYONE] = 1
    facing: Annotated[Facing, EVERYONE] = "N"
    posture: Annotated[Posture, EVERYONE] = "open"
    conditions: Annotated[Annotated[tuple[Condition, ...], Meta(max_length=5)], EVERYONE] = ()
    health: Annotated[Annotated[int, Meta(ge=-10_000, le=10_000)], HEALTH]
    health_max: Annotated[Count, HEALTH] = 0
    band: Annotated[Band, BAND] = "unhurt"
    soak: Annotated[Count, NUMBERS] = 0
    speed_ft: Annotated[Annotated[int, Meta(ge=0, le=200)], NUMBERS] = 30
    agi_pool: Annotated[Pool, NUMBERS] = 0
    int_pool: Annotated[Pool, NUMBERS] = 0
    pin_resistance: Annotated[Annotated[int, Meta(ge=0, le=20)], NUMBERS] = 0
    melee_defence: Annotated[Defence, NUMBERS]
    ranged_defence: Annotated[Defence, NUMBERS]
    ignored_rules: Annotated[Annotated[tuple[RuleId, ...], Meta(max_length=50)], NUMBERS] = ()
    weapons: Annotated[Annotated[tuple[Weapon, ...], Meta(max_length=20)], EVERYONE] = ()
    actions_left: Annotated[Annotated[int, Meta(ge=0, le=5)] | UnsetType, EVERYONE] = UNSET
    pin_count: Annotated[Turns, NUMBERS] = 0
    pin_origin: Annotated[Cell | UnsetType, EVERYONE] = UNSET
    previous_streak: Annotated[RememberedStreak | UnsetType, EVERYONE] = UNSET
    hidden_from: Annotated[
        Annotated[tuple[Hiding, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    overrides: Annotated[
        Annotated[tuple[Override, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()
    shot_at: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(max_length=MAX_COMBATANTS)], EVERYONE
    ] = ()


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place in the order of turns; without a score where it was given or is that of entry."""

    combatant: Annotated[SubjectId, EVERYONE]
    score: Annotated[Annotated[int, Meta(ge=0, le=10_000)] | UnsetType, NUMBERS] = UNSET


class BattleState(core.RuleState, frozen=True, kw_only=True):
    """The rule half of a battle.

    `terrain` are the cells and borders that differ from the map, `secrets` those that only the
    game master knows; where both speak of one, the secret is the truth.
    """

    options: Annotated[Options, EVERYONE]
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    scores: Annotated[tuple[Score, ...], EVERYONE] = ()
    terrain: Annotated[tuple[TerrainChange, ...], EVERYONE] = ()
    secrets: Annotated[tuple[TerrainChange, ...], GM] = ()


def combatant_named(rule: BattleState, combatant: str) -> Combatant | None:
    """The combatant of that id, if there is one."""
    for known in rule.combatants:
        if known.id == combatant:
            return known
    return None


def existing(rule: BattleState, combatant: str) -> Combatant:
    """The combatant of that id, which is known to be there. Raises KeyError if it is not."""
    for known in rule.combatants:
        if known.id == combatant:
            return known
    raise KeyError(combatant)


def band_of(health: int, starting_health: int) -> Band:
    """Health in words."""
    if health <= 0:
        return "down"
    if health >= starting_health:
        return "unhurt"
    return "badly_hurt" if 2 * health <= starting_health else "hurt"


def is_out(combatant: Combatant) -> bool:
    """Whether a combatant is helpless or dead: it takes no turn and no action."""
    return "helpless" in combatant.conditions or "dead" in combatant.conditions


def actions_of(combatant: Combatant) -> int:
    """The actions left to it in this turn."""
    return 0 if combatant.actions_left is UNSET else combatant.actions_left
