"""What an action would do, as far as the asker may know; nothing is drawn.

Attacks and answers to them tell their chance and exact odds (`previews/`), so do an attempt to
break free and a movement with a test. What depends on numbers that are hidden from the asker is
named in `unknown` and left out.
"""

from service.engine.battle.state import State
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100.action_table import ACTIONS, decide
from service.rulesets.seeker_d100.actions import AttackAction
from service.rulesets.seeker_d100.state import BattleState


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. `answers` are those of the victims of an
    attack. Raises the same Refused, Forbidden or Malformed as `decide`, Refused("not_asked"), and
    Refused("no_preview") for what the engine decides by itself.
    """
    if not isinstance(action, AttackAction):
        require_asked(answers, ())
    return ACTIONS.preview(Asker.of(state, by, answers), action, decide)
