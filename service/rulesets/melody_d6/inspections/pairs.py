"""What is between two warriors, and how far they are apart."""

from typing import Literal

from msgspec import Struct

from service.engine.battle.roster import require_combatant
from service.engine.geometry.roots import ceiling_root
from service.engine.geometry.segments import squared_distance
from service.engine.kit.inspections import CombatantId
from service.errors import Refused
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.rules.geometry import counted_radii, has_line_of_sight
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table

Claim = Literal["yes", "no", "unknown"]
"""Whether something holds, as far as the caller may know."""


class WarriorQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """About whom."""

    combatant: CombatantId
    """Id of the warrior."""


def blocking(ground: Ground, one: Combatant, other: Combatant) -> tuple[str, ...]:
    """The features that block the line of sight between two warriors, by id."""
    start, end = spot_of(one), spot_of(other)
    return tuple(
        each.id
        for each in ground.obstacles
        if each.is_high and not has_line_of_sight(start, end, (each.polygon,))
    )


def edge_distance(rule: BattleState, one: Combatant, other: Combatant) -> int:
    """Between the edges of two bases in u, rounded up; between centres where the table says so.

    Rounded up it is at most T exactly where the distance is, for any whole T (ML-GEO-2).
    """
    radii = counted_radii(rule.options.measure, one.base_radius, other.base_radius)
    return ceiling_root(squared_distance(spot_of(one), spot_of(other))) - radii


def require_present(rule: BattleState, combatant: str) -> Combatant:
    """A warrior on the table. Raises Refused("unknown_combatant") or ("actor_incapacitated")."""
    warrior = require_combatant(rule, combatant)
    if not is_on_table(warrior):
        raise Refused("actor_incapacitated", combatant=warrior.id)
    return warrior


def claim(holds: bool, is_known: bool) -> Claim:
    """Whether something holds, unless the caller may not know."""
    if not is_known:
        return "unknown"
    return "yes" if holds else "no"
