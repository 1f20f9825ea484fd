"""Lying down, getting up, and coming to rest from spinning."""

from msgspec import UNSET

from service.errors import Refused
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.actions import DropProne, RightSelf, StandUp
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import (
    acting,
    require_move_action,
    require_swift,
    spend,
    spend_move_action,
)
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.rules.prone import TD_PRONE_4, fallen_condition
from service.rulesets.tactical_d20.state import BattleState, Combatant, Condition

PostureAction = DropProne | StandUp | RightSelf
"""Actions on one's own stance, at nobody."""


def require_posture(rule: BattleState, action: PostureAction) -> None:
    """The preconditions on what the asker may know.

    Raises Refused("no_action_left"), ("nothing_changes") or ("no_gravity").
    """
    actor = acting(rule, action.combatant)
    match action:
        case DropProne():
            require_swift(actor)
            _require_holds(actor, "prone", holds=False)
            if rule.gravity == "zero":
                raise Refused("no_gravity", rule=TD_PRONE_4, gravity=rule.gravity)
        case StandUp():
            require_move_action(actor)
            _require_holds(actor, "prone", holds=True)
        case RightSelf():
            require_move_action(actor)
            _require_holds(actor, "spinning", holds=True)


def _require_holds(actor: Combatant, condition: Condition, *, holds: bool) -> None:
    if (condition in actor.conditions) != holds:
        raise Refused("nothing_changes", combatant=actor.id, condition=condition)


def take_posture(resolution: Resolution, action: PostureAction) -> None:
    """The effects of lying down (swift), of getting up or coming to rest (each a move action)."""
    require_posture(resolution.view.rule, action)
    effects = resolution.effects
    me = action.combatant
    match action:
        case DropProne():
            spend(effects, me, "swift")
            effects.emit(own.ConditionGained(combatant=me, condition="prone"))
        case StandUp():
            spend_move_action(effects, me)
            effects.emit(own.ConditionLost(combatant=me, condition="prone"))
        case RightSelf():
            spend_move_action(effects, me)
            effects.emit(own.ConditionLost(rule=TD_PRONE_4, combatant=me, condition="spinning"))


def knock_down(effects: BattleEffects, combatant: str) -> None:
    """Knocked down by the game master's word: prone, or spinning where nothing weighs anything."""
    condition = fallen_condition(effects.rule.gravity)
    is_weightless = condition == "spinning"
    effects.emit(
        own.ConditionGained(
            rule=TD_PRONE_4 if is_weightless else UNSET,
            combatant=combatant,
            condition=condition,
            cause="knocked_down_weightless" if is_weightless else "gm",
        )
    )
