"""What an action would do, as far as the asker may know; nothing is drawn.

An attack tells its breakdown, pool and exact odds, hiding its odds, a move its cost (`previews/`).
What depends on numbers that are hidden from the asker is named in `unknown` and left out.
"""

from service.engine.battle.state import State
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.crossfire_d6.action_table import ACTIONS, decide
from service.rulesets.crossfire_d6.state import BattleState


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Nobody is asked anything by these rules.
    Raises the same Refused or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    require_asked(answers, ())
    return ACTIONS.preview(Asker.of(state, by, answers), action, decide)
