"""Which module decides which action.

A player's action is judged on what that player may know; its effects are those of the battle as it
is. Actions that mean the same in all rulebooks are decided by the engine and never come here.
"""

from typing import assert_never, cast

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive_as
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.deciding import (
    adjustments,
    areas,
    attacks,
    gm_setup,
    moves,
    postures,
    resumption,
    turns,
)
from service.rulesets.tactical_d20.evolve import evolve
from service.rulesets.tactical_d20.state import BattleState

Effects = tuple[fx.Effect, ...]

GmAction = (
    ask.Configure
    | ask.AddCombatant
    | do.RemoveCombatant
    | do.StartEncounter
    | ask.SetTerrain
    | ask.Adjust
)
"""What the game master may ask of these rules in a battle that exists."""


def decide(state: State[BattleState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """The effects of an action as event `seq`.

    Role, control and the moment are allowed already. Raises Forbidden, Refused or Malformed,
    never after the first draw.
    """
    request = cast("ask.DecidedAction | ask.CreateBattle", action)
    if isinstance(request, ask.CreateBattle):
        return gm_setup.create(state, request, by)
    if isinstance(request, ask.Deed | ask.Answer | do.ForcePass):
        view = perceive_as(state, by)
        if isinstance(request, ask.Deed):
            return _deed(view, state, request, by, seq, dice)
        return resumption.answer(view, state, request, by, dice)
    return _overruled(state, request, dice)


def _deed(
    view: State[BattleState],
    state: State[BattleState],
    action: ask.Deed,
    by: By,
    seq: int,
    dice: Dice,
) -> Effects:
    match action:
        case ask.Move():
            return moves.move(view, state, action, by, seq)
        case ask.Attack() | ask.AttackCell():
            return attacks.attack(view, state, action, by, seq, dice)
        case ask.AreaAttack():
            return areas.area_attack(view, state, action, dice)
        case ask.DropProne() | ask.StandUp() | ask.RightSelf():
            return postures.take_posture(view, state, action)
        case do.EndTurn():
            turns.acting(view.rule, action.combatant)
            effects = EffectBuilder(state, evolve)
            turns.end_turn(effects, "timeout" if by.kind == "system" else "ended")
            return effects.emitted
        case _:
            assert_never(action)


def _overruled(state: State[BattleState], action: GmAction, dice: Dice) -> Effects:
    match action:
        case ask.Configure():
            return gm_setup.configure(state, action)
        case ask.AddCombatant():
            return gm_setup.add_combatant(state, action, dice)
        case do.RemoveCombatant():
            return gm_setup.remove_combatant(state, action)
        case do.StartEncounter():
            return gm_setup.start(state, dice)
        case ask.SetTerrain():
            return gm_setup.set_terrain(state, action)
        case ask.Adjust():
            return adjustments.adjust(state, action, dice)
        case _:
            assert_never(action)
