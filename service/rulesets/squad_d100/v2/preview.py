"""Previews are those of version 1, but for the duty of whoever stands in a wall."""

from service.engine.battle.state import State
from service.engine.ruleset import NO_ANSWERS, Answers, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.preview import preview_by
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.decide import decide
from service.rulesets.squad_d100.v2.rules.suppression import READING


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action. Raises what version 1 raises."""
    return preview_by(READING, decide, state, action, by, answers)
