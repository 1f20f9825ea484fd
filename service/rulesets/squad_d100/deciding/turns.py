"""Rounds and turns: who is next, what a turn begins and ends with.

How this works. Each round has an order of its own, made when it begins, of all who are not down
then. A turn goes to the next of it who is not down and did not lose his turn in this round; past
the end of the order a new round begins. While nobody is standing there is no turn; as soon as
somebody is, a new round begins.
"""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.kit.turns import next_in_order, next_turn
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.deciding.cover_duty import require_duty_done
from service.rulesets.squad_d100.deciding.phases import acting
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.wounds import wound
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.fire import SQ_FIRE_2, wound_at_turn_start
from service.rulesets.squad_d100.rules.ground import terrain_at
from service.rulesets.squad_d100.rules.movement import SQ_MOVE_1, movement_points
from service.rulesets.squad_d100.rules.suppression import (
    SQ_SUP_4,
    SQ_SUP_6,
)
from service.rulesets.squad_d100.rules.turns import Entrant, turns_of_round
from service.rulesets.squad_d100.rules.vigilance import SQ_VIG_1, keeps_watch
from service.rulesets.squad_d100.state import BattleState, current, is_down, is_on_watch


def require_end(battle: State[BattleState], action: do.EndTurn) -> None:
    """All preconditions of ending a turn.

    Raises what `acting` does, then Refused("must_seek_cover").
    """
    actor = acting(battle.rule, action.combatant)
    if actor.phase == "movement":
        require_duty_done(battle, actor)


def end(resolution: Resolution, action: do.EndTurn) -> None:
    """The effects of the end of a turn; the service is held to no duty when the time is over."""
    if resolution.by.kind == "system":
        acting(resolution.view.rule, action.combatant)
    else:
        require_end(resolution.view, action)
    end_turn(resolution.effects, "timeout" if resolution.by.kind == "system" else "ended")


def end_turn(effects: BattleEffects, cause: str) -> None:
    """The present turn ends, and the next one begins."""
    holder = effects.rule.turn
    if holder is not UNSET:
        _end(effects, holder, cause)
        begin_next(effects, holder)


def _end(effects: BattleEffects, holder: str, cause: str) -> None:
    """Suppressions that were due are over; whoever did not shoot watches.

    Where fire ends a turn before it has begun none of them is due: they wait for the next.
    """
    effects.emit(fx.TurnEnded(combatant=holder, cause=cause))
    before = existing(effects.rule, holder)
    if any(each.due for each in before.suppressions):
        effects.emit(own.SuppressionEnded(rule=SQ_SUP_6, combatant=holder))
    watches = keeps_watch(
        shot=before.shooting_used,
        sprinted=before.sprinted,
        is_down=is_down(before),
        sprint_keeps_watch=effects.rule.options.sprint_keeps_watch,
    )
    if watches:
        effects.emit(own.ConditionGained(rule=SQ_VIG_1, combatant=holder, condition="watch"))


def begin_next(effects: BattleEffects, after: str | None) -> None:
    """Begin the next turn behind `after` (None: from the first on), if anybody is standing.

    A turn that fire ends before it has begun leads on to the next.
    """
    while True:
        turn = next_turn(
            effects,
            after,
            following=next_in_order,
            is_anybody_able=_is_anybody_standing(effects.rule),
            takes_turn=lambda combatant: _takes_turn(effects.rule, combatant),
            begin_round=lambda: _begin_round(effects),
        )
        if turn is None:
            return
        effects.emit(fx.TurnBegan(combatant=turn))
        if _begin(effects, turn):
            return
        _end(effects, turn, "felled")
        after = turn


def _begin(effects: BattleEffects, combatant: str) -> bool:
    """What a turn begins with; whether it goes on, since fire may end it at once."""
    actor, options = existing(effects.rule, combatant), effects.rule.options
    is_burning = terrain_at(ground_of(effects.state), cell_of(actor)) == "fire"
    burn = wound_at_turn_start(is_burning, options.fire_effect)
    if burn is not None:
        wound(effects, combatant, burn, "fire", is_burning=True, rule=SQ_FIRE_2)
        actor = existing(effects.rule, combatant)
        if is_down(actor):
            return False
    if is_on_watch(actor):
        lost = own.ConditionLost(
            rule=SQ_VIG_1, combatant=combatant, condition="watch", cause="turn_began"
        )
        effects.emit(lost)
    points = movement_points(current(actor, "agi"))
    effects.emit(
        own.ResourceChanged(
            rule=SQ_MOVE_1, combatant=combatant, resource="mp", now=points, cause="turn_began"
        )
    )
    if actor.suppressions:
        effects.emit(own.SuppressionDue(rule=SQ_SUP_4, combatant=combatant))
    return True


def _begin_round(effects: BattleEffects) -> None:
    """The next round, and its order."""
    effects.emit(fx.RoundBegan(round=effects.rule.round + 1))
    rule = effects.rule
    entrants = [
        Entrant(id=each.id, number=each.number, side=each.side, agility=current(each, "agi"))
        for each in rule.combatants
        if not is_down(each)
    ]
    is_by_agility = rule.options.turn_order == "agility"
    # Who is down has no turn, but goes on to count for which side appeared first.
    sides = (*rule.options.side_order, *(each.side for each in rule.combatants))
    turns = turns_of_round(entrants, rule.options.turn_order, sides)
    entries = tuple(
        fx.OrderEntry(combatant=each.id, score=each.agility if is_by_agility else UNSET)
        for each in turns
    )
    effects.emit(fx.OrderSet(entries=entries))


def _takes_turn(rule: BattleState, combatant: str) -> bool:
    present = existing(rule, combatant)
    return not (is_down(present) or present.sits_out)


def _is_anybody_standing(rule: BattleState) -> bool:
    return any(not is_down(each) for each in rule.combatants)


def settle(effects: BattleEffects) -> None:
    """Move the turn on from whoever went down in it, or give it to one who stands again.

    To be called after anything that may fell, remove or raise combatants.
    """
    rule = effects.rule
    if rule.status != "running":
        return
    if rule.turn is not UNSET:
        if is_down(existing(rule, rule.turn)):
            end_turn(effects, "felled")
    elif _is_anybody_standing(rule):
        _begin_round(effects)
        begin_next(effects, None)
