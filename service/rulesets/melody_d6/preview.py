"""What an action would do, as far as the asker may know; nothing is drawn.

Shots, fights, songs and dampenings tell what they are made of, whom they reach, and exact odds up
to the first question; movements what they cost and whom they uncover (`previews/`). `opens` are the
questions that may come before those rolls, `follows` those after them. What depends on numbers that
are hidden from the asker is named in `unknown` and left out.
"""

from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.action_table import ACTIONS, decide
from service.rulesets.melody_d6.previews.follow_ups import after_action
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.state import BattleState


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Questions are put to sides, so no answer of
    anybody's is taken as given. Raises the same Refused, Forbidden or Malformed as `decide`,
    Refused("no_preview") for what the engine decides by itself, and Refused("not_asked").
    """
    asker = Asker.of(state, by, answers)
    require_asked(answers, ())
    shown = ACTIONS.preview(asker, action, decide)
    if not ACTIONS.entries[type(action)].is_rehearsed:
        return shown
    return replace(shown, follows=after_action(asker, action))
