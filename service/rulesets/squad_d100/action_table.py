"""What becomes of each action of this rulebook.

An action binds its player if it may roll for somebody whom the player does not see, or tell a
secret. Steps and doors let watchers test, attacks and blasts roll for those who know of both ends,
and what lies about is the game master's until it is picked up.
"""

from typing import Final

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry, never
from service.engine.kit.previews import Asker
from service.engine.kit.resolution import decider, refuse_answer
from service.engine.vocabulary import actions as do
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
from service.rulesets.squad_d100.luck import FIRST_SHOT
from service.rulesets.squad_d100.previews.magazines import preview_reload
from service.rulesets.squad_d100.previews.melee import preview_blow
from service.rulesets.squad_d100.previews.movement import (
    preview_door,
    preview_end_of_movement,
    preview_move,
    preview_pick_up,
    preview_pose,
    preview_sprint,
)
from service.rulesets.squad_d100.previews.shots import preview_shots, preview_suppression
from service.rulesets.squad_d100.previews.throws import preview_throw
from service.rulesets.squad_d100.state import BattleState

ACTIONS: Final[ActionTable[BattleState, Resolution, Asker[BattleState]]] = ActionTable(
    entry(ask.Move, moves.move, preview_move, binds=always),
    entry(ask.Kneel, poses.take_pose, preview_pose, binds=never),
    entry(ask.Stand, poses.take_pose, preview_pose, binds=never),
    entry(ask.ToggleDoor, doors.toggle_door, preview_door, binds=always),
    entry(ask.PickUp, loot.pick_up, preview_pick_up, binds=always),
    entry(ask.Sprint, sprints.sprint, preview_sprint, binds=never),
    entry(ask.EndMovement, phases.end_movement, preview_end_of_movement, binds=never),
    entry(ask.AimedShot, shots.shoot, preview_shots, binds=always, luck=FIRST_SHOT),
    entry(ask.SnapShots, shots.shoot, preview_shots, binds=always, luck=FIRST_SHOT),
    entry(ask.Burst, shots.shoot, preview_shots, binds=always, luck=FIRST_SHOT),
    entry(ask.Suppress, suppressive_fire.suppress, preview_suppression, binds=always),
    entry(ask.ThrowGrenade, throws.throw_grenade, preview_throw, binds=always, luck=FIRST_SHOT),
    entry(ask.MeleeAttack, melee.strike, preview_blow, binds=always, luck=FIRST_SHOT),
    entry(ask.Reload, magazines.reload, preview_reload, binds=never),
    entry(do.EndTurn, turns.end, bare_preview, binds=never),
    entry(ask.Answer, refuse_answer, None, binds=never),
    entry(do.ForcePass, refuse_answer, None),
    entry(ask.Configure, gm_setup.configure, bare_preview),
    entry(ask.AddCombatant, gm_setup.add_combatant, bare_preview),
    entry(do.RemoveCombatant, gm_setup.remove_combatant, bare_preview),
    entry(do.StartEncounter, gm_setup.start, bare_preview),
    entry(ask.SetTerrain, gm_setup.set_terrain, bare_preview),
    entry(ask.Adjust, adjustments.adjust, bare_preview),
)
"""The entry of every action of a battle that exists; the engine decides all others itself."""

decide: Final = decider(ACTIONS, Resolution, evolve, gm_setup.create)
"""Decides an action by its entry."""
