"""Actions are decided as in version 1, but for guesses at somebody in total cover."""

from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.decide import decide_by
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses


def decide(
    state: State[BattleState], action: Action, by: By, seq: int, dice: Dice
) -> tuple[Effect, ...]:
    """The effects of an action as event `seq`. Raises what version 1 raises."""
    return decide_by(cover_from_guesses, state, action, by, seq, dice)
