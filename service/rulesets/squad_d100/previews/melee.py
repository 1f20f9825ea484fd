"""The preview of a blow: its one roll, and what a hit does."""

from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import Preview
from service.engine.vocabulary.breakdown import total
from service.rulesets.squad_d100.actions import MeleeAttack
from service.rulesets.squad_d100.deciding.melee import require_blow
from service.rulesets.squad_d100.previews.facts import Facts, ForeseenShot
from service.rulesets.squad_d100.previews.shots import (
    armoured,
    fall_of,
    foreseen_falls,
    known_armour,
    may_see_breakdown,
    outcome_odds,
    pool_of,
    zone_odds,
)
from service.rulesets.squad_d100.rules.melee import melee_outcome
from service.rulesets.squad_d100.rules.odds import hit_chances, round_chances
from service.rulesets.squad_d100.state import BattleState


def preview_blow(asker: Asker[BattleState], action: MeleeAttack) -> Preview:
    """The preview of a blow. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    blow = require_blow(view, action)
    options, target, means = view.rule.options, blow.target.id, blow.means
    outcome_of = partial(
        melee_outcome,
        modifiers=total(blow.breakdown),
        threshold=blow.threshold,
        crit_success_max=options.crit_success_max,
        equal_hits=options.melee_equal_hits,
    )
    chances = hit_chances(outcome_of, armoured(view, means.ap_class, target, viewer))
    foreseen = ForeseenShot(
        mode="melee",
        target=target,
        rounds=0,
        distance=blow.distance,
        pool=total(blow.breakdown),
        threshold=blow.threshold,
        ap_class=means.ap_class,
        armour_class=known_armour(view, target, viewer),
        damage=means.damage,
        odds=outcome_odds(chances),
        zones=zone_odds(chances) or UNSET,
    )
    if may_see_breakdown(view, blow.attacker, viewer):
        foreseen = replace(foreseen, breakdown=blow.breakdown)
    one = round_chances(chances, pool_of(means.damage))
    fall = fall_of(view, target, None if one is None else (one,), viewer)
    facts = Facts(shots=(foreseen,), felled=foreseen_falls({target: fall}))
    return Preview(legal=True, facts=facts, odds=outcome_odds(chances))
