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
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
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
    if isinstance(request, do.Answer | do.ForcePass):
        decision = require_open(state, request.decision_id, by)
        allowed = list(decision.options)
        raise Refused("wrong_choice", decision_id=decision.id, allowed=allowed)
    view = perceive_as(state, by)
    resolution = Resolution(EffectBuilder(state, evolve), view, request, by, dice)
    if isinstance(request, ask.Deed):
        _do(resolution, request)
    else:
        _overrule(resolution, request)
    return resolution.effects.emitted


def _do(resolution: Resolution, action: ask.Deed) -> None:
    match action:
        case ask.Move():
            moves.move(resolution, action)
        case ask.ChangePosture():
            moves.change_posture(resolution, action)
        case ask.SetFacing():
            moves.set_facing(resolution, action)
        case ask.RangedAttack() | ask.MeleeAttack():
            attacks.attack(resolution, action)
        case ask.Hide():
            hiding.hide(resolution, action)
        case ask.GoProne():
            moves.go_prone(resolution, action)
        case ask.StandUp():
            moves.stand_up(resolution, action)
        case do.EndTurn():
            turns.end(resolution, action)
        case _:
            assert_never(action)


def _overrule(resolution: Resolution, action: GameMasterAction) -> None:
    match action:
        case ask.Configure():
            gm_setup.configure(resolution, action)
        case ask.AddCombatant():
            gm_setup.add_combatant(resolution, action)
        case do.RemoveCombatant():
            gm_setup.remove_combatant(resolution, action)
        case do.StartEncounter():
            gm_setup.start(resolution)
        case ask.SetTerrain():
            gm_setup.set_terrain(resolution, action)
        case ask.Adjust():
            adjustments.adjust(resolution, action)
        case _:
            assert_never(action)
