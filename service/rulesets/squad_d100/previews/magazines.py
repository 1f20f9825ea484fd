"""The preview of filling a magazine."""

from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import Preview
from service.rulesets.squad_d100.actions import Reload
from service.rulesets.squad_d100.deciding.magazines import require_reload
from service.rulesets.squad_d100.previews.facts import Facts
from service.rulesets.squad_d100.state import BattleState


def preview_reload(asker: Asker[BattleState], action: Reload) -> Preview:
    """The rounds in the full magazine. Raises Refused as deciding it would."""
    weapon = require_reload(asker.view, action)
    facts = Facts(rounds_left={weapon.id: weapon.magazine})
    return Preview(legal=True, facts=facts)
