"""What previews of these rules tell."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.ruleset.definition import Odds
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.effects import Against
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    CoverReport,
    FlankingReport,
)
from service.rulesets.tactical_d20.rules.words import AttackMode
from service.rulesets.tactical_d20.terrain import Cell, Corner
from service.rulesets.tactical_d20.weapons import DamageDice


class Asked(Struct, frozen=True, kw_only=True):
    """Somebody who is offered an opportunity before the action goes on."""

    combatant: str
    """Id of the enemy who is asked."""
    steps: int | UnsetType = UNSET
    """Steps of a walk that are made before; absent for a shot."""


class Foreseen(Struct, frozen=True, kw_only=True):
    """What an area effect would do to one combatant whom the caller knows of."""

    target: str
    """Id of the combatant."""
    base: int | UnsetType = UNSET
    """Its Reflex bonus; absent where the caller may not know it."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What changes the save; absent where the caller may not know it."""
    pool: int | UnsetType = UNSET
    """What is added to the d20 of its save; absent where the caller may not know it."""
    cover: CoverReport | UnsetType = UNSET
    """Its cover from the origin; absent where the caller may not know what is overruled of it."""
    odds: tuple[Odds, ...] = ()
    """Exact chances of the save, `success` and `failure`; empty where something is unknown."""
    felled: tuple[Odds, ...] | UnsetType = UNSET
    """Exact chances that the effect leaves it `unconscious` or `dead`, as of an attack; absent
    where the caller may not know its save or its health."""


class Facts(Struct, frozen=True, kw_only=True):
    """An attack, an area effect or a walk; nothing of the others' numbers that are hidden.

    An attack: `mode` to `felled`, as in the detail of the attack. An area effect: `origin` to
    `victims`. A walk: `cost_ft` of `budget_ft` and its `end`.
    """

    mode: AttackMode | UnsetType = UNSET
    """Kind of attack; absent where the action is none."""
    distance_ft: int | UnsetType = UNSET
    """Feet between attacker and target, or the cell attacked."""
    base: int | UnsetType = UNSET
    """Attack bonus of the weapon, before modifiers."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What changes `base` into `pool`, without a line that depends on what the caller may not know;
    absent where the option `breakdowns` hides it."""
    pool: int | UnsetType = UNSET
    """What is added to the d20; absent where the caller may not know it. At a cell without what
    whoever is there would change of it."""
    against: Against | UnsetType = UNSET
    """The target's armour class; absent where the caller may not know it, and at a cell."""
    cover: CoverReport | UnsetType = UNSET
    """The target's cover; absent where the caller may not know what is overruled of it, and at a
    cell."""
    concealment: ConcealmentReport | UnsetType = UNSET
    """The target's concealment; absent where the caller may not know it, and at a cell."""
    flanking: FlankingReport | UnsetType = UNSET
    """Who flanks with the attacker; absent for shots, where the caller may not know it, and at a
    cell."""
    damage: DamageDice | UnsetType = UNSET
    """Damage of a hit, or of an area effect before saves."""
    felled: tuple[Odds, ...] | UnsetType = UNSET
    """Exact chances that the attack leaves the target `unconscious` or `dead` who was neither or
    only the first; absent where the caller may not know its health."""
    asks: tuple[Asked, ...] | UnsetType = UNSET
    """Enemies who are offered an opportunity before, as far as the caller knows; the odds are those
    with all of them passing, but for those whose answer is stated: the outcome `dropped` is that
    the attacker falls to their strikes. Absent without any."""
    origin: Corner | UnsetType = UNSET
    """Corner of the grid where an area effect begins."""
    radius_ft: int | UnsetType = UNSET
    """Its radius in feet."""
    dc: int | UnsetType = UNSET
    """What a save against it must reach."""
    spread: bool | UnsetType = UNSET
    """Whether it spreads round corners (TD-COVER-7)."""
    victims: tuple[Foreseen, ...] | UnsetType = UNSET
    """Whom it affects of those the caller knows of, in the order of entry."""
    cost_ft: int | UnsetType = UNSET
    """Feet that the path is long."""
    budget_ft: int | UnsetType = UNSET
    """Feet that one move leads at most."""
    end: Cell | UnsetType = UNSET
    """The cell where the path ends."""
