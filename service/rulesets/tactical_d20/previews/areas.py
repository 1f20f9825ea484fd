"""The preview of an area effect: whom it affects of those the caller knows of, and their saves."""

from functools import partial

from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_of
from service.engine.ruleset.definition import Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import total
from service.rulesets.tactical_d20.actions import AreaAttack
from service.rulesets.tactical_d20.creatures import cover_override_of, lines_of, space_of
from service.rulesets.tactical_d20.deciding.areas import Burst, reached, require_area
from service.rulesets.tactical_d20.ground import ground_of, public_ground
from service.rulesets.tactical_d20.previews.facts import Facts, Foreseen
from service.rulesets.tactical_d20.previews.wounds import at_least_in_area, felled_odds
from service.rulesets.tactical_d20.rules.areas import cover_from, reflex_lines
from service.rulesets.tactical_d20.rules.odds import save_chance
from service.rulesets.tactical_d20.rules.reports import CoverReport
from service.rulesets.tactical_d20.state import BattleState, Combatant

View = State[BattleState]
"""The battle as somebody may know it."""


def preview_area(asker: Asker[BattleState], action: AreaAttack) -> Preview:
    """The preview of an area effect. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    burst = require_area(view, action)
    victims = tuple(
        _foreseen(view, burst, creature, viewer)
        for creature in reached(view.rule, ground_of(view), burst)
    )
    facts = Facts(
        origin=action.origin,
        radius_ft=burst.radius_ft,
        dc=burst.dc,
        damage=burst.damage,
        spread=burst.spread,
        victims=victims,
    )
    unknown = () if all(victim.odds for victim in victims) else ("victims",)
    return Preview(legal=True, facts=facts, unknown=unknown)


def _foreseen(view: View, burst: Burst, creature: Combatant, viewer: Viewer) -> Foreseen:
    foreseen = Foreseen(target=creature.id)
    scope = scope_of(view.rule)
    if not knows_numbers(creature, scope, viewer):
        return foreseen
    cover = _cover(view, burst, creature)
    lines = reflex_lines(cover, spread=burst.spread)
    pool = creature.reflex + total(lines)
    success = save_chance(pool, burst.dc)
    foreseen = replace(
        foreseen,
        base=creature.reflex,
        pool=pool,
        cover=cover,
        odds=(odds_of("success", success), odds_of("failure", 1 - success)),
        felled=felled_odds(
            view, creature, viewer, partial(at_least_in_area, burst.damage, success)
        ),
    )
    if viewer.may_know(scope.declared("breakdown", creature.side)):
        foreseen = replace(foreseen, breakdown=lines)
    return foreseen


def _cover(view: View, burst: Burst, creature: Combatant) -> CoverReport:
    return cover_from(
        public_ground(view),
        burst.origin,
        space_of(creature),
        height_ft=creature.height_ft,
        options=lines_of(view.rule),
        override=cover_override_of(creature, burst.attacker),
    )
