"""Which module decides which action.

A player's action is judged on what that player may know; its effects are those of the battle as it
is. Actions that mean the same in all rulebooks are decided by the engine and never come here.
"""

from typing import assert_never, cast

from service.engine.battle.decision_groups import close
from service.engine.battle.decisions import require_open
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive_as
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.deciding import (
    adjustments,
    attack_resolution,
    gm_setup,
    holds,
    moves,
    stances,
)
from service.rulesets.seeker_d100.deciding.reaction_choices import READERS, require_choice
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.state import BattleState

GmAction = (
    ask.Configure
    | ask.AddCombatant
    | do.RemoveCombatant
    | do.StartEncounter
    | ask.SetTerrain
    | ask.Adjust
)
"""What the game master says."""


def decide(
    state: State[BattleState], action: do.Action, by: By, seq: int, dice: Dice
) -> tuple[fx.Effect, ...]:
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
        _answer(resolution, request)
    else:
        _overrule(resolution, request)
    return resolution.effects.emitted


def _do(resolution: Resolution, action: ask.Deed) -> None:
    match action:
        case ask.TakeAim() | ask.Dodge() | ask.Resist() | ask.EndTurn():
            stances.take_stance(resolution, action)
        case ask.Attack() | ask.CalledShot() | ask.Disarm() | ask.Grapple():
            attack_resolution.attack(resolution, action)
        case ask.BreakFree():
            holds.break_free(resolution, action)
        case ask.Release():
            holds.release(resolution, action)
        case ask.Move():
            moves.move(resolution, action)
        case _:
            assert_never(action)


def _overrule(resolution: Resolution, action: GmAction) -> None:
    match action:
        case ask.Configure():
            gm_setup.configure(resolution, action)
        case ask.AddCombatant():
            gm_setup.add_combatant(resolution, action)
        case do.RemoveCombatant():
            adjustments.remove_combatant(resolution, action)
        case do.StartEncounter():
            gm_setup.start(resolution)
        case ask.SetTerrain():
            gm_setup.set_terrain(resolution, action)
        case ask.Adjust():
            adjustments.adjust(resolution, action)
        case _:
            assert_never(action)


def _answer(resolution: Resolution, answer: ask.Answer | do.ForcePass) -> None:
    """The effects of an answer, sealed while others are open; the last one resumes the attack."""
    state = resolution.state
    decision = require_open(state, answer.decision_id, resolution.by)
    if isinstance(answer, ask.Answer):
        require_choice(resolution.view, state, decision, answer.choice)
    resumed = close(resolution.effects, decision, answer, READERS)
    if resumed is not None:
        attack_resolution.resume(resolution, resumed)
