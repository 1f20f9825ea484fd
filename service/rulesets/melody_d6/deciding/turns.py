"""Turns of the sides: initiative, what a turn begins and ends with, and the end by the clock (2.1).

How this works. A turn ends with a window for the other side's guards; when that is closed the end
goes on (`go_on`) and the other side's turn begins. Where time is over, the `end_turn` of the
service first closes an open activation, which may uncover somebody: then the window of the revealed
comes before that of the end of the turn, all within one action.
"""

from typing import Literal

from msgspec import UNSET

from service.engine.battle.turn import TurnHolder
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import EndSideTurn
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import battle_end, panic
from service.rulesets.melody_d6.deciding.activation import (
    close_activation,
    go_on_to_actions,
    require_none_open,
)
from service.rulesets.melody_d6.deciding.guard import relieve
from service.rulesets.melody_d6.deciding.mistakes import end_hoarseness
from service.rulesets.melody_d6.deciding.requirements import require_side_turn
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.windows import guard_window
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.remainders import EndTurnRemainder
from service.rulesets.melody_d6.rules.ambush import ML_AMB_4
from service.rulesets.melody_d6.rules.panic import ML_PANIC_4
from service.rulesets.melody_d6.rules.points import ML_FP_1, points_at_turn_start
from service.rulesets.melody_d6.rules.shooting import ML_SHOOT_5
from service.rulesets.melody_d6.rules.turns import (
    ML_TURN_1,
    ML_TURN_2,
    following_side,
    higher_of,
)
from service.rulesets.melody_d6.rules.victory import is_last_turn
from service.rulesets.melody_d6.state import BattleState, Condition, is_on_table

EndCause = Literal["ended", "timeout"]
"""Why a turn ends: by its side, or by the service at the limit of time."""


def begin_battle(resolution: Resolution) -> None:
    """The first turn begins; of a battle in progress only what it does not state."""
    if not resolution.rule.side_order:
        _find_order(resolution)
    rule = resolution.rule
    if rule.turn_side is UNSET:
        _begin_turn(resolution, rule.side_order[0], begins_round=rule.round == 0)


def _find_order(resolution: Resolution) -> None:
    """Initiative: a D6 for each side until they differ, or the order of the set-up."""
    effects = resolution.effects
    first, second = (side.id for side in effects.rule.sides)
    if effects.rule.options.initiative == "fixed":
        effects.emit(order_of(first, second))
        return
    while True:
        scores = [_initiative(resolution, side) for side in (first, second)]
        winner = higher_of(*scores)
        if winner is not None:
            break
    sides = [(first, scores[0]), (second, scores[1])]
    entries = [fx.OrderEntry(side=side, score=score) for side, score in sides]
    ahead, behind = entries if winner == 0 else entries[::-1]
    effects.emit(fx.OrderSet(rule=ML_TURN_1, entries=(ahead, behind)))


def _initiative(resolution: Resolution, side: str) -> int:
    roll = resolution.dice.roll(1, 6, "initiative")
    resolution.effects.emit(own.Rolled(rule=ML_TURN_1, purpose="initiative", side=side, roll=roll))
    return roll.total


def order_of(first: str, second: str) -> fx.OrderSet:
    """The order of the sides' turns where no dice decided it."""
    entries = (fx.OrderEntry(side=first), fx.OrderEntry(side=second))
    return fx.OrderSet(rule=ML_TURN_1, entries=entries)


def _begin_turn(resolution: Resolution, side: str, *, begins_round: bool) -> None:
    """The steps at the start of a side's turn, in the order of 2.1.

    That a round begins resets rerolls and attempts at dampening; that a turn begins clears what
    the warriors of the side did in their last one. A unit that rallies counts as activated.
    """
    effects = resolution.effects
    resolution.show()
    options = effects.rule.options
    if begins_round:
        effects.emit(fx.RoundBegan(rule=ML_TURN_2, round=effects.rule.round + 1))
        end_hoarseness(effects)
    effects.emit(fx.TurnBegan(rule=ML_TURN_2, side=side))
    points = points_at_turn_start(options.fp_per_turn)
    effects.emit(
        own.ResourceChanged(rule=ML_FP_1, side=side, resource="fp", now=points, cause="turn_began")
    )
    if options.exposed_duration == "next_turn":
        _lose(effects, side, "exposed", ML_AMB_4, "turn_began")
    for unit in effects.rule.units:
        if unit.side == side and panic.rally(resolution, unit.id):
            effects.emit(own.UnitSpent(rule=ML_PANIC_4, unit=unit.id))


