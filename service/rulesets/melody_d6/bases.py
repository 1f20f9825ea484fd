"""Warriors as bases on the table: where they stand, who is near whom, who is engaged."""

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.rules.geometry import is_within_distance
from service.rulesets.melody_d6.rules.movement import Base, are_engaged
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table


def spot_of(warrior: Combatant) -> Spot:
    """Where the centre of a warrior's base is, in u."""
    return warrior.place.x, warrior.place.y


def base_of(warrior: Combatant) -> Base:
    """A warrior's base, on the table or where it stood last."""
    return Base(spot_of(warrior), warrior.base_radius)


def are_near(rule: BattleState, one: Combatant, other: Combatant, reach: int) -> bool:
    """Whether two warriors are within `reach` u of each other, as the table measures (ML-GEO-2)."""
    radii = one.base_radius + other.base_radius
    return is_within_distance(spot_of(one), spot_of(other), reach, radii, rule.options.measure)


def is_engaged(rule: BattleState, warrior: Combatant) -> bool:
    """Whether an enemy on the table is in contact with a warrior (ML-MOVE-6)."""
    base = base_of(warrior)
    return any(
        each.side != warrior.side and is_on_table(each) and are_engaged(base, base_of(each))
        for each in rule.combatants
    )
