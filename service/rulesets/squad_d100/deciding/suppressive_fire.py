"""Suppressive fire: fifteen dice at once, their hits one by one, and the target pinned down."""

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.rolls import discounted, draws_of, roll_of
from service.engine.vocabulary.values import Roll
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import Aim, Suppress
from service.rulesets.squad_d100.deciding.aim import (
    Mark,
    Volley,
    require_ammunition,
    require_marks,
    require_weapon,
)
from service.rulesets.squad_d100.deciding.hits import is_standing
from service.rulesets.squad_d100.deciding.phases import acting, require_shooting_phase
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.shot_resolution import (
    Rolled,
    emit_wasted,
    resolve,
    waste,
)
from service.rulesets.squad_d100.deciding.shots import begin_volley
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.rules.shots import D100
from service.rulesets.squad_d100.rules.suppression import (
    SQ_SUP_1,
    SQ_SUP_2,
    SQ_SUP_3,
    SUPPRESSION_ROUNDS,
    is_suppressed,
    require_automatic,
    suppression_outcome,
)
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.weapons import is_automatic


def suppress(resolution: Resolution, action: Suppress) -> None:
    """The effects of suppressive fire."""
    volley = require_suppression(resolution.view, action)
    effects = resolution.effects
    begin_volley(effects, volley)
    [(weapon, mark)] = volley.shots
    shooter = existing(effects.rule, volley.shooter)
    why = waste(effects.state, volley, shooter, mark)
    if why is None:
        _pin_down(resolution, volley)
    else:
        emit_wasted(effects, volley, weapon, mark, why, rounds=SUPPRESSION_ROUNDS)
    settle(effects)


def require_suppression(view: State[BattleState], action: Suppress) -> Volley:
    """All preconditions of suppressive fire. Raises Refused with the first that fails."""
    shooter = acting(view.rule, action.combatant)
    require_shooting_phase(view, shooter)
    weapon = require_weapon(shooter, action.weapon)
    [mark] = require_marks(view, shooter, (Aim(target=action.target),))
    rounds = ((weapon.id, SUPPRESSION_ROUNDS),)
    require_ammunition(shooter, rounds)
    require_automatic(weapon.id, is_automatic=is_automatic(weapon), rule=SQ_SUP_1)
    return Volley(shooter.id, "suppression", ((weapon.id, mark),), rounds)


def _pin_down(resolution: Resolution, volley: Volley) -> None:
    """All dice, then round by round what they hit, then the suppression."""
    effects = resolution.effects
    [(weapon_id, mark)] = volley.shots
    target = str(mark.target)
    stream = stream_for(effects.rule, volley.shooter, target)
    rolls = resolution.dice.roll(
        SUPPRESSION_ROUNDS, D100, "suppression", stream=stream, combatant=volley.shooter
    )
    for roll in _one_by_one(rolls):
        _work_out(resolution, volley, (weapon_id, mark), roll)
    if is_suppressed(is_target_down=not is_standing(effects.rule, target)):
        effects.emit(own.Suppressed(rule=SQ_SUP_3, combatant=target, by=volley.shooter))


def _work_out(resolution: Resolution, volley: Volley, shot: tuple[str, Mark], roll: Roll) -> None:
    """One of the rounds; a hit on somebody who is down by now is wasted."""
    effects = resolution.effects
    weapon_id, mark = shot
    rule = effects.rule
    outcome = suppression_outcome(roll.total, rule.options.crit_success_max)
    is_hit = outcome in ("hit", "critical_success")
    if is_hit and not is_standing(rule, str(mark.target)):
        unread = discounted(roll, "target_down")
        emit_wasted(effects, volley, weapon_id, mark, "target_down", rounds=1, roll=unread)
        return
    weapon = require_weapon(existing(rule, volley.shooter), weapon_id)
    rolled = Rolled(roll, outcome, (SQ_SUP_2,))
    resolve(resolution, volley, weapon, mark, rolled)


def _one_by_one(rolls: Roll) -> tuple[Roll, ...]:
    """The faces of one roll as a roll each, with the draws that they were."""
    return tuple(
        roll_of(rolls.sides, (face,), (draw,))
        for face, draw in zip(rolls.faces, draws_of(rolls), strict=True)
    )
