"""Decides an action by its entry in the table of actions.

A player's action is judged on what that player may know; its effects are those of the battle as it
is. Actions that mean the same in all rulebooks are decided by the engine and never come here.
"""

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.kit.perception import perceive_as
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.action_table import ACTIONS
from service.rulesets.melody_d6.actions import CreateBattle
from service.rulesets.melody_d6.deciding import gm_setup
from service.rulesets.melody_d6.deciding.completion import complete
from service.rulesets.melody_d6.deciding.resolution import Resolution, WaitingAction
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.state import BattleState


def decide(
    state: State[BattleState], action: Action, by: By, seq: int, dice: Dice
) -> tuple[Effect, ...]:
    """The effects of an action as event `seq`: as far as it comes, and what follows it (2.3).

    Role, control and the moment are allowed already. Raises Forbidden, Refused or Malformed,
    never after the first draw.
    """
    if isinstance(action, CreateBattle):
        return gm_setup.create(state, action, by)
    view = perceive_as(state, by)
    resolution = Resolution(EffectBuilder(state, evolve), view, action, by, dice)
    ACTIONS.entries[type(action)].decide(resolution, action)
    if isinstance(action, WaitingAction):
        complete(resolution)
    return resolution.effects.emitted
