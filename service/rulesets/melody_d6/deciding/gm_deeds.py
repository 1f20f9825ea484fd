"""What the game master asks for in terms of the rules: a reveal, a panic test."""

from service.engine.battle.roster import require_combatant
from service.errors import Refused
from service.rulesets.melody_d6.actions import GmPanicTest, GmReveal
from service.rulesets.melody_d6.deciding import panic
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.rules.masking import ML_MASK_15
from service.rulesets.melody_d6.rules.panic import ML_PANIC_1
from service.rulesets.melody_d6.state import (
    is_masked,
    is_steady,
    members_of,
    unit_named,
)


def reveal(resolution: Resolution, action: GmReveal) -> None:
    """A warrior loses its masking. Raises Refused("unknown_combatant") or ("not_masked")."""
    warrior = require_combatant(resolution.view.rule, action.combatant)
    if not is_masked(warrior):
        raise Refused("not_masked", rule=ML_MASK_15, combatant=warrior.id)
    lose_mask(resolution.effects, warrior.id, "gm")


def take_panic_test(resolution: Resolution, action: GmPanicTest) -> None:
    """A unit tests its Courage. Raises Refused("unknown_unit") or ("unit_cannot_act")."""
    if unit_named(resolution.view.rule, action.unit) is None:
        raise Refused("unknown_unit", unit=action.unit)
    if not any(map(is_steady, members_of(resolution.view.rule, action.unit))):
        raise Refused("unit_cannot_act", rule=ML_PANIC_1, unit=action.unit)
    panic.take_test(resolution, action.unit, action.modifier)