def _lose(effects: BattleEffects, side: str, condition: Condition, rule: str, cause: str) -> None:
    """Warriors of a side lose a condition, in upload order."""
    for warrior in effects.rule.combatants:
        if warrior.side == side and condition in warrior.conditions:
            effects.emit(
                own.ConditionLost(rule=rule, combatant=warrior.id, condition=condition, cause=cause)
            )


def require_end(rule: BattleState, action: EndSideTurn, *, is_timeout: bool) -> None:
    """All preconditions of ending a turn: the service may end one whose activation is open.

    Raises Refused("not_your_turn") or ("activation_open"), checked in this order.
    """
    require_side_turn(rule, action.side)
    if not is_timeout:
        require_none_open(rule)


def end_turn(resolution: Resolution, action: EndSideTurn) -> None:
    """A side's turn ends, as far as it comes before a window; by the clock with its activation.

    Raises Refused.
    """
    is_timeout = resolution.by.kind == "system"
    require_end(resolution.view.rule, action, is_timeout=is_timeout)
    cause: EndCause = "timeout" if is_timeout else "ended"
    rule = resolution.rule
    if rule.turn_unit is not UNSET and rule.phase == "movement":
        go_on_to_actions(resolution, rule.turn_unit)
        found = resolution.uncovered()
        remainder = EndTurnRemainder(stage="activation", cause=cause)
        if found and guard_window(resolution, "reveal", found, remainder):
            return
    _close_and_ask(resolution, cause)


def go_on(resolution: Resolution, remainder: EndTurnRemainder) -> None:
    """The end of a turn goes on after a window of it is closed."""
    if remainder.stage == "activation":
        _close_and_ask(resolution, remainder.cause)
    else:
        _finish(resolution, remainder.cause)


def _close_and_ask(resolution: Resolution, cause: EndCause) -> None:
    """The open activation, if there is one, is closed; then the guards are asked once more."""
    unit = resolution.rule.turn_unit
    if unit is not UNSET:
        close_activation(resolution.effects, unit, cause)
    remainder = EndTurnRemainder(stage="turn", cause=cause)
    if not guard_window(resolution, "end_turn", (), remainder):
        _finish(resolution, cause)


def _finish(resolution: Resolution, cause: EndCause) -> None:
    """The steps at the end of a side's turn, in the order of 2.1."""
    effects, rule = resolution.effects, resolution.rule
    side = str(rule.turn_side)
    following, ends_round = following_side(rule.side_order, side)
    relieve(effects, side)
    _lose(effects, side, "dazed", ML_SHOOT_5, "turn_ended")
    effects.emit(fx.TurnEnded(rule=ML_TURN_2, side=side, cause=cause))
    limit = None if rule.options.round_limit is UNSET else rule.options.round_limit
    is_last = is_last_turn(rule.round, limit, is_last_of_round=ends_round)
    if not battle_end.check(effects, is_last_turn_over=is_last):
        _begin_turn(resolution, following, begins_round=ends_round)


def turn_of(rule: BattleState) -> TurnHolder | None:
    """Whose turn it is: always a side's, also while a unit of it acts; None outside of a turn.

    So the limit of time for a turn is the side's, and an activation starts no clock anew.
    """
    if rule.turn_side is UNSET:
        return None
    present = (each for each in rule.combatants if each.side == rule.turn_side)
    return TurnHolder(
        combatants=tuple(each.id for each in present if is_on_table(each)),
        side=rule.turn_side,
        ending=EndSideTurn(side=rule.turn_side),
    )
