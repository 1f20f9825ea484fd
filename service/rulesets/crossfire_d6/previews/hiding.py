"""The preview of hiding from an enemy: both pools and the exact odds."""

from msgspec.structs import replace

from service.engine.battle.state import scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_of
from service.engine.ruleset.definition import Preview
from service.rulesets.crossfire_d6.actions import Hide
from service.rulesets.crossfire_d6.deciding.hiding import require_hide
from service.rulesets.crossfire_d6.fighters import suppression_against
from service.rulesets.crossfire_d6.previews.facts import Facts
from service.rulesets.crossfire_d6.rules.odds import hide_odds
from service.rulesets.crossfire_d6.state import BattleState


def preview_hide(asker: Asker[BattleState], action: Hide) -> Preview:
    """The preview of hiding. Raises Refused as deciding it would."""
    view = asker.view
    hider, aggressor = require_hide(view, action)
    options = view.rule.options
    facts = Facts(
        suppression=suppression_against(hider, aggressor.id, options), pool=hider.agi_pool
    )
    if not knows_numbers(aggressor, scope_of(view.rule), asker.viewer):
        return Preview(legal=True, facts=facts, unknown=("against_pool",))
    facts = replace(facts, against_pool=aggressor.int_pool)
    success = hide_odds(hider.agi_pool, aggressor.int_pool, tie_succeeds=options.hide_tie_succeeds)
    odds = (odds_of("success", success), odds_of("failure", 1 - success))
    return Preview(legal=True, facts=facts, odds=odds)
