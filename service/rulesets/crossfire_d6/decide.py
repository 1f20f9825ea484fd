"""The rulebook's desk: who is asked for what, and which module decides it.

A player's action is judged on what that player may know; what follows from it happens in the
battle as it is. The engine itself decides what is alike in all rulebooks and never asks here.
"""

from typing import assert_never, cast

from service.engine.battle.decisions import require_open
from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import State, viewer_of
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive
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
from service.rulesets.crossfire_d6.deciding.requirements import acting
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.state import BattleState

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

    Role, control and the moment are allowed already. Raises Refused or Malformed, never after
    the first draw.
    """
    match cast("ask.DecidedAction | ask.CreateBattle", action):
        case ask.CreateBattle() as creation:
            return gm_setup.create(creation, state.blobs, by)
        case (
            ask.Move()
            | ask.ChangePosture()
            | ask.SetFacing()
            | ask.RangedAttack()
            | ask.MeleeAttack()
            | ask.Hide()
            | ask.GoProne()
            | ask.StandUp()
            | do.EndTurn()
        ) as deed:
            seen = perceive(state, viewer_of(by, state.rule, state.linear))
            return _deed(seen, state, deed, by, dice)
        case (
            ask.Configure()
            | ask.AddCombatant()
            | do.RemoveCombatant()
            | do.StartEncounter()
            | ask.SetTerrain()
            | ask.Adjust()
        ) as ruling:
            return _ruling(state, ruling, dice)
        case do.Answer() | do.ForcePass() as answer:
            decision = require_open(state, answer.decision_id, by)
            allowed = list(decision.options)
            raise Refused("wrong_choice", decision_id=decision.id, allowed=allowed)


def _deed(
    seen: State[BattleState], state: State[BattleState], action: ask.Deed, by: By, dice: Dice
) -> Effects:
    match action:
        case ask.Move():
            return moves.move(seen, state, action)
        case ask.ChangePosture():
            return moves.change_posture(seen, state, action)
        case ask.SetFacing():
            return moves.set_facing(seen, action)
        case ask.RangedAttack() | ask.MeleeAttack():
            return attacks.attack(seen, state, action, dice)
        case ask.Hide():
            return hiding.hide(seen, state, action, dice)
        case ask.GoProne():
            return moves.go_prone(seen, action)
        case ask.StandUp():
            return moves.stand_up(seen, state, action)
        case do.EndTurn():
            acting(seen.rule, action.combatant)
            unfolding = EffectBuilder(state.rule, evolve)
            turns.end_turn(unfolding, "timeout" if by.kind == "system" else "ended")
            return unfolding.effects
        case _:
            assert_never(action)


def _ruling(state: State[BattleState], action: Ruling, dice: Dice) -> Effects:
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
