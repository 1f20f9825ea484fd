"""Actions that decide nothing yet: aiming, getting ready to answer, doing nothing."""

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Dodge, EndTurn, Resist, TakeAim
from service.rulesets.seeker_d100.deciding.checks import Battle, finish, spend_action
from service.rulesets.seeker_d100.deciding.moves import (
    place_of_action,
    step_after,
    step_before,
)
from service.rulesets.seeker_d100.deciding.requirements import acting, own_weapon
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.rule_inputs import arm_of
from service.rulesets.seeker_d100.rules.aim import AIM_BONUS, aim_rule, renewed_aim
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_3
from service.rulesets.seeker_d100.rules.resist import require_melee_weapon, resisting
from service.rulesets.seeker_d100.state import BattleState

Calm = TakeAim | Dodge | Resist | EndTurn
"""Actions at nobody that need no die."""


def require_calm(rule: BattleState, action: Calm) -> None:
    """The preconditions on what the asker may know. Raises Refused."""
    actor = acting(rule, action)
    place_of_action(actor, action.step)
    if isinstance(action, Resist):
        arm = arm_of(own_weapon(actor, action.weapon), rule.options)
        require_melee_weapon(arm.item, arm.skill)


def calm(
    seen: BattleState, rule: BattleState, action: Calm, by: By, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The effects of an action at nobody, with its step, and the end of the turn.

    Where the service asks for it, the time of the turn is over.
    """
    require_calm(seen, action)
    told = EffectBuilder(rule, evolve)
    step_before(told, action.combatant, action.step)
    spend_action(told, action.combatant)
    _take(told, action)
    step_after(told, action.combatant, action.step)
    cause = "timeout" if by.kind == "system" else "ended"
    finish(told, action.combatant, str(action.__struct_config__.tag), dice, cause)
    return told.effects


def _take(told: Battle, action: Calm) -> None:
    match action:
        case TakeAim():
            _aim(told, action.combatant)
        case Dodge():
            told.emit(
                own.ConditionGained(
                    rule=SK_REACT_3,
                    combatant=action.combatant,
                    condition="answering",
                    value="dodge",
                )
            )
        case Resist():
            told.emit(
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


def _aim(told: Battle, combatant: str) -> None:
    aim = existing(told.rule, combatant).aim
    before = None if aim is UNSET else aim.round
    since = renewed_aim(before, told.rule.round)
    told.emit(
        own.ConditionGained(
            rule=aim_rule(before),
            combatant=combatant,
            condition="aim",
            amount=AIM_BONUS,
            facts={"round": since},
        )
    )
