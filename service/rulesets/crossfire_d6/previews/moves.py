"""The preview of a move."""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import Preview
from service.rulesets.crossfire_d6.actions import Move
from service.rulesets.crossfire_d6.deciding.moves import require_move
from service.rulesets.crossfire_d6.previews.facts import Facts
from service.rulesets.crossfire_d6.state import BattleState


def preview_move(asker: Asker[BattleState], action: Move) -> Preview:
    """The preview of a move: its cost and its end. Raises Refused as deciding it would."""
    view = asker.view
    cost_ft = require_move(view, action)
    facts = Facts(
        cost_ft=cost_ft,
        budget_ft=existing(view.rule, action.combatant).speed_ft,
        end=action.path[-1],
        posture="open" if action.posture is UNSET else action.posture,
    )
    return Preview(legal=True, facts=facts)
