"""Sprinting: the shooting phase for more movement points."""

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import Sprint
from service.rulesets.squad_d100.deciding.phases import moving
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.rules.sprint import SQ_SPRINT_1, sprint_points
from service.rulesets.squad_d100.state import BattleState, current, points_left


def require_sprint(view: State[BattleState], action: Sprint) -> int:
    """All preconditions of a sprint; the movement points that it gives.

    Raises what `moving` does, then Refused("already_sprinted").
    """
    actor = moving(view.rule, action.combatant)
    if actor.sprinted:
        raise Refused("already_sprinted", combatant=actor.id)
    return sprint_points(current(actor, "end"), current(actor, "agi"))


def sprint(resolution: Resolution, action: Sprint) -> None:
    """The effects of a sprint; the shooting phase of this turn is gone."""
    points = require_sprint(resolution.view, action)
    effects = resolution.effects
    left = points_left(existing(effects.rule, action.combatant))
    effects.emit(
        own.ResourceChanged(rule=SQ_SPRINT_1, combatant=action.combatant, resource="sprint", now=0)
    )
    effects.emit(
        own.ResourceChanged(
            rule=SQ_SPRINT_1, combatant=action.combatant, resource="mp", now=left + points
        )
    )
