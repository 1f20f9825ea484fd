"""Previews are those of version 1, but for guesses at somebody in total cover."""

from service.engine.battle.state import State
from service.engine.ruleset import NO_ANSWERS, Answers, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.preview import preview_by
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v2.decide import decide
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action. Raises what version 1 raises."""
    return preview_by(cover_from_guesses, decide, state, action, by, answers)
