"""What becomes of each action of this rulebook.

An attack or a try to hide binds its player, since it may roll for somebody whom the player does not
see: an attack's dice are for those who know of attacker and target, those of an aggressor one hides
from are for that side. Nothing else rolls, and nobody is asked but for the table's dice.
"""

from typing import Final

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry, never
from service.engine.kit.outcomes import FIRST_ROLL
from service.engine.kit.previews import Asker
from service.engine.kit.resolution import decider, refuse_answer
from service.engine.vocabulary import actions as do
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.deciding import (
    adjustments,
    attacks,
    gm_setup,
    hiding,
    moves,
    turns,
)
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.previews.attacks import preview_attack
from service.rulesets.crossfire_d6.previews.hiding import preview_hide
from service.rulesets.crossfire_d6.previews.moves import preview_move
from service.rulesets.crossfire_d6.state import BattleState

# The first attack is the one asked for; a reckless miss may strike somebody else behind it.
ACTIONS: Final[ActionTable[BattleState, Resolution, Asker[BattleState]]] = ActionTable(
    entry(ask.Move, moves.move, preview_move, binds=never),
    entry(ask.ChangePosture, moves.change_posture, bare_preview, binds=never),
    entry(ask.SetFacing, moves.set_facing, bare_preview, binds=never),
    entry(ask.RangedAttack, attacks.attack, preview_attack, binds=always, luck=FIRST_ROLL),
    entry(ask.MeleeAttack, attacks.attack, preview_attack, binds=always, luck=FIRST_ROLL),
    entry(ask.Hide, hiding.hide, preview_hide, binds=always, luck=FIRST_ROLL),
    entry(ask.GoProne, moves.go_prone, bare_preview, binds=never),
    entry(ask.StandUp, moves.stand_up, bare_preview, binds=never),
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
