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
from service.rulesets.tactical_d20.deciding.resolution import Resolution
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
    view = perceive_as(state, by)
    resolution = Resolution(EffectBuilder(state, evolve), view, request, by, dice)
    if isinstance(request, ask.Deed):
        _do(resolution, request)
    elif isinstance(request, ask.Answer | do.ForcePass):
        resumption.answer(resolution, request)
    else:
        _overrule(resolution, request)
    return resolution.effects.emitted


def _do(resolution: Resolution, action: ask.Deed) -> None:
    match action:
        case ask.Move():
            moves.move(resolution, action)
        case ask.Attack() | ask.AttackCell():
            attacks.attack(resolution, action)
        case ask.AreaAttack():
            areas.area_attack(resolution, action)
        case ask.DropProne() | ask.StandUp() | ask.RightSelf():
            postures.take_posture(resolution, action)
        case do.EndTurn():
            turns.end(resolution, action)
        case _:
            assert_never(action)


def _overrule(resolution: Resolution, action: GmAction) -> None:
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
