"""What an action would do, as far as the asker may know; nothing is drawn.

Shots, throws and blows tell what they are made of and exact odds, walks and doors what they cost
and who would test (`previews/`). What depends on numbers that are hidden from the asker is named in
`unknown` and left out.
"""

from service.engine.battle.state import State
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.action_table import ACTIONS, decide
from service.rulesets.squad_d100.state import BattleState


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Nobody is ever asked for an answer. Raises the
    same Refused, Forbidden or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    require_asked(answers, ())
    return ACTIONS.preview(Asker.of(state, by, answers), action, decide)
