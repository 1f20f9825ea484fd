"""What becomes of each action of this rulebook.

An action binds its player if it may ask or roll for somebody whom the player does not see. Guards
may be asked about whoever moves, masks or appears, and about the end of a turn, singers about a
song; detection, shots, fights and songs roll for whoever is there.
"""

from typing import Final

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry, never
from service.engine.kit.resolution import decider
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.actions import Action
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
from service.rulesets.melody_d6.deciding.resolution import Resolution, WaitingAction
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.luck import FOREMOST, SHOT
from service.rulesets.melody_d6.previews.attacks import (
    preview_fight,
    preview_guard_shoot,
    preview_shoot,
)
from service.rulesets.melody_d6.previews.decisions import preview_answer, preview_dampening
from service.rulesets.melody_d6.previews.follow_ups import preview_with_guards
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.movement import (
    preview_charge,
    preview_end_of_movement,
    preview_mask,
    preview_move,
)
from service.rulesets.melody_d6.previews.panic import preview_panic_test
from service.rulesets.melody_d6.previews.songs import preview_song
from service.rulesets.melody_d6.state import BattleState

ACTIONS: Final[ActionTable[BattleState, Resolution, Asker]] = ActionTable(
    entry(ask.Activate, activation.activate, bare_preview, binds=never),
    entry(ask.Move, moves.move, preview_move, binds=always),
    entry(ask.Charge, charges.charge, preview_charge, binds=always),
    entry(ask.Unmask, masks.unmask, preview_with_guards, binds=always),
    entry(ask.Mask, masks.mask, preview_mask, binds=always),
    entry(
        ask.EndMovement,
        activation.end_movement,
        preview_end_of_movement,
        binds=always,
        luck=FOREMOST,
    ),
    entry(ask.Shoot, shots.shoot, preview_shoot, binds=always, luck=SHOT),
    entry(ask.Fight, fights.fight, preview_fight, binds=always, luck=FOREMOST),
    entry(ask.Sing, songs.sing, preview_song, binds=always, luck=FOREMOST),
    entry(ask.Guard, guard.go_on_guard, bare_preview, binds=never),
    entry(ask.EndActivation, activation.end_activation, bare_preview, binds=never),
    entry(do.EndSideTurn, turns.end_turn, preview_with_guards, binds=always),
    entry(ask.StopMelody, lasting.stop, bare_preview, binds=never),
    entry(
        ask.DampenLasting,
        dampening.dampen_lasting,
        preview_dampening,
        binds=always,
        luck=FOREMOST,
    ),
    entry(ask.GuardShoot, guard_shots.shoot_unasked, preview_guard_shoot, binds=always, luck=SHOT),
    entry(ask.GmReveal, gm_deeds.reveal, bare_preview),
    entry(ask.GmPanicTest, gm_deeds.take_panic_test, preview_panic_test, luck=FOREMOST),
    entry(ask.Answer, resume.answer, preview_answer, is_rehearsed=False, binds=always),
    entry(do.ForcePass, resume.answer, preview_answer, is_rehearsed=False),
    entry(ask.Configure, gm_setup.configure, bare_preview),
    entry(ask.AddCombatant, gm_setup.add_combatant, bare_preview),
    entry(do.RemoveCombatant, departures.remove_combatant, bare_preview),
    entry(do.StartEncounter, battle_start.start, bare_preview),
    entry(ask.SetTerrain, gm_setup.set_terrain, bare_preview),
    entry(ask.Adjust, adjustments.adjust, bare_preview),
)
"""The entry of every action of a battle that exists; the engine decides all others itself."""


def _follow(resolution: Resolution, action: Action) -> None:
    """What follows a deed, as far as it comes (2.3)."""
    if isinstance(action, WaitingAction):
        complete(resolution)


decide: Final = decider(ACTIONS, Resolution, evolve, gm_setup.create, _follow)
"""Decides an action by its entry."""
