"""The rulebook's desk: who is asked for what, and which module decides it.

A player's action is judged on what that player may know; what follows from it happens in the
battle as it is. The engine itself decides what is alike in all rulebooks and never asks here.
"""

from typing import assert_never, cast

from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive_as
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.deciding import (
    adjustments,
    attacks,
    gm_setup,
    hiding,
    moves,
    turns,
)
from service.rulesets.crossfire_d6.deciding.turns import acting
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.state import BattleState

Effects = tuple[fx.Effect, ...]

GameMasterAction = (
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

    Role, control and the moment are allowed already. Raises Refused or Malformed, never after
    the first draw.
    """
    request = cast("ask.DecidedAction | ask.CreateBattle", action)
    if isinstance(request, ask.CreateBattle):
        return gm_setup.create(state, request, by)
    if isinstance(request, ask.Deed):
        return _deed(state, request, by, dice)
    if isinstance(request, do.Answer | do.ForcePass):
        decision = require_open(state, request.decision_id, by)
        allowed = list(decision.options)
        raise Refused("wrong_choice", decision_id=decision.id, allowed=allowed)
    return _overruled(state, request, dice)


def _deed(state: State[BattleState], action: ask.Deed, by: By, dice: Dice) -> Effects:
    view = perceive_as(state, by)
    match action:
        case ask.Move():
            return moves.move(view, state, action)
        case ask.ChangePosture():
            return moves.change_posture(view, state, action)
        case ask.SetFacing():
            return moves.set_facing(view, action)
        case ask.RangedAttack() | ask.MeleeAttack():
            return attacks.attack(view, state, action, dice)
        case ask.Hide():
            return hiding.hide(view, state, action, dice)
        case ask.GoProne():
            return moves.go_prone(view, action)
        case ask.StandUp():
            return moves.stand_up(view, state, action)
        case do.EndTurn():
            acting(view.rule, action.combatant)
            effects = EffectBuilder(state, evolve)
            turns.end_turn(effects, "timeout" if by.kind == "system" else "ended")
            return effects.emitted
        case _:
            assert_never(action)


def _overruled(state: State[BattleState], action: GameMasterAction, dice: Dice) -> Effects:
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
            return adjustments.adjust(state, action)
        case _:
            assert_never(action)
