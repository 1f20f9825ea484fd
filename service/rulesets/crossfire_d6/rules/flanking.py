"""CF-FLANK: melee attackers on opposite sides of a target."""

from collections.abc import Callable
from typing import Final, Literal

from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.geometry import are_sides_opposite, centre_of
from service.rulesets.crossfire_d6.rules.ground import Fighter, are_hostile, can_act

CF_FLANK_1: Final = "CF-FLANK-1"

FlankingMembership = Literal["melee", "any"]


def flanking_modifier(
    attacker: Fighter,
    target: Fighter,
    fighters: tuple[Fighter, ...],
    *,
    membership: FlankingMembership,
    distance_of: Callable[[Fighter], int],
) -> Modifier | None:
    """CF-FLANK-1: one die if a partner stands on the opposite side of the target.

    The partner is another combatant hostile to the target, neither helpless nor dead, and has
    it within melee reach (not asked with `membership = any`). Further partners add nothing;
    the line names the first in the order given. `distance_of` gives a fighter's distance to
    the target in feet.
    Source: "каждый атакующий получает бонус +1к6 к рукопашной атаке".
    """
    for partner in fighters:
        if partner.id in (attacker.id, target.id) or not are_hostile(partner, target):
            continue
        if not can_act(partner) or not are_opposite(attacker.space, partner.space, target.space):
            continue
        if membership == "any" or distance_of(partner) <= partner.reach_ft:
            return Modifier(rule=CF_FLANK_1, amount=1, combatants=(partner.id,))
    return None


def are_opposite(attacker: Space, partner: Space, target: Space) -> bool:
    """CF-FLANK-2: the segment between the two centres passes through opposite sides.

    It crosses the target's interior and meets both its west and east, or both its north and
    south side, corners included (CF-GEO-6).
    Source: "расположены с противоположных сторон от цели".
    """
    return are_sides_opposite(centre_of(attacker), centre_of(partner), target)
