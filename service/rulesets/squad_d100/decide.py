"""Which module decides which action.

A player's action is judged on what that player may know; its effects are those of the battle as it
is. Actions that mean the same in all rulebooks are decided by the engine and never come here.
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
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.evolve import evolve
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
    view = perceive_as(state, by)
    resolution = Resolution(EffectBuilder(state, evolve), view, request, by, dice)
    if isinstance(request, ask.ShootingDeed):
        _shoot(resolution, request)
    elif isinstance(request, ask.Deed):
        _move(resolution, request)
    else:
        _overrule(resolution, request)
    return resolution.effects.emitted


def _move(resolution: Resolution, action: ask.MovementDeed | do.EndTurn) -> None:
    match action:
        case ask.Move():
            moves.move(resolution, action)
        case ask.ToggleDoor():
            doors.toggle_door(resolution, action)
        case ask.Kneel() | ask.Stand():
            poses.take_pose(resolution, action)
        case ask.PickUp():
            loot.pick_up(resolution, action)
        case ask.Sprint():
            sprints.sprint(resolution, action)
        case ask.EndMovement():
            phases.end_movement(resolution, action)
        case do.EndTurn():
            turns.end(resolution, action)
        case _:
            assert_never(action)


def _shoot(resolution: Resolution, action: ask.ShootingDeed) -> None:
    match action:
        case ask.AimedShot() | ask.SnapShots() | ask.Burst():
            shots.shoot(resolution, action)
        case ask.Suppress():
            suppressive_fire.suppress(resolution, action)
        case ask.ThrowGrenade():
            throws.throw_grenade(resolution, action)
        case ask.MeleeAttack():
            melee.strike(resolution, action)
        case ask.Reload():
            magazines.reload(resolution, action)
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
