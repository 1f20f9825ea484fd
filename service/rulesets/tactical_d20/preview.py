"""What an action would do, as far as the asker may know; nothing is drawn.

Attacks, answers that strike and area effects tell what they are made of and exact odds
(`previews/`), a walk its length, and what provokes tells who is asked. What depends on numbers
that are hidden from the asker is named in `unknown` and left out.
"""

from msgspec import UNSET, to_builtins

from service.engine.battle.decisions import require_open
from service.engine.battle.roster import existing
from service.engine.battle.state import State, viewer_of
from service.engine.kit.perception import perceive
from service.engine.kit.previews import rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.decide import GmAction, decide
from service.rulesets.tactical_d20.deciding.moves import require_move
from service.rulesets.tactical_d20.deciding.opportunities import require_choice
from service.rulesets.tactical_d20.previews.answers import answered, strike_of
from service.rulesets.tactical_d20.previews.areas import preview_area
from service.rulesets.tactical_d20.previews.attacks import (
    preview_aim,
    preview_attack,
    preview_guess,
)
from service.rulesets.tactical_d20.previews.facts import Facts
from service.rulesets.tactical_d20.previews.opportunities import (
    are_asked_unknown,
    asked_on_walk,
    stated,
    stops_of,
)
from service.rulesets.tactical_d20.state import BattleState, Opportunity

View = State[BattleState]
"""The battle as somebody may know it."""


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Who has no answer in `answers` passes. Raises
    the same Refused, Forbidden or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    viewer = viewer_of(by, state.rule, state.linear)
    view = perceive(state, viewer)
    if isinstance(action, ask.Answer | do.ForcePass):
        require_asked(answers, ())
        return _answer(state, view, action, by, viewer)
    sketch = _sketch(view, action, by, viewer)
    sketch = answered(view, action, sketch, answers, viewer)
    rehearsed = rehearse(sketch, decide, view, action, by)
    return sketch if sketch.opens else rehearsed


def _sketch(view: View, action: do.Action, by: By, viewer: Viewer) -> Preview:
    match action:
        case ask.Attack():
            return preview_attack(view, action, viewer)
        case ask.AttackCell():
            return preview_guess(view, action, viewer)
        case ask.AreaAttack():
            return preview_area(view, action, viewer)
        case ask.Move():
            return _move(view, action, viewer)
        case _ if isinstance(action, ask.Deed | GmAction):
            return Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))


def _move(view: View, action: ask.Move, viewer: Viewer) -> Preview:
    cost_ft = require_move(view, action)
    walker = existing(view.rule, action.combatant)
    path = tuple((cell.x, cell.y) for cell in action.path)
    asked = asked_on_walk(view, walker, path)
    is_doubtful = are_asked_unknown(view, walker, stops_of(walker, path), viewer)
    facts = Facts(
        cost_ft=cost_ft, budget_ft=walker.speed_ft, end=action.path[-1], asks=stated(asked)
    )
    return Preview(
        legal=True,
        facts=to_builtins(facts),
        opens=("reaction",) if asked else (),
        unknown=("asks",) if is_doubtful else (),
    )


def _answer(
    state: State[BattleState],
    view: View,
    action: ask.Answer | do.ForcePass,
    by: By,
    viewer: Viewer,
) -> Preview:
    """An answer to an opportunity: what the attack would be that it chooses, if any."""
    decision = require_open(state, action.decision_id, by)
    choice = action.choice if isinstance(action, ask.Answer) else PassChoice()
    if isinstance(choice, RollChoice) or decision.combatant is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    require_choice(view, decision, choice)
    if not isinstance(choice, ask.OpportunityChoice) or not isinstance(decision, Opportunity):
        return Preview(legal=True, facts={})
    if decision.context is UNSET:
        raise Refused("no_preview", action=str(action.__struct_config__.tag))
    strike = strike_of(view, decision.combatant, choice, decision.context.target)
    return preview_aim(view, strike, viewer)
