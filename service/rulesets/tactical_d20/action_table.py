"""What becomes of each action of this rulebook.

An action binds its player if it may ask or roll for somebody whom the player does not see. Walks
and shots offer opportunities to enemies nearby, attacks at cells and areas roll for whoever is
there, and the dice of an attack are for those who know of attacker and target.
"""

from typing import Final, TypeAlias

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry, never
from service.engine.kit.previews import Asker
from service.engine.kit.resolution import decider
from service.engine.vocabulary import actions as do
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.deciding import (
    adjustments,
    areas,
    attacks,
    gm_setup,
    moves,
    postures,
    resumption,
    turns,
)
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.evolve import evolve
from service.rulesets.tactical_d20.luck import FIRST_ATTACK
from service.rulesets.tactical_d20.previews.answers import preview_answer
from service.rulesets.tactical_d20.previews.areas import preview_area
from service.rulesets.tactical_d20.previews.attacks import preview_attack, preview_guess
from service.rulesets.tactical_d20.previews.moves import preview_move
from service.rulesets.tactical_d20.state import BattleState

Table: TypeAlias = ActionTable[BattleState, Resolution, Asker[BattleState]]
"""The table of a version of this rulebook."""

ACTIONS: Final[Table] = ActionTable(
    entry(ask.Move, moves.move, preview_move, binds=always),
    entry(ask.Attack, attacks.attack, preview_attack, binds=always, luck=FIRST_ATTACK),
    entry(ask.AttackCell, attacks.attack, preview_guess, binds=always, luck=FIRST_ATTACK),
    entry(ask.AreaAttack, areas.area_attack, preview_area, binds=always, luck=FIRST_ATTACK),
    entry(ask.DropProne, postures.take_posture, bare_preview, binds=never),
    entry(ask.StandUp, postures.take_posture, bare_preview, binds=never),
    entry(ask.RightSelf, postures.take_posture, bare_preview, binds=never),
    entry(do.EndTurn, turns.end, bare_preview, binds=never),
    entry(ask.Answer, resumption.answer, preview_answer, is_rehearsed=False, binds=never),
    entry(do.ForcePass, resumption.answer, preview_answer, is_rehearsed=False),
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
