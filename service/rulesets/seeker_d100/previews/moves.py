"""The preview of a movement: its length, and the odds of the test that it may need."""

from service.engine.battle.roster import existing
from service.engine.kit.previews import Asker, odds_by_count
from service.engine.ruleset.definition import Preview
from service.rulesets.seeker_d100.actions import Move
from service.rulesets.seeker_d100.deciding.moves import require_move, weigh_movement
from service.rulesets.seeker_d100.facts import Facts, weighed
from service.rulesets.seeker_d100.previews.percentile_odds import check_odds
from service.rulesets.seeker_d100.rules.movement import longest_way_m
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import BattleState


def preview_move(asker: Asker[BattleState], action: Move) -> Preview:
    """The preview of a movement, and of its test. Raises Refused as deciding it would."""
    view = asker.view
    length_m = require_move(view.rule, action)
    facts = Facts(length_m=length_m, budget_m=longest_way_m(action.gait), end=action.path[-1])
    weight = weigh_movement(existing(view.rule, action.combatant), action)
    if weight is None:
        return Preview(legal=True, facts=facts)
    odds = check_odds(weight.chance, doubles=view.rule.options.doubles)
    counts = (
        ("fumble", odds.fumble),
        ("failure", odds.failure),
        ("success", odds.success),
        ("critical", odds.critical),
    )
    facts = weighed(facts, weight)
    return Preview(legal=True, facts=facts, odds=odds_by_count(counts, D100))
