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
    if isinstance(request, ask.Deed | ask.GmDeed):
        return _deed(state, request, by, dice)
    if isinstance(request, ask.Answer | do.ForcePass):
        return resume.answer(perceive_as(state, by), state, request, by, dice)
    return _overruled(state, request, by, dice)


def _deed(state: State[BattleState], action: ask.Deed | ask.GmDeed, by: By, dice: Dice) -> Effects:
    """One action of the rules, as far as it comes, and what follows an action (2.3)."""
    view = perceive_as(state, by)
    resolution = Resolution(EffectBuilder(state, evolve), action, by, dice)
    if isinstance(action, OfSide):
        _of_side(view, resolution, action)
    else:
        _of_warrior(view, resolution, action)
    complete(resolution)
    return resolution.effects.emitted


def _of_side(view: State[BattleState], resolution: Resolution, action: OfSide) -> None:
    match action:
        case ask.Activate():
            activation.activate(view, resolution, action)
        case ask.EndMovement():
            activation.end_movement(view, resolution, action)
        case ask.EndActivation():
            activation.end_activation(view, resolution, action)
        case do.EndSideTurn():
            turns.end_turn(view, resolution, action)
        case _:
            assert_never(action)


def _of_warrior(view: State[BattleState], resolution: Resolution, action: OfWarrior) -> None:
    match action:
        case ask.Move():
            moves.move(view, resolution, action)
        case ask.Charge():
            charges.charge(view, resolution, action)
        case ask.Mask():
            masks.mask(view, resolution, action)
        case ask.Unmask():
            masks.unmask(view, resolution, action)
        case ask.Shoot():
            shots.shoot(view, resolution, action)
        case ask.Fight():
            fights.fight(view, resolution, action)
        case ask.Guard():
            guard.go_on_guard(view, resolution, action)
        case ask.GuardShoot():
            guard_shots.shoot_unasked(view, resolution, action)
        case _:
            _of_song_or_gm(view, resolution, action)


def _of_song_or_gm(
    view: State[BattleState],
    resolution: Resolution,
    action: ask.Sing | ask.StopMelody | ask.DampenLasting | ask.GmDeed,
) -> None:
    match action:
        case ask.Sing():
            songs.sing(view, resolution, action)
        case ask.StopMelody():
            lasting.stop(view, resolution, action)
        case ask.DampenLasting():
            dampening.dampen_lasting(view, resolution, action)
        case ask.GmReveal():
            gm_deeds.reveal(view, resolution, action)
        case ask.GmPanicTest():
            gm_deeds.take_panic_test(view, resolution, action)
        case _:
            assert_never(action)


def _overruled(state: State[BattleState], action: GmAction, by: By, dice: Dice) -> Effects:
    match action:
        case ask.Configure():
            return gm_setup.configure(state, action)
        case ask.AddCombatant():
            return gm_setup.add_combatant(state, action)
        case do.RemoveCombatant():
            return departures.remove_combatant(state, action)
        case do.StartEncounter():
            return battle_start.start(state, action, by, dice)
        case ask.SetTerrain():
            return gm_setup.set_terrain(state, action)
        case ask.Adjust():
            return adjustments.adjust(state, action, dice)
        case _:
            assert_never(action)
