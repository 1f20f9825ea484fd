"""The preview of a throw: its roll, and whom its blast may reach of those the caller knows of."""

from collections import Counter
from functools import lru_cache, partial
from typing import Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.kit.previews import Asker, odds_by_count
from service.engine.ruleset.definition import Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import total
from service.rulesets.squad_d100.actions import ThrowGrenade
from service.rulesets.squad_d100.deciding.blasts import reached
from service.rulesets.squad_d100.deciding.throws import landing_of, require_throw
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.previews.facts import Facts, ForeseenShot, ForeseenVictim
from service.rulesets.squad_d100.previews.shots import (
    armoured,
    known_armour,
    may_see_breakdown,
    outcome_odds,
)
from service.rulesets.squad_d100.rules.aim import throw_breakdown
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.grenades import D8, throw_outcome
from service.rulesets.squad_d100.rules.odds import (
    ZONES,
    Armoured,
    OutcomeOf,
    hit_chances,
    zone_of_hit,
)
from service.rulesets.squad_d100.rules.shots import D100, is_critical_success
from service.rulesets.squad_d100.state import BattleState, Combatant, current, is_kneeling
from service.rulesets.squad_d100.weapons import Grenade

View = State[BattleState]
"""The battle as somebody may know it."""

_CASES: Final = D100 * D8

Tally = dict[Cell, Counter[str]]
"""How many cases of d100 and d8 end how, by where the grenade comes down."""


class _Scatter(NamedTuple):
    """The cases of a throw, whom each landing reaches, and the tallies made so far."""

    cases: Counter[tuple[Cell, int]]
    struck: dict[Cell, frozenset[str]]
    tallies: dict[Armoured | None, Tally]


def preview_throw(asker: Asker[BattleState], action: ThrowGrenade) -> Preview:
    """The preview of a throw. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    thrower, grenade = require_throw(view, action)
    breakdown = throw_breakdown(is_kneeling=is_kneeling(thrower), gm_modifier=action.added)
    threshold = current(thrower, "acc")
    outcome_of = partial(
        throw_outcome,
        modifiers=total(breakdown),
        accuracy=threshold,
        crit_success_max=view.rule.options.crit_success_max,
    )
    chances = hit_chances(outcome_of, None)
    cell = (action.cell.x, action.cell.y)
    foreseen = ForeseenShot(
        mode="throw",
        cell=action.cell,
        item=grenade.id,
        rounds=0,
        distance=distance(cell_of(thrower), cell, view.rule.options.distance_metric),
        pool=total(breakdown),
        threshold=threshold,
        ap_class=grenade.ap_class,
        damage=grenade.damage,
        odds=outcome_odds(chances),
    )
    if may_see_breakdown(view, thrower, viewer):
        foreseen = replace(foreseen, breakdown=breakdown)
    facts = Facts(
        shots=(foreseen,),
        victims=_victims(view, grenade, cell, outcome_of, viewer) or UNSET,
        rounds_left={grenade.id: grenade.count - 1},
    )
    return Preview(legal=True, facts=facts, odds=outcome_odds(chances))


def _victims(
    view: View, grenade: Grenade, cell: Cell, outcome_of: OutcomeOf, viewer: Viewer
) -> tuple[ForeseenVictim, ...]:
    """Everybody whom the blast may reach, wherever the grenade may come down.

    What the cases of one landing come to is counted once for all who have the same armour.
    """
    cases = _landings(view, cell, outcome_of)
    tallies: dict[Armoured | None, Tally] = {}
    ground = ground_of(view)
    struck = {
        landing: frozenset(reached(view.rule, ground, landing, grenade.radius))
        for landing in {landing for landing, _ in cases}
    }
    in_danger = frozenset().union(*struck.values())
    return tuple(
        _victim(view, combatant, grenade, _Scatter(cases, struck, tallies), viewer)
        for combatant in view.rule.combatants
        if combatant.id in in_danger
    )


def _landings(view: View, cell: Cell, outcome_of: OutcomeOf) -> Counter[tuple[Cell, int]]:
    """Where the grenade comes down by which natural die, with the cases of d100 and d8 for each."""
    ground = ground_of(view)
    cases: Counter[tuple[Cell, int]] = Counter()
    for natural in range(1, D100 + 1):
        if outcome_of(natural) in ("hit", "critical_success"):
            cases[cell, natural] += D8
            continue
        for direction in range(1, D8 + 1):
            cases[landing_of(ground, cell, natural, direction), natural] += 1
    return cases


def _victim(
    view: View, combatant: Combatant, grenade: Grenade, scatter: _Scatter, viewer: Viewer
) -> ForeseenVictim:
    classes = armoured(view, grenade.ap_class, combatant.id, viewer)
    tally = scatter.tallies.get(classes)
    if tally is None:
        tally = _tally(scatter.cases, classes, view.rule.options.crit_success_max)
        scatter.tallies[classes] = tally
    words = ("reached",) if classes is None else ZONES
    reaching = [tally[landing] for landing, ids in scatter.struck.items() if combatant.id in ids]
    counts = {word: sum(each[word] for each in reaching) for word in words}
    counts["unreached"] = _CASES - sum(counts.values())
    return ForeseenVictim(
        target=combatant.id,
        armour_class=known_armour(view, combatant.id, viewer),
        odds=odds_by_count(counts.items(), _CASES),
    )


def _tally(
    cases: Counter[tuple[Cell, int]], classes: Armoured | None, crit_success_max: int
) -> Tally:
    """What the cases of each landing come to for somebody of these classes whom it reaches."""
    endings = _endings(classes, crit_success_max)
    tally: Tally = {}
    for (landing, natural), times in cases.items():
        tally.setdefault(landing, Counter())[endings[natural - 1]] += times
    return tally


@lru_cache(maxsize=256)
def _endings(classes: Armoured | None, crit_success_max: int) -> tuple[str, ...]:
    """What each natural die does to somebody whom the blast reaches, as far as that is known."""
    if classes is None:
        return ("reached",) * D100
    return tuple(
        zone_of_hit(face, classes, is_critical=is_critical_success(face, crit_success_max))
        for face in range(1, D100 + 1)
    )
