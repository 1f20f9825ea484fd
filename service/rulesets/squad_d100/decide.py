"""Which module decides which action.

A player's action is judged on what that player may know; its effects are those of the battle as it
is. Actions that mean the same in all rulebooks are decided by the engine and never come here.
"""

from typing import assert_never, cast

from service.engine.battle.decisions import require_open
from service.engine.battle.state import State, viewer_of
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100.deciding import (
    adjustments,
    doors,
    gm_setup,
    loot,
    magazines,
    melee,
    moves,
    phases,
    poses,
    shots,
    sprints,
    suppressive_fire,
    throws,
    turns,
)
from service.rulesets.squad_d100.state import BattleState

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
    if isinstance(request, ask.Deed):
        view = perceive(state, viewer_of(by, state.rule, state.linear))
        if isinstance(request, ask.ShootingDeed):
            return _shooting(view, state, request, dice)
        return _movement(view, state, request, by, dice)
    return _overruled(state, request)


def _movement(
    view: State[BattleState],
    state: State[BattleState],
    action: ask.MovementDeed | do.EndTurn,
    by: By,
    dice: Dice,
) -> Effects:
    match action:
        case ask.Move():
            return moves.move(view, state, action, dice)
        case ask.ToggleDoor():
            return doors.toggle_door(view, state, action, dice)
        case ask.Kneel() | ask.Stand():
            return poses.take_pose(view, state, action)
        case ask.PickUp():
            return loot.pick_up(view, state, action)
        case ask.Sprint():
            return sprints.sprint(view, state, action)
        case ask.EndMovement():
            return phases.end_movement(view, state, action)
        case do.EndTurn():
            return turns.end(view, state, action, by)
        case _:
            assert_never(action)


def _shooting(
    view: State[BattleState], state: State[BattleState], action: ask.ShootingDeed, dice: Dice
) -> Effects:
    match action:
        case ask.AimedShot() | ask.SnapShots() | ask.Burst():
            return shots.shoot(view, state, action, dice)
        case ask.Suppress():
            return suppressive_fire.suppress(view, state, action, dice)
        case ask.ThrowGrenade():
            return throws.throw_grenade(view, state, action, dice)
        case ask.MeleeAttack():
            return melee.strike(view, state, action, dice)
        case ask.Reload():
            return magazines.reload(view, state, action)
        case _:
            assert_never(action)


def _overruled(state: State[BattleState], action: GmAction) -> Effects:
    match action:
        case ask.Configure():
            return gm_setup.configure(state, action)
        case ask.AddCombatant():
            return gm_setup.add_combatant(state, action)
        case do.RemoveCombatant():
            return gm_setup.remove_combatant(state, action)
        case do.StartEncounter():
            return gm_setup.start(state)
        case ask.SetTerrain():
            return gm_setup.set_terrain(state, action)
        case ask.Adjust():
            return adjustments.adjust(state, action)
        case _:
            assert_never(action)
