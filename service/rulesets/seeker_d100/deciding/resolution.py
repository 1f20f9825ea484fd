"""One resolution for every attack, in the order of SK-ORD-1.

How this works. An attack is declared: it is checked, the step before it and its rounds are taken,
the action is spent. Whoever has a choice is asked, and the attack waits. Then all else happens at
once: the attack's roll, those of the answers, dives for cover, damage, what follows from it,
counter-attacks, the step after, the end of the turn. Where it goes on after a wait it is taken as
it was asked for, in the battle as it is by then.
"""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decision_groups import suspend
from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import State, combatant_of
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Armed, AttackAction
from service.rulesets.seeker_d100.deciding.attack_modifiers import covers_before, victims_of, weigh
from service.rulesets.seeker_d100.deciding.attack_result import detail_of, hit
from service.rulesets.seeker_d100.deciding.checks import (
    Battle,
    Check,
    finish,
    lose_aim,
    rolled,
    spend_action,
    stream_for,
)
from service.rulesets.seeker_d100.deciding.counter_attack import counter
from service.rulesets.seeker_d100.deciding.declaration import Blow, blow_of, require_attack
from service.rulesets.seeker_d100.deciding.hidden_cover import lay_open
from service.rulesets.seeker_d100.deciding.moves import step_after, step_before
from service.rulesets.seeker_d100.deciding.questions import questions
from service.rulesets.seeker_d100.deciding.reactions import Choices, Reply, replies, stand
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.rule_inputs import Blobs, covers_of
from service.rulesets.seeker_d100.rules.attack import SK_ATK_3
from service.rulesets.seeker_d100.rules.cover import degree_of
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_2
from service.rulesets.seeker_d100.rules.standing import standing_of_attack
from service.rulesets.seeker_d100.state import BattleState, is_dead, is_held, is_out


def attack(
    seen: State[BattleState],
    state: State[BattleState],
    action: AttackAction,
    by: By,
    seq: int,
    dice: Dice,
) -> tuple[fx.Effect, ...]:
    """Declare an attack; ask whoever may answer, or carry it out. Raises Malformed, Refused."""
    require_attack(seen.rule, seen.blobs, action)
    told = declared(state.rule, action)
    asked = questions(told.rule, state.blobs, blow_of(told.rule, action))
    if asked:
        suspend(told, asked, action, by, seq)
        return told.effects
    why = "reactions_none" if told.rule.options.reactions == "none" else "nobody_eligible"
    told.emit(fx.WindowSkipped(rule=SK_REACT_2, kind="reaction", why=why))
    carry_out(told, state.blobs, action, None, dice)
    return told.effects


def declared(rule: BattleState, action: AttackAction) -> Battle:
    """An attack that is allowed, up to where others may answer it (SK-ORD-1, step 1)."""
    told = EffectBuilder(rule, evolve)
    _come_out(told, action.combatant)
    step_before(told, action.combatant, action.step)
    _fire(told, action)
    spend_action(told, action.combatant)
    return told


def _come_out(told: Battle, combatant: str) -> None:
    attacker = existing(told.rule, combatant)
    if attacker.hidden and told.rule.options.attack_reveals:
        told.emit(own.Revealed(combatant=replace(attacker, hidden=False), cause="attack"))


def _fire(told: Battle, action: AttackAction) -> None:
    """The rounds of the attack are gone."""
    if not isinstance(action, Armed):
        return
    arm = blow_of(told.rule, action).arm
    shots = arm.shots.min if action.shots is UNSET else action.shots
    if arm.ammo is not None:
        told.emit(
            own.ResourceChanged(
                rule=SK_ATK_3,
                combatant=action.combatant,
                resource="ammo",
                item=arm.item,
                now=arm.ammo - shots,
            )
        )


def carry_out(
    told: Battle, blobs: Blobs, action: AttackAction, chosen: Choices | None, dice: Dice
) -> None:
    """SK-ORD-1: everything from the attack's roll to the end of the turn, always in this order.

    Steps 3 to 10; 1 and 2 are `declared` and `questions`. What concerns several victims is done
    in victim order (SK-AREA-3). Default, not in the source text.
    """
    blow = blow_of(told.rule, action)
    if _is_target_gone(action, blow):
        told.emit(_wasted(blow))
    else:
        _strike(told, blobs, blow, chosen, dice)
    step_after(told, action.combatant, action.step)
    finish(told, action.combatant, blow.kind, dice)


def _is_target_gone(action: AttackAction, blow: Blow) -> bool:
    """Whether there is nothing to strike at: an area strikes round a body, a called shot not."""
    if action.target is UNSET:
        return False
    is_for_one = blow.radius is None or blow.part is not None
    return blow.target is None or (is_for_one and is_dead(blow.target))


def _wasted(blow: Blow) -> own.AttackResolved:
    """The target is gone before the attack comes to it; nothing is rolled."""
    target = UNSET if blow.target is None else blow.target.id
    return own.AttackResolved(target=target, outcome="wasted", detail=detail_of(blow, None))


def _strike(told: Battle, blobs: Blobs, blow: Blow, chosen: Choices | None, dice: Dice) -> None:
    if blow.kind == "called_shot":
        lay_open(told, blobs, lambda covers: covers_before(blow, covers), degree_of)
    victims = victims_of(told.rule, blow)
    check = _rolled(told, blobs, blow, dice)
    _stand(told, blow, check, dice.seq)
    given = replies(told, blow, victims, check.result, chosen, dice)
    hit(told, blobs, blow, check, victims, given, dice)
    _end_aims(told, given)
    counter(told, blow.attacker.id, given, dice)


def _rolled(told: Battle, blobs: Blobs, blow: Blow, dice: Dice) -> Check:
    """The attack's d100: seen by those who may know attacker and target."""
    weight = weigh(told.rule, blow, covers_of(told.rule, blobs))
    target = blow.target if blow.radius is None else None
    also = () if target is None else (target.id,)
    stream = stream_for(told.rule, blow.attacker.id, *also)
    return rolled(told, blow.attacker, weight.skill, weight.lines, "attack", stream, dice)


def _stand(told: Battle, blow: Blow, check: Check, seq: int) -> None:
    """The roll of an attack hand to hand also resists until the end of the round (SK-STAND-1)."""
    standing = standing_of_attack(blow.kind, blow.arm.item, blow.arm.skill, blow.intent)
    if standing is not None:
        stand(told, blow.attacker.id, standing.kind, standing.weapon, check, seq)


def _end_aims(told: Battle, given: dict[str, Reply]) -> None:
    """A reaction is the action of the round: an aim is over with it (SK-AIM-2)."""
    for victim, reply in given.items():
        if reply.kind != "standing":
            lose_aim(told, victim, action=reply.kind)


def is_over(told: Battle, action: AttackAction) -> bool:
    """Whether an attack that waits cannot go on: its attacker is gone, out or held."""
    attacker = combatant_of(told.rule, action.combatant)
    return attacker is None or is_out(attacker) or is_held(attacker)
