"""Actions are decided as in version 1, but for shots at those who are on their way no more."""

from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.decide import decide_by
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on


def decide(
    state: State[BattleState], action: Action, by: By, seq: int, dice: Dice
) -> tuple[Effect, ...]:
    """The effects of an action as event `seq`. Raises what version 1 raises."""
    return decide_by(is_met_while_it_goes_on, state, action, by, seq, dice)
