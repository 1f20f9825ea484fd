"""What becomes of each action of this rulebook.

An action binds its player if it may ask, or roll for, a combatant that the player does not see.
Attacks ask all whom they threaten, and in the dark that may be anybody; breaking free makes the
holder roll. Where rounds have cards of their own, any action that may end the round draws cards for
everybody.
"""

from typing import Final

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry, never
from service.engine.kit.previews import Asker
from service.engine.kit.resolution import decider
from service.engine.vocabulary import actions as do
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.deciding import adjustments, gm_setup
from service.rulesets.seeker_d100.deciding.answers import answer
from service.rulesets.seeker_d100.deciding.attack_resolution import attack
from service.rulesets.seeker_d100.deciding.holds import break_free, release
from service.rulesets.seeker_d100.deciding.moves import move
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.stances import take_stance
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.luck import ANSWERED_ROLL, ATTACK_ROLL, CHECK_ROLL
from service.rulesets.seeker_d100.previews.attack import preview_answer, preview_attack
from service.rulesets.seeker_d100.previews.holds import preview_break_free
from service.rulesets.seeker_d100.previews.moves import preview_move
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.withdrawal import may_draw_cards

# The preview of an attack declares it, as deciding would, up to the questions.
ACTIONS: Final[ActionTable[BattleState, Resolution, Asker[BattleState]]] = ActionTable(
    entry(ask.TakeAim, take_stance, bare_preview, binds=may_draw_cards),
    entry(ask.Attack, attack, preview_attack, is_rehearsed=False, binds=always, luck=ATTACK_ROLL),
    entry(
        ask.CalledShot, attack, preview_attack, is_rehearsed=False, binds=always, luck=ATTACK_ROLL
    ),
    entry(ask.Disarm, attack, preview_attack, is_rehearsed=False, binds=always, luck=ATTACK_ROLL),
    entry(ask.Grapple, attack, preview_attack, is_rehearsed=False, binds=always, luck=ATTACK_ROLL),
    entry(ask.Dodge, take_stance, bare_preview, binds=may_draw_cards),
    entry(ask.Resist, take_stance, bare_preview, binds=may_draw_cards),
    entry(ask.BreakFree, break_free, preview_break_free, binds=always, luck=CHECK_ROLL),
    entry(ask.Release, release, bare_preview, binds=may_draw_cards),
    entry(ask.Move, move, preview_move, binds=may_draw_cards, luck=CHECK_ROLL),
    entry(ask.EndTurn, take_stance, bare_preview, binds=may_draw_cards),
    entry(ask.Answer, answer, preview_answer, is_rehearsed=False, binds=never, luck=ANSWERED_ROLL),
    entry(do.ForcePass, answer, preview_answer, is_rehearsed=False, luck=ANSWERED_ROLL),
    entry(ask.Configure, gm_setup.configure, bare_preview),
    entry(ask.AddCombatant, gm_setup.add_combatant, bare_preview),
    entry(do.RemoveCombatant, adjustments.remove_combatant, bare_preview),
    entry(do.StartEncounter, gm_setup.start, bare_preview),
    entry(ask.SetTerrain, gm_setup.set_terrain, bare_preview),
    entry(ask.Adjust, adjustments.adjust, bare_preview),
)
"""The entry of every action of a battle that exists; the engine decides all others itself."""

decide: Final = decider(ACTIONS, Resolution, evolve, gm_setup.create)
"""Decides an action by its entry."""
