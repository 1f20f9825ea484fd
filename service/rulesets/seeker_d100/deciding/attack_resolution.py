"""One resolution for every attack, in the order of SK-ORD-1.

How this works. `declare` takes the step before the attack, its rounds and the action. Victims that
have a choice are asked, and the attack waits. Then `carry_out` does all else at once: the attack's
roll, the answers' rolls, dives for cover, damage, its consequences, counter-attacks, the step
after, the end of the turn. An attack that waited is read again from its action, in the battle as
the answers and the game master have left it; `waiting_attack` says whether it may continue there.
"""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decision_groups import suspend
from service.engine.battle.roster import combatant_of, existing, is_out
from service.engine.kit.streams import stream_for
from service.engine.vocabulary import effects as fx
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Armed, AttackAction
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.deciding.assault import (
    Assault,
    arm_stated,
    assault_of,
    require_attack,
    rounds_of,
)
from service.rulesets.seeker_d100.deciding.attack_modifiers import (
    covers_before,
    victims_of,
    weigh_attack,
)
from service.rulesets.seeker_d100.deciding.attack_result import apply_attack, detail_of
from service.rulesets.seeker_d100.deciding.checks import (
    Check,
    finish_action,
    lose_aim,
    roll_check,
    spend_action,
)
from service.rulesets.seeker_d100.deciding.counter_attack import apply_counters
from service.rulesets.seeker_d100.deciding.hidden_cover import reveal_met_cover
from service.rulesets.seeker_d100.deciding.moves import step_after, step_before
from service.rulesets.seeker_d100.deciding.reaction_choices import reaction_questions
from service.rulesets.seeker_d100.deciding.reaction_rolls import (
    Reply,
    ResumedAttack,
    keep_standing_roll,
    resolve_replies,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.waiting_attack import (
    is_step_due,
    reading_of,
    refusal_of,
    stop,
)
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.attack import SK_ATK_3
from service.rulesets.seeker_d100.rules.cover import degree_of
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_2
from service.rulesets.seeker_d100.rules.standing import standing_of_attack
from service.rulesets.seeker_d100.state import is_dead, is_held


def attack(resolution: Resolution, action: AttackAction) -> None:
    """The effects of an attack: a decision for each victim with a choice, or the whole resolution.

    Raises Malformed, Refused.
    """
    require_attack(resolution.view, action)
    effects = resolution.effects
    declare(effects, action)
    assault = assault_of(effects.rule, action)
    questions = reaction_questions(effects.state, action, assault)
    if questions:
        suspend(effects, questions, action, resolution.by, resolution.seq)
        return
    why = "reactions_none" if effects.rule.options.reactions == "none" else "nobody_eligible"
    effects.emit(fx.WindowSkipped(rule=SK_REACT_2, kind="reaction", why=why))
    carry_out(resolution, action, assault, None)


def declare(effects: BattleEffects, action: AttackAction) -> None:
    """Do what comes of an allowed attack before its victims are asked (SK-ORD-1, step 1)."""
    _reveal_attacker(effects, action.combatant)
    step_before(effects, action.combatant, action.step)
    _spend_rounds(effects, action)
    spend_action(effects, action.combatant)


def _reveal_attacker(effects: BattleEffects, combatant: str) -> None:
    attacker = existing(effects.rule, combatant)
    if attacker.hidden and effects.rule.options.attack_reveals:
        effects.emit(own.Revealed(combatant=replace(attacker, hidden=False), cause="attack"))


def _spend_rounds(effects: BattleEffects, action: AttackAction) -> None:
    """Take the rounds of the attack off its weapon, if its ammunition is counted."""
    if not isinstance(action, Armed):
        return
    arm = arm_stated(effects.rule, existing(effects.rule, action.combatant), action.weapon)
    if arm.ammo is not None:
        effects.emit(
            own.ResourceChanged(
                rule=SK_ATK_3,
                combatant=action.combatant,
                resource="ammo",
                item=arm.item,
                now=arm.ammo - rounds_of(arm, action),
            )
        )


def resume(resolution: Resolution, resumed: ResumedAttack) -> None:
    """An attack that waited continues in the battle as it is by now, if it still may."""
    action = resumed.action
    refusal = refusal_of(resolution.state, action, resumed.by)
    if refusal is not None:
        stop(resolution, action, refusal)
        return
    _declare_again(resolution.effects, action)
    carry_out(resolution, action, assault_of(resolution.rule, action), resumed)


def _declare_again(effects: BattleEffects, action: AttackAction) -> None:
    """Do again what the game master has undone of a declaration (SK-WAIT-2)."""
    if reading_of(effects.state) is None:
        return
    _reveal_attacker(effects, action.combatant)
    if is_step_due(effects.state, action):
        step_before(effects, action.combatant, action.step)
    if existing(effects.rule, action.combatant).actions_left:
        spend_action(effects, action.combatant)


def carry_out(
    resolution: Resolution, action: AttackAction, assault: Assault, resumed: ResumedAttack | None
) -> None:
    """SK-ORD-1: everything from the attack's roll to the end of the turn, always in this order.

    Steps 3 to 10; 1 and 2 are `declare` and `reaction_questions`. What concerns several victims is
    done in victim order (SK-AREA-3). Default, not in the source text.
    """
    effects = resolution.effects
    if _is_target_gone(action, assault):
        effects.emit(_wasted(assault))
    else:
        _strike(resolution, assault, resumed)
    step_after(effects, action.combatant, action.step)
    finish_action(resolution, action.combatant, assault.kind)


def _is_target_gone(action: AttackAction, assault: Assault) -> bool:
    """Whether nothing is left to attack: a target that was removed, or died, if one target is all.

    An area is struck round a dead body too, but a called shot needs a living target.
    """
    if action.target is UNSET:
        return False
    is_for_one = assault.radius is None or assault.part is not None
    return assault.target is None or (is_for_one and is_dead(assault.target))


def _wasted(assault: Assault) -> own.AttackResolved:
    """The result of an attack whose target is gone; nothing is rolled."""
    target = UNSET if assault.target is None else assault.target.id
    return own.AttackResolved(target=target, outcome="wasted", detail=detail_of(assault, None))


def _strike(resolution: Resolution, assault: Assault, resumed: ResumedAttack | None) -> None:
    effects = resolution.effects
    if assault.kind == "called_shot":
        reveal_met_cover(effects, lambda covers: covers_before(assault, covers), degree_of)
    victims = victims_of(effects.rule, assault)
    check = _roll_attack(resolution, assault)
    _keep_attack_roll(resolution, assault, check)
    replies = resolve_replies(resolution, assault, victims, check.result, resumed)
    apply_attack(resolution, assault, check, victims, replies)
    _end_aims(effects, replies)
    apply_counters(resolution, assault.attacker.id, replies)


def _roll_attack(resolution: Resolution, assault: Assault) -> Check:
    """The attack's d100, on the stream of those who may know the attacker and the target."""
    effects = resolution.effects
    weight = weigh_attack(effects.rule, assault, covers_of(effects.state))
    target = assault.target if assault.radius is None else None
    also = () if target is None else (target.id,)
    stream = stream_for(effects.rule, assault.attacker.id, *also)
    return roll_check(resolution, assault.attacker, weight, "attack", stream)


def _keep_attack_roll(resolution: Resolution, assault: Assault, check: Check) -> None:
    """The roll of an attack hand to hand also resists until the end of the round (SK-STAND-1)."""
    standing = standing_of_attack(assault.kind, assault.arm.item, assault.arm.skill, assault.intent)
    if standing is not None:
        keep_standing_roll(resolution, assault.attacker.id, standing.kind, standing.weapon, check)


def _end_aims(effects: BattleEffects, replies: dict[str, Reply]) -> None:
    """A reaction is the action of the round: an aim is over with it (SK-AIM-2)."""
    for victim, reply in replies.items():
        if reply.kind != "standing":
            lose_aim(effects, victim, action=reply.kind)


def is_over(effects: BattleEffects, action: AttackAction) -> bool:
    """Whether a waiting attack cannot go on: its attacker was removed, is out or is held."""
    attacker = combatant_of(effects.rule, action.combatant)
    return attacker is None or is_out(attacker) or is_held(attacker)
