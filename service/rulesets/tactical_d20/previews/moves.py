"""The preview of a walk."""

from service.engine.battle.roster import existing
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import Preview
from service.rulesets.tactical_d20.actions import Move
from service.rulesets.tactical_d20.deciding.moves import require_move
from service.rulesets.tactical_d20.previews.facts import Facts
from service.rulesets.tactical_d20.previews.opportunities import (
    are_asked_unknown,
    asked_on_walk,
    stated,
    stops_of,
)
from service.rulesets.tactical_d20.state import BattleState


def preview_move(asker: Asker[BattleState], action: Move) -> Preview:
    """The length of a walk, and who is asked on it. Raises Refused as deciding it would."""
    view = asker.view
    cost_ft = require_move(view, action)
    walker = existing(view.rule, action.combatant)
    path = tuple((cell.x, cell.y) for cell in action.path)
    asked = asked_on_walk(view, walker, path)
    is_doubtful = are_asked_unknown(view, walker, stops_of(walker, path), asker.viewer)
    facts = Facts(
        cost_ft=cost_ft, budget_ft=walker.speed_ft, end=action.path[-1], asks=stated(asked)
    )
    return Preview(
        legal=True,
        facts=facts,
        opens=("reaction",) if asked else (),
        unknown=("asks",) if is_doubtful else (),
    )
