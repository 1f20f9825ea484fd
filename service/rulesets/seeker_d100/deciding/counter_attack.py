"""Counter-attacks: what a won resist does to the attacker (SK-RES-3)."""

from msgspec import UNSET

from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.checks import Battle
from service.rulesets.seeker_d100.deciding.damage import (
    Strike,
    damage_roll,
    inflict,
    lethal,
    ordinary,
    suffer,
)
from service.rulesets.seeker_d100.deciding.reactions import Reply
from service.rulesets.seeker_d100.rule_inputs import Arm, arm_at_hand, worn_by
from service.rulesets.seeker_d100.rules.resist import SK_RES_3, deals_counter
from service.rulesets.seeker_d100.state import is_dead


def counter(told: Battle, attacker: str, given: dict[str, Reply], dice: Dice) -> None:
    """The attacker takes the damage of every answer that strikes back, in victim order."""
    for victim, reply in given.items():
        if reply.verdict is None or reply.answered is None:
            continue
        if deals_counter(reply.verdict.winner, reply.answered):
            _strike_back(told, victim, attacker, reply, dice)


def _strike_back(told: Battle, victim: str, attacker: str, reply: Reply, dice: Dice) -> None:
    """Nothing strikes the dead, and a weapon that states no harm does none."""
    arm = resisting_arm(told, victim, reply.item)
    target = existing(told.rule, attacker)
    if is_dead(target) or (arm.damage is None and arm.lethality is None):
        return
    strike = Strike(victim, arm, reply.result)
    told.emit(
        own.AttackResolved(
            rule=SK_RES_3,
            target=attacker,
            outcome="hit",
            detail=own.Detail(
                attacker=victim,
                item=UNSET if reply.item is None else arm.item,
                mode="counter",
                level=reply.result.level,
            ),
        )
    )
    armour = worn_by(target, None, told.rule.options)
    shared = damage_roll(told, strike, (attacker,), dice)
    if shared is None:
        wound = lethal(told, strike, attacker, armour, dice)
    else:
        wound = ordinary(told, strike, attacker, shared, armour)
    suffer(told, attacker, inflict(told, strike, wound), "attack")


def resisting_arm(told: Battle, combatant: str, item: str | None) -> Arm:
    """The weapon of a resist; bare hands where none is named, or it lies on the ground by now."""
    return arm_at_hand(existing(told.rule, combatant), item, told.rule.options)
