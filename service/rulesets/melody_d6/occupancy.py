"""Who stands where on the table: bases, enemies, who is engaged with whom, who is known to whom."""

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.rules.geometry import is_within_distance
from service.rulesets.melody_d6.rules.movement import CONTACT, Base, Standing, are_engaged
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_fleeing,
    is_on_table,
)


def spot_of(warrior: Combatant) -> Spot:
    """The centre of a warrior's base."""
    return warrior.place.x, warrior.place.y


def base_of(warrior: Combatant) -> Base:
    """A warrior's base."""
    return Base(spot_of(warrior), warrior.base_radius)


def standing(warrior: Combatant) -> Standing:
    """A warrior by its id and its base."""
    return Standing(warrior.id, base_of(warrior))


def others_on_table(rule: BattleState, warrior: Combatant) -> tuple[Combatant, ...]:
    """Everybody else on the table, friend and foe, in upload order."""
    return tuple(each for each in rule.combatants if each.id != warrior.id and is_on_table(each))


def enemies_of(rule: BattleState, side: str) -> tuple[Combatant, ...]:
    """The enemies of a side on the table, in upload order."""
    return tuple(each for each in rule.combatants if each.side != side and is_on_table(each))


def opponents(rule: BattleState, warrior: Combatant) -> tuple[Combatant, ...]:
    """Those with whom a warrior on the table is engaged, in upload order (ML-MOVE-6)."""
    base, x, reach = base_of(warrior), warrior.place.x, warrior.base_radius + CONTACT
    near = (each for each in rule.combatants if abs(each.place.x - x) <= reach + each.base_radius)
    return tuple(
        each
        for each in near
        if each.side != warrior.side and is_on_table(each) and are_engaged(base, base_of(each))
    )


def is_engaged(rule: BattleState, warrior: Combatant) -> bool:
    """Whether a warrior is engaged with anybody (ML-MOVE-6)."""
    return bool(opponents(rule, warrior))


def are_near(rule: BattleState, one: Combatant, other: Combatant, reach: int) -> bool:
    """Whether two warriors are within `reach` u of each other, as the table measures (ML-GEO-2)."""
    radii = one.base_radius + other.base_radius
    return is_within_distance(spot_of(one), spot_of(other), reach, radii, rule.options.measure)


def is_known_to(warrior: Combatant, side: str) -> bool:
    """Whether a side knows of a warrior: it is its own, or nobody hides it."""
    return warrior.side == side or not warrior.hidden


def is_alert(warrior: Combatant) -> bool:
    """Whether a warrior is an alert enemy to others: on the table and not fleeing."""
    return is_on_table(warrior) and not is_fleeing(warrior)


def may_detect(warrior: Combatant) -> bool:
    """Whether a warrior detects anybody: it is alert, and no hidden one (2.4)."""
    return is_alert(warrior) and not warrior.hidden
