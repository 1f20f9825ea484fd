"""Previews are those of version 1, but for shots at those who are on their way no more."""

from service.engine.battle.state import State
from service.engine.ruleset import NO_ANSWERS, Answers, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.preview import preview_by
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2.decide import decide
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action. Raises what version 1 raises."""
    return preview_by(is_met_while_it_goes_on, decide, state, action, by, answers)
