"""Attacks: spend the action, come out of hiding, roll, and what follows.

How this works. The asker's own view has allowed the attack; here it happens in the battle as it
is. Hidden ground in the way is met: everyone knows it from now on, and if it closes the line the
attack is `obstructed` and nothing is rolled. Dice go to those who may know of the attacker and of
whom they are for: the target, and for damage whoever is struck.
"""

from collections.abc import Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import State, scope_of
from service.engine.dice.dice import PUBLIC_STREAM, Dice
from service.engine.kit.combatants import existing
from service.engine.visibility.scope import EVERYONE_WORD, narrow
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Place, Roll
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.actions import MeleeAttack, RangedAttack
from service.rulesets.crossfire_d6.deciding.attack_line import (
    Aim,
    require_attack,
    taken_aim,
)
from service.rulesets.crossfire_d6.deciding.attack_modifiers import Weighed, weighed
from service.rulesets.crossfire_d6.deciding.hidden_ground import (
    lay_open,
    shot_meets,
    sight_taken,
    strike_meets,
)
from service.rulesets.crossfire_d6.deciding.turns import settle
from service.rulesets.crossfire_d6.deciding.wounds import wound
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.fighters import distance_between, fighter_of, known_to
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.allies import CF_ALLY_3, NearAlly, ally_struck
from service.rulesets.crossfire_d6.rules.cover import CF_OBSC_1
from service.rulesets.crossfire_d6.rules.defaults import (
    CF_SD_2,
    CF_SD_3,
    CF_SD_4,
    SIX,
    Outcome,
    attack_outcome,
    damage_dealt,
    damage_pool,
)
from service.rulesets.crossfire_d6.rules.facing import attacked_from
from service.rulesets.crossfire_d6.rules.helpless import CF_HELP_1
from service.rulesets.crossfire_d6.rules.melee import can_strike
from service.rulesets.crossfire_d6.rules.position import Sight, has_line
from service.rulesets.crossfire_d6.rules.unaware import CF_UNAWARE_1
from service.rulesets.crossfire_d6.state import BattleState, actions_of

Battle = EffectBuilder[BattleState]
Attack = RangedAttack | MeleeAttack


