"""What an action would do, as far as the asker may know; nothing is drawn.

Attacks, answers that strike and area effects tell what they are made of and exact odds
(`previews/`), a walk its length, and what provokes tells who is asked. What depends on numbers
that are hidden from the asker is named in `unknown` and left out.
"""

from service.engine.battle.state import State
from service.engine.kit.previews import Asker, Decide, rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20.action_table import ACTIONS, Table, decide
from service.rulesets.tactical_d20.previews.answers import answered
from service.rulesets.tactical_d20.state import BattleState


def preview(
    state: State[BattleState], action: Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Who has no answer in `answers` passes. Raises
    the same Refused, Forbidden or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    return preview_by(ACTIONS, decide, state, action, by, answers)


def preview_by(
    table: Table,
    decide: Decide[BattleState],
    state: State[BattleState],
    action: Action,
    by: By,
    answers: Answers,
) -> Preview:
    """The same by the table of a version, and by how that decides."""
    asker = Asker.of(state, by, answers)
    sketch = table.sketch(asker, action)
    if not table.entries[type(action)].is_rehearsed:
        return sketch
    sketch = answered(asker, action, sketch)
    rehearsed = rehearse(sketch, decide, asker.view, action, by)
    return sketch if sketch.opens else rehearsed
