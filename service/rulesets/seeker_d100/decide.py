"""The rulebook's desk: who is asked for what, and which module decides it.

A player's action is judged on what that player may know; what follows from it happens in the
battle as it is. The engine itself decides what is alike in all rulebooks and never asks here.
"""

from typing import assert_never, cast

from service.engine.battle.decision_groups import close
from service.engine.battle.decisions import require_open
from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import State, viewer_of
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.deciding import (
    adjustments,
    gm_setup,
    holds,
    moves,
    resolution,
    stances,
)
from service.rulesets.seeker_d100.deciding.questions import READERS, require_choice
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.state import BattleState

Effects = tuple[fx.Effect, ...]

Ruling = (
    ask.Configure
    | ask.AddCombatant
    | do.RemoveCombatant
    | do.StartEncounter
    | ask.SetTerrain
    | ask.Adjust
)
"""What the game master says."""


def decide(state: State[BattleState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """The effects of an action as event `seq`.

    Role, control and the moment are allowed already. Raises Forbidden, Refused or Malformed,
    never after the first draw.
    """
    match cast("ask.DecidedAction | ask.CreateBattle", action):
        case ask.CreateBattle() as creation:
            return gm_setup.create(creation, state.blobs, by)
        case (
            ask.TakeAim()
            | ask.Attack()
            | ask.CalledShot()
            | ask.Disarm()
            | ask.Grapple()
            | ask.Dodge()
            | ask.Resist()
            | ask.BreakFree()
            | ask.Release()
            | ask.Move()
            | ask.EndTurn()
        ) as deed:
            return _deed(state, deed, by, seq, dice)
        case (
            ask.Configure()
            | ask.AddCombatant()
            | do.RemoveCombatant()
            | do.StartEncounter()
            | ask.SetTerrain()
            | ask.Adjust()
        ) as ruling:
            return _ruling(state, ruling, dice)
        case ask.Answer() | do.ForcePass() as answer:
            return _answer(state, answer, by, dice)


def _deed(state: State[BattleState], action: ask.Deed, by: By, seq: int, dice: Dice) -> Effects:
    seen = perceive(state, viewer_of(by, state.rule, state.linear))
    match action:
        case ask.TakeAim() | ask.Dodge() | ask.Resist() | ask.EndTurn():
            return stances.calm(seen.rule, state.rule, action, by, dice)
        case ask.Attack() | ask.CalledShot() | ask.Disarm() | ask.Grapple():
            return resolution.attack(seen, state, action, by, seq, dice)
        case ask.BreakFree():
            return holds.break_free(seen.rule, state.rule, action, dice)
        case ask.Release():
            return holds.release(seen.rule, state.rule, action, dice)
        case ask.Move():
            return moves.move(seen.rule, state.rule, action, by, dice)
        case _:
            assert_never(action)


def _ruling(state: State[BattleState], action: Ruling, dice: Dice) -> Effects:
    match action:
        case ask.Configure():
            return gm_setup.configure(state, action)
        case ask.AddCombatant():
            return gm_setup.add_combatant(state, action, dice)
        case do.RemoveCombatant():
            return adjustments.remove_combatant(state, action, dice)
        case do.StartEncounter():
            return gm_setup.start(state, dice)
        case ask.SetTerrain():
            return gm_setup.set_terrain(state, action)
        case ask.Adjust():
            return adjustments.adjust(state, action, dice)
        case _:
            assert_never(action)


def _answer(
    state: State[BattleState], answer: ask.Answer | do.ForcePass, by: By, dice: Dice
) -> Effects:
    """One answer more: sealed while others are open, with the last of them the attack goes on."""
    decision = require_open(state, answer.decision_id, by)
    if isinstance(answer, ask.Answer):
        seen = perceive(state, viewer_of(by, state.rule, state.linear))
        require_choice(seen, state, decision, answer.choice)
    told = EffectBuilder(state.rule, evolve)
    resumed = close(told, decision, answer, READERS)
    if resumed is not None:
        resolution.carry_out(told, state.blobs, resumed.action, resumed, dice)
    return told.effects
