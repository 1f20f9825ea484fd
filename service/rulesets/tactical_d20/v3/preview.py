"""What an action of version 3 would do, as far as the asker may know; nothing is drawn."""

from service.engine.battle.state import State
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.preview import preview_by
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v3.action_table import ACTIONS, decide


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know; raises what that of version 1 does."""
    return preview_by(ACTIONS, decide, state, action, by, answers)