def attack(
    seen: State[BattleState], state: State[BattleState], action: Attack, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The effects of an attack that the asker, who knows `seen` of `state`, asks for."""
    allowed = require_attack(seen, action)
    unfolding = EffectBuilder(state.rule, evolve)
    spend_action(unfolding, action.combatant)
    _come_out(unfolding, action.combatant)
    if seen is state:
        # So far nothing has changed that an aim is taken by.
        aim = replace(allowed, attacker=existing(unfolding.rule, action.combatant))
    else:
        aim = taken_aim(unfolding.rule, state.blobs, action)
    meets = shot_meets if aim.mode == "ranged" else strike_meets
    while met := meets(unfolding.rule, state.blobs, aim):
        lay_open(unfolding, state.blobs, met)
        aim = taken_aim(unfolding.rule, state.blobs, action)
    sight = _sight(unfolding.rule, state.blobs, aim)
    drawn = weighed(unfolding.rule, state.blobs, aim, sight)
    if _is_obstructed(unfolding.rule, state.blobs, aim, sight):
        unfolding.emit(_resolved(drawn, "obstructed", UNSET))
    else:
        _roll(unfolding, state.blobs, drawn, dice)
        _notice(unfolding, aim.target.id)
    settle(unfolding)
    return unfolding.effects


def spend_action(unfolding: Battle, combatant: str) -> None:
    """One action less in this turn."""
    left = actions_of(existing(unfolding.rule, combatant)) - 1
    unfolding.emit(fx.ResourceChanged(combatant=combatant, resource="actions", now=left))


def _come_out(unfolding: Battle, combatant: str) -> None:
    attacker = existing(unfolding.rule, combatant)
    if attacker.hidden and unfolding.rule.options.attack_reveals:
        unfolding.emit(own.Revealed(combatant=replace(attacker, hidden=False), cause="attack"))


def _sight(rule: BattleState, blobs: Mapping[str, object], aim: Aim) -> Sight | None:
    if aim.mode == "melee" and not rule.options.cover_vs_melee:
        return None
    return sight_taken(rule, blobs, aim)


def _is_obstructed(
    rule: BattleState, blobs: Mapping[str, object], aim: Aim, sight: Sight | None
) -> bool:
    if aim.mode == "ranged":
        return sight is None or not has_line(sight.position)
    ground, reach = board_of(rule, blobs).ground, aim.weapon.reach_ft
    diagonals = rule.options.diagonal_rule
    return not can_strike(ground, aim.shooter.space, aim.mark.space, reach, diagonals)


def _roll(unfolding: Battle, blobs: Mapping[str, object], drawn: Weighed, dice: Dice) -> None:
    """Attack dice, then damage dice; a reckless miss may strike the nearest ally."""
    options, aim = unfolding.rule.options, drawn.aim
    outcome: Outcome
    if drawn.is_automatic:
        roll: Roll | UnsetType = UNSET
        outcome = "critical"
    else:
        stream = attack_stream(unfolding.rule, aim, aim.target.id)
        roll = dice.roll(drawn.pool, SIX, "attack", stream=stream, combatant=aim.attacker.id)
        outcome = attack_outcome(roll.faces, drawn.needed, options.natural_crit_sixes)
    unfolding.emit(_resolved(drawn, outcome, roll))
    if outcome != "miss":
        _damage(unfolding, aim, aim.target.id, outcome, dice)
    elif aim.is_reckless and roll is not UNSET and roll.faces:
        ally = ally_struck(roll.total, drawn.near)
        if ally is not None:
            unfolding.emit(_struck(unfolding.rule, blobs, drawn, ally))
            _damage(unfolding, aim, ally.id, "hit", dice)


def attack_stream(rule: BattleState, aim: Aim, victim: str) -> int:
    """The stream that exactly those see who may know of attacker and victim."""
    attacker, struck = existing(rule, aim.attacker.id), existing(rule, victim)
    audience = narrow(known_to(attacker), known_to(struck))
    return PUBLIC_STREAM if audience == EVERYONE_WORD else scope_of(rule).stream_of(audience)


def _damage(unfolding: Battle, aim: Aim, victim: str, outcome: Outcome, dice: Dice) -> None:
    rule, weapon = unfolding.rule, aim.weapon
    soak = existing(rule, victim).soak
    roll = dice.roll(
        damage_pool(weapon.damage_dice, outcome, rule.options.crit_rule),
        SIX,
        "damage",
        stream=attack_stream(rule, aim, victim),
        combatant=aim.attacker.id,
    )
    amount = damage_dealt(weapon.damage_dice, roll.faces, soak, outcome, rule.options.crit_rule)
    source = fx.Source(
        combatant=aim.attacker.id, item=weapon.id, roll=roll if roll.faces else UNSET
    )
    armour = (Modifier(rule=CF_SD_4, amount=-soak),) if soak else ()
    wound(unfolding, victim, amount, armour, source)


def _notice(unfolding: Battle, target: str) -> None:
    if "unaware" in existing(unfolding.rule, target).conditions:
        unfolding.emit(
            fx.ConditionLost(
                rule=CF_UNAWARE_1, combatant=target, condition="unaware", cause="attack"
            )
        )


def _resolved(drawn: Weighed, outcome: own.Outcome, roll: Roll | UnsetType) -> own.AttackResolved:
    """The attack as everyone who may know the attacker sees it."""
    aim, sight = drawn.aim, drawn.sight
    is_rolled = outcome != "obstructed"
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        roll=roll,
        base=aim.weapon.attack_dice if is_rolled and not drawn.is_automatic else UNSET,
        breakdown=drawn.breakdown if is_rolled else (),
        pool=drawn.pool if is_rolled and not drawn.is_automatic else UNSET,
        against=fx.Against(target=aim.target.id, needed=drawn.needed) if is_rolled else UNSET,
        distance_ft=aim.distance_ft,
        attacked_from=drawn.attacked_from,
        position=UNSET if sight is None else sight.position,
        line=UNSET if sight is None else line_of(sight),
        obscured=is_obscured(drawn),
        critical=outcome == "critical",
        reckless=aim.is_reckless,
        rule=_decisive(drawn) if is_rolled else UNSET,
    )
    return own.AttackResolved(target=aim.target.id, outcome=outcome, detail=detail)


def _decisive(drawn: Weighed) -> str:
    """The rule that says how an attack ends; it betrays the kind of attack, so to `detail` only."""
    if drawn.is_automatic:
        return CF_HELP_1
    return CF_SD_3 if drawn.pool else CF_SD_2


def line_of(sight: Sight) -> tuple[Place, Place]:
    """The cells at the two ends of a line."""
    ax, ay, tx, ty = sight.line
    return Place(x=ax, y=ay), Place(x=tx, y=ty)


def is_obscured(drawn: Weighed) -> bool:
    """Whether poor visibility applies to a ranged attack, counted or not."""
    return any(line.rule == CF_OBSC_1 for line in drawn.breakdown)


def _struck(
    rule: BattleState, blobs: Mapping[str, object], drawn: Weighed, ally: NearAlly
) -> own.AttackResolved:
    """The total of a reckless miss reaches an ally: no roll of its own."""
    aim = drawn.aim
    struck = existing(rule, ally.id)
    stands = fighter_of(rule, struck, public_board(rule, blobs).heights)
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        against=fx.Against(target=ally.id, needed=ally.ranged_defence),
        distance_ft=distance_between(aim.shooter, stands, rule.options),
        attacked_from=attacked_from(stands.space, struck.facing, aim.shooter.space),
        reckless=True,
    )
    return own.AttackResolved(rule=CF_ALLY_3, target=ally.id, outcome="hit", detail=detail)
