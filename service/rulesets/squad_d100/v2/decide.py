"""Actions are decided as in version 1, but for three cases of the suppressed."""

from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.decide import decide_by
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.rules.suppression import READING


def decide(
    state: State[BattleState], action: Action, by: By, seq: int, dice: Dice
) -> tuple[Effect, ...]:
    """The effects of an action as event `seq`. Raises what version 1 raises."""
    return decide_by(READING, state, action, by, dice)
