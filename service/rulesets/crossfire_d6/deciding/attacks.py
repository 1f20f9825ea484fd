"""Attacks: spend the action, come out of hiding, roll, and what follows.

How this works. The asker's own view has allowed the attack; here it happens in the battle as it
is. Hidden ground in the way is met: everyone knows it from now on, and if it closes the line the
attack is `obstructed` and nothing is rolled. Dice go to those who may know of the attacker and of
whom they are for: the target, and for damage whoever is struck.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State, scope_of
from service.engine.visibility.scope import narrow
from service.engine.visibility.streams import PUBLIC_STREAM
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Place, Roll
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.actions import AttackAction
from service.rulesets.crossfire_d6.deciding.attack_line import (
    Aim,
    require_attack,
    shot_meets,
    sight_taken,
    strike_meets,
    take_aim,
)
from service.rulesets.crossfire_d6.deciding.attack_modifiers import AttackPool, weigh
from service.rulesets.crossfire_d6.deciding.hidden_ground import lay_open
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.deciding.turns import notice, settle, spend_action
from service.rulesets.crossfire_d6.deciding.wounds import wound
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import distance_between, fighter_of, known_to
from service.rulesets.crossfire_d6.maps import board_of
from service.rulesets.crossfire_d6.rules.conditions import CF_HELP_1
from service.rulesets.crossfire_d6.rules.cover import CF_ALLY_3, CF_OBSC_1, ally_struck
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
from service.rulesets.crossfire_d6.rules.melee import can_strike
from service.rulesets.crossfire_d6.rules.position import Sight, has_line
from service.rulesets.crossfire_d6.state import BattleState, Combatant


def attack(resolution: Resolution, action: AttackAction) -> None:
    """The effects of an attack."""
    view, effects = resolution.view, resolution.effects
    knows_all = view.rule is effects.rule
    allowed = require_attack(view, action)
    spend_action(effects, allowed.attacker)
    attacker = _come_out(effects, allowed.attacker)
    # Where the asker knows all, nothing has changed so far that an aim is taken by.
    aim = replace(allowed, attacker=attacker) if knows_all else take_aim(effects.state, action)
    aim = meet_ground(effects, action, aim)
    sight = sight_taken(effects.state, aim)
    pool = weigh(effects.rule, aim, sight)
    if _is_obstructed(effects.state, aim, sight):
        effects.emit(_resolved(pool, "obstructed", UNSET))
    else:
        _roll(resolution, pool)
        notice(effects, aim.target, "attack")
    settle(effects)


def meet_ground(effects: BattleEffects, action: AttackAction, aim: Aim) -> Aim:
    """The attack once the hidden ground in its way is met; what it makes known may change it."""
    meets = shot_meets if aim.mode == "ranged" else strike_meets
    while hidden := meets(effects.state, aim):
        lay_open(effects, hidden)
        aim = take_aim(effects.state, action)
    return aim


def _come_out(effects: BattleEffects, attacker: Combatant) -> Combatant:
    """The attacker, which hides no longer where attacks reveal."""
    if not attacker.hidden or not effects.rule.options.attack_reveals:
        return attacker
    seen = replace(existing(effects.rule, attacker.id), hidden=False)
    effects.emit(own.Revealed(combatant=seen, cause="attack"))
    return existing(effects.rule, attacker.id)


def _is_obstructed(battle: State[BattleState], aim: Aim, sight: Sight | None) -> bool:
    if aim.mode == "ranged":
        return sight is None or not has_line(sight.position)
    ground, reach = board_of(battle).ground, aim.weapon.reach_ft
    diagonals = battle.rule.options.diagonal_rule
    return not can_strike(ground, aim.attacker_at.space, aim.target_at.space, reach, diagonals)


def _roll(resolution: Resolution, pool: AttackPool) -> None:
    """Attack dice, then damage dice; a reckless miss may strike the nearest ally."""
    effects = resolution.effects
    options, aim = effects.rule.options, pool.aim
    outcome: Outcome
    if pool.is_automatic:
        roll: Roll | UnsetType = UNSET
        outcome = "critical"
    else:
        stream = _stream(effects.rule, aim.attacker, aim.target)
        roll = resolution.dice.roll(
            pool.dice, SIX, "attack", stream=stream, combatant=aim.attacker.id
        )
        outcome = attack_outcome(roll.faces, pool.needed, options.natural_crit_sixes)
    effects.emit(_resolved(pool, outcome, roll))
    if outcome != "miss":
        # Nothing so far has changed the target since the aim was taken.
        _damage(resolution, aim, aim.target, outcome)
    elif aim.is_reckless and roll is not UNSET and roll.faces:
        ally = ally_struck(roll.total, pool.near)
        if ally is not None:
            struck = existing(effects.rule, ally.id)
            effects.emit(_struck(effects.rule, aim, struck))
            _damage(resolution, aim, struck, "hit")


def _stream(rule: BattleState, attacker: Combatant, victim: Combatant) -> int:
    """The stream of dice for exactly the audience that attacker and victim share."""
    if not (attacker.hidden or victim.hidden):
        return PUBLIC_STREAM
    return scope_of(rule).stream_of(narrow(known_to(attacker), known_to(victim)))


def _damage(resolution: Resolution, aim: Aim, victim: Combatant, outcome: Outcome) -> None:
    effects, weapon = resolution.effects, aim.weapon
    crit_rule = effects.rule.options.crit_rule
    stream = _stream(effects.rule, aim.attacker, victim)
    pool = damage_pool(weapon.damage_dice, outcome, crit_rule)
    roll = resolution.dice.roll(pool, SIX, "damage", stream=stream, combatant=aim.attacker.id)
    amount = damage_dealt(weapon.damage_dice, roll.faces, victim.soak, outcome, crit_rule)
    source = fx.Source(
        combatant=aim.attacker.id, item=weapon.id, roll=roll if roll.faces else UNSET
    )
    armour = (Modifier(rule=CF_SD_4, amount=-victim.soak),) if victim.soak else ()
    wound(effects, victim, amount, armour, source)


def _resolved(pool: AttackPool, outcome: own.Outcome, roll: Roll | UnsetType) -> own.AttackResolved:
    """The attack as everyone who may know the attacker sees it."""
    aim, sight = pool.aim, pool.sight
    is_rolled = outcome != "obstructed"
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        roll=roll,
        base=aim.weapon.attack_dice if is_rolled and not pool.is_automatic else UNSET,
        breakdown=pool.breakdown if is_rolled else (),
        pool=pool.dice if is_rolled and not pool.is_automatic else UNSET,
        against=fx.Against(target=aim.target.id, needed=pool.needed) if is_rolled else UNSET,
        distance_ft=aim.distance_ft,
        attacked_from=pool.attacked_from,
        position=UNSET if sight is None else sight.position,
        line=UNSET if sight is None else line_of(sight),
        obscured=is_obscured(pool),
        critical=outcome == "critical",
        reckless=aim.is_reckless,
        rule=_decisive(pool) if is_rolled else UNSET,
    )
    return own.AttackResolved(target=aim.target.id, outcome=outcome, detail=detail)


def _decisive(pool: AttackPool) -> str:
    """The rule that says how an attack ends; it betrays the kind of attack, so to `detail` only."""
    if pool.is_automatic:
        return CF_HELP_1
    return CF_SD_3 if pool.dice else CF_SD_2


def line_of(sight: Sight) -> tuple[Place, Place]:
    """The cells at the two ends of a line."""
    ax, ay, tx, ty = sight.line
    return Place(x=ax, y=ay), Place(x=tx, y=ty)


def is_obscured(pool: AttackPool) -> bool:
    """Whether poor visibility applies to a ranged attack, counted or not."""
    return any(line.rule == CF_OBSC_1 for line in pool.breakdown)


def _struck(rule: BattleState, aim: Aim, struck: Combatant) -> own.AttackResolved:
    """The total of a reckless miss reaches an ally: no roll of its own."""
    stands = fighter_of(rule, struck, aim.board.heights)
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        against=fx.Against(target=struck.id, needed=struck.ranged_defence),
        distance_ft=distance_between(aim.attacker_at, stands, rule.options),
        attacked_from=attacked_from(stands.space, struck.facing, aim.attacker_at.space),
        reckless=True,
    )
    return own.AttackResolved(rule=CF_ALLY_3, target=struck.id, outcome="hit", detail=detail)
