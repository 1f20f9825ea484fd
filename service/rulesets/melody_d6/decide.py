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
from service.rulesets.melody_d6 import actions as ask
from service.rulesets.melody_d6.deciding import (
    activation,
    adjustments,
    battle_start,
    charges,
    dampening,
    departures,
    fights,
    gm_deeds,
    gm_setup,
    guard,
    guard_shots,
    lasting,
    masks,
    moves,
    resume,
    shots,
    songs,
    turns,
)
from service.rulesets.melody_d6.deciding.completion import complete
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.state import BattleState

Effects = tuple[fx.Effect, ...]

GmAction = (
    ask.Configure
    | ask.AddCombatant
    | do.RemoveCombatant
    | do.StartEncounter
    | ask.SetTerrain
    | ask.Adjust
)
"""What the game master may ask of these rules beside what a warrior or a unit does."""

OfWarrior = ask.WarriorDeed | ask.GmDeed
OfSide = ask.UnitDeed | do.EndSideTurn


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
    if isinstance(request, ask.Deed | ask.GmDeed):
        _do(resolution, request)
    elif isinstance(request, ask.Answer | do.ForcePass):
        resume.answer(resolution, request)
    else:
        _overrule(resolution, request)
    return resolution.effects.emitted


def _do(resolution: Resolution, action: ask.Deed | ask.GmDeed) -> None:
    """One action of the rules, as far as it comes, and what follows an action (2.3)."""
    if isinstance(action, OfSide):
        _of_side(resolution, action)
    else:
        _of_warrior(resolution, action)
    complete(resolution)


def _of_side(resolution: Resolution, action: OfSide) -> None:
    match action:
        case ask.Activate():
            activation.activate(resolution, action)
        case ask.EndMovement():
            activation.end_movement(resolution, action)
        case ask.EndActivation():
            activation.end_activation(resolution, action)
        case do.EndSideTurn():
            turns.end_turn(resolution, action)
        case _:
            assert_never(action)


def _of_warrior(resolution: Resolution, action: OfWarrior) -> None:
    match action:
        case ask.Move():
            moves.move(resolution, action)
        case ask.Charge():
            charges.charge(resolution, action)
        case ask.Mask():
            masks.mask(resolution, action)
        case ask.Unmask():
            masks.unmask(resolution, action)
        case ask.Shoot():
            shots.shoot(resolution, action)
        case ask.Fight():
            fights.fight(resolution, action)
        case ask.Guard():
            guard.go_on_guard(resolution, action)
        case ask.GuardShoot():
            guard_shots.shoot_unasked(resolution, action)
        case _:
            _of_song_or_gm(resolution, action)


def _of_song_or_gm(
    resolution: Resolution,
    action: ask.Sing | ask.StopMelody | ask.DampenLasting | ask.GmDeed,
) -> None:
    match action:
        case ask.Sing():
            songs.sing(resolution, action)
        case ask.StopMelody():
            lasting.stop(resolution, action)
        case ask.DampenLasting():
            dampening.dampen_lasting(resolution, action)
        case ask.GmReveal():
            gm_deeds.reveal(resolution, action)
        case ask.GmPanicTest():
            gm_deeds.take_panic_test(resolution, action)
        case _:
            assert_never(action)


def _overrule(resolution: Resolution, action: GmAction) -> None:
    match action:
        case ask.Configure():
            gm_setup.configure(resolution, action)
        case ask.AddCombatant():
            gm_setup.add_combatant(resolution, action)
        case do.RemoveCombatant():
            departures.remove_combatant(resolution, action)
        case do.StartEncounter():
            battle_start.start(resolution)
        case ask.SetTerrain():
            gm_setup.set_terrain(resolution, action)
        case ask.Adjust():
            adjustments.adjust(resolution, action)
        case _:
            assert_never(action)
