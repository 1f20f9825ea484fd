"""Actions without target and dice: aiming, a stance of dodging or resisting, ending the turn."""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Dodge, EndTurn, Resist, TakeAim
from service.rulesets.seeker_d100.deciding.actor import require_actor, require_weapon
from service.rulesets.seeker_d100.deciding.checks import finish_action, spend_action
from service.rulesets.seeker_d100.deciding.moves import (
    place_of_action,
    step_after,
    step_before,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.equipment import arm_of
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.aim import AIM_BONUS, aim_rule, renewed_aim
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_3
from service.rulesets.seeker_d100.rules.resist import require_melee_weapon, resisting
from service.rulesets.seeker_d100.state import BattleState

StanceAction = TakeAim | Dodge | Resist | EndTurn
"""Actions at nobody that need no die."""


def require_stance(rule: BattleState, action: StanceAction) -> None:
    """The preconditions on what the caller may know. Raises Refused."""
    actor = require_actor(rule, action)
    place_of_action(actor, action.step)
    if isinstance(action, Resist):
        arm = arm_of(require_weapon(actor, action.weapon), rule.options)
        require_melee_weapon(arm.item, arm.skill)


def take_stance(resolution: Resolution, action: StanceAction) -> None:
    """The effects of such an action, its step, and the end of the turn.

    The turn ends by `timeout` where the service itself asks for it, because its time is over.
    """
    require_stance(resolution.view.rule, action)
    effects = resolution.effects
    step_before(effects, action.combatant, action.step)
    spend_action(effects, action.combatant)
    _gain_stance(effects, action)
    step_after(effects, action.combatant, action.step)
    cause = "timeout" if resolution.by.kind == "system" else "ended"
    finish_action(resolution, action.combatant, str(action.__struct_config__.tag), cause)


def _gain_stance(effects: BattleEffects, action: StanceAction) -> None:
    match action:
        case TakeAim():
            _aim(effects, action.combatant)
        case Dodge():
            effects.emit(
                own.ConditionGained(
                    rule=SK_REACT_3,
                    combatant=action.combatant,
                    condition="answering",
                    value="dodge",
                )
            )
        case Resist():
            effects.emit(
                own.ConditionGained(
                    rule=SK_REACT_3,
                    combatant=action.combatant,
                    condition="answering",
                    value=resisting(action.intent),
                    item=action.weapon,
                )
            )
        case EndTurn():
            pass


def _aim(effects: BattleEffects, combatant: str) -> None:
    aim = existing(effects.rule, combatant).aim
    before = None if aim is UNSET else aim.round
    since = renewed_aim(before, effects.rule.round)
    effects.emit(
        own.ConditionGained(
            rule=aim_rule(before),
            combatant=combatant,
            condition="aim",
            amount=AIM_BONUS,
            facts={"round": since},
        )
    )
