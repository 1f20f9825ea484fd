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
    match cast("ask.DecidedAction | ask.CreateBattle", action):
        case ask.CreateBattle() as creation:
            return gm_setup.create(state, creation, by)
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
            return _decide_deed(state, deed, by, seq, dice)
        case (
            ask.Configure()
            | ask.AddCombatant()
            | do.RemoveCombatant()
            | do.StartEncounter()
            | ask.SetTerrain()
            | ask.Adjust()
        ) as ruling:
            return _decide_gm_action(state, ruling, dice)
        case ask.Answer() | do.ForcePass() as answer:
            return _decide_answer(state, answer, by, dice)


def _decide_deed(
    state: State[BattleState], action: ask.Deed, by: By, seq: int, dice: Dice
) -> tuple[fx.Effect, ...]:
    view = perceive_as(state, by)
    match action:
        case ask.TakeAim() | ask.Dodge() | ask.Resist() | ask.EndTurn():
            return stances.take_stance(view.rule, state, action, by, dice)
        case ask.Attack() | ask.CalledShot() | ask.Disarm() | ask.Grapple():
            return attack_resolution.attack(view, state, action, by, seq, dice)
        case ask.BreakFree():
            return holds.break_free(view.rule, state, action, dice)
        case ask.Release():
            return holds.release(view.rule, state, action, dice)
        case ask.Move():
            return moves.move(view.rule, state, action, dice)
        case _:
            assert_never(action)


def _decide_gm_action(
    state: State[BattleState], action: GmAction, dice: Dice
) -> tuple[fx.Effect, ...]:
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


def _decide_answer(
    state: State[BattleState], answer: ask.Answer | do.ForcePass, by: By, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The effects of an answer, sealed while others are open; the last one resumes the attack."""
    decision = require_open(state, answer.decision_id, by)
    if isinstance(answer, ask.Answer):
        view = perceive_as(state, by)
        require_choice(view, state, decision, answer.choice)
    effects = EffectBuilder(state, evolve)
    resumed = close(effects, decision, answer, READERS)
    if resumed is not None:
        attack_resolution.resume(effects, resumed, dice)
    return effects.emitted
