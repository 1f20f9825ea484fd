"""Activations: a unit begins one, ends its movement with the detection rolls, and ends it (2.1)."""

from msgspec import UNSET

from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Activate, EndActivation, EndMovement
from service.rulesets.melody_d6.deciding import detection
from service.rulesets.melody_d6.deciding.requirements import (
    require_active_unit,
    require_own_unit,
    require_side_turn,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.rules.stun import ML_STUN_1, is_stun_over
from service.rulesets.melody_d6.rules.turns import ML_TURN_2, ML_TURN_3, require_fresh
from service.rulesets.melody_d6.state import (
    BattleState,
    Unit,
    is_steady,
    is_stunned,
    members_of,
    unit_named,
)


def require_activation(rule: BattleState, action: Activate) -> Unit:
    """All preconditions of an activation.

    Raises Refused("not_your_turn"), ("activation_open"), ("unit_already_activated") or
    ("unit_cannot_act"), checked in this order.
    """
    unit = _unit(rule, action.unit)
    require_side_turn(rule, unit.side)
    require_none_open(rule)
    require_fresh(unit.id, [each.id for each in rule.units if each.activated])
    if not any(map(is_steady, members_of(rule, unit.id))):
        raise Refused("unit_cannot_act", rule=ML_TURN_3, unit=unit.id)
    return unit


def require_none_open(rule: BattleState) -> None:
    """No activation is open. Raises Refused("activation_open")."""
    if rule.turn_unit is not UNSET:
        raise Refused("activation_open", rule=ML_TURN_2, unit=rule.turn_unit)


def _unit(rule: BattleState, unit: str) -> Unit:
    found = unit_named(rule, unit)
    if found is None:
        raise Refused("unknown_unit", unit=unit)
    return found


def activate(resolution: Resolution, action: Activate) -> None:
    """The activation of a unit begins, in its movement phase. Raises Forbidden, Refused."""
    require_own_unit(resolution.view, resolution.by, action.unit)
    unit = require_activation(resolution.view.rule, action)
    resolution.effects.emit(own.ActivationBegan(rule=ML_TURN_3, side=unit.side, unit=unit.id))


def require_end_of_movement(rule: BattleState, action: EndMovement) -> None:
    """All preconditions: the unit's activation is open, in its movement phase.

    Raises Refused("not_your_turn"), ("no_active_unit") or ("wrong_phase"), checked in this order.
    """
    require_side_turn(rule, _unit(rule, action.unit).side)
    require_active_unit(rule, action.unit, "movement")


def end_movement(resolution: Resolution, action: EndMovement) -> None:
    """Detection is rolled for, and the action phase begins. Raises Forbidden, Refused."""
    require_own_unit(resolution.view, resolution.by, action.unit)
    require_end_of_movement(resolution.view.rule, action)
    go_on_to_actions(resolution, action.unit)


def go_on_to_actions(resolution: Resolution, unit: str) -> None:
    """The detection rolls at the end of a unit's movement; then its action phase."""
    detection.at_end_of_movement(resolution)
    resolution.effects.emit(own.PhaseChanged(rule=ML_TURN_2, unit=unit, phase="action"))


def require_end(rule: BattleState, action: EndActivation) -> None:
    """All preconditions: the unit's activation is open, in its action phase.

    In the movement phase it is not, since the rolls at its end would be left out.
    Raises Refused("not_your_turn"), ("no_active_unit") or ("wrong_phase"), checked in this order.
    """
    require_side_turn(rule, _unit(rule, action.unit).side)
    require_active_unit(rule, action.unit, "action")


def end_activation(resolution: Resolution, action: EndActivation) -> None:
    """The activation is over. Raises Forbidden, Refused."""
    require_own_unit(resolution.view, resolution.by, action.unit)
    require_end(resolution.view.rule, action)
    close_activation(resolution.effects, action.unit, "ended")


def close_activation(effects: BattleEffects, unit: str, cause: str) -> None:
    """Stuns from before it are over, nobody of the unit is fleeting any more, and it is spent."""
    for warrior in members_of(effects.rule, unit):
        if is_stunned(warrior) and is_stun_over(is_received_now=warrior.stunned_anew):
            effects.emit(
                own.ConditionLost(
                    rule=ML_STUN_1,
                    combatant=warrior.id,
                    condition="stunned",
                    cause="activation_ended",
                )
            )
    side = str(effects.rule.turn_side)
    effects.emit(own.ActivationEnded(rule=ML_TURN_2, side=side, unit=unit, cause=cause))
