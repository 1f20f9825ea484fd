"""Counter-attacks: what a won resist does to the attacker (SK-RES-3)."""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.damage import (
    Strike,
    apply_loss,
    inflict,
    lethal_wound,
    ordinary_wound,
    roll_damage,
)
from service.rulesets.seeker_d100.deciding.reaction_rolls import Reply
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.equipment import (
    Arm,
    arm_at_hand,
    worn_by,
)
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.resist import SK_RES_3, deals_counter
from service.rulesets.seeker_d100.state import is_dead


def apply_counters(resolution: Resolution, attacker: str, replies: dict[str, Reply]) -> None:
    """Damage to the attacker for every answer that counter-attacks, in victim order."""
    for victim, reply in replies.items():
        if reply.verdict is None or reply.answered is None:
            continue
        if deals_counter(reply.verdict.winner, reply.answered):
            _strike_back(resolution, victim, attacker, reply)


def _strike_back(resolution: Resolution, victim: str, attacker: str, reply: Reply) -> None:
    """One counter-attack; none at a dead attacker, or with a weapon that states no harm."""
    effects = resolution.effects
    arm = resisting_arm(effects, victim, reply.item)
    target = existing(effects.rule, attacker)
    if is_dead(target) or (arm.damage is None and arm.lethality is None):
        return
    strike = Strike(victim, arm, reply.result)
    effects.emit(
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
    armour = worn_by(target, None, effects.rule.options)
    shared = roll_damage(resolution, strike, (attacker,))
    if shared is None:
        wound = lethal_wound(resolution, strike, attacker, armour)
    else:
        wound = ordinary_wound(effects, strike, attacker, shared, armour)
    apply_loss(effects, attacker, inflict(effects, strike, wound), "attack")


def resisting_arm(effects: BattleEffects, combatant: str, item: str | None) -> Arm:
    """The weapon of a resist; bare hands if none is named or the weapon lies on the ground."""
    return arm_at_hand(existing(effects.rule, combatant), item, effects.rule.options)
