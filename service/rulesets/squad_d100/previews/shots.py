"""The preview of shots: what each roll is made of, and what all of them come to.

How this works. Everything is weighed on what the caller may know, as deciding it would. The roll of
one shot depends on nothing hidden; how several end does, since a target that is down is shot at no
more: then what is hidden is named in `unknown`, and there are no odds.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_by_count, odds_of
from service.engine.ruleset.definition import Odds, Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import total
from service.rulesets.squad_d100.actions import Suppress
from service.rulesets.squad_d100.deciding.aim import Mark, Volley, require_weapon
from service.rulesets.squad_d100.deciding.hits import armour_options
from service.rulesets.squad_d100.deciding.shot_resolution import Weight, weigh
from service.rulesets.squad_d100.deciding.shots import Shooting, require, rounds_of_roll
from service.rulesets.squad_d100.deciding.suppressive_fire import require_suppression
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.previews.facts import Facts, ForeseenFall, ForeseenShot
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.odds import (
    OUTCOMES,
    ZONES,
    Armoured,
    HitChances,
    OutcomeOf,
    Pool,
    RoundChances,
    VolleyChances,
    hit_chances,
    is_countable,
    round_chances,
    volley_chances,
)
from service.rulesets.squad_d100.rules.shots import D100, shot_outcome
from service.rulesets.squad_d100.rules.suppression import (
    SUPPRESSION_ROUNDS,
    suppression_outcome,
)
from service.rulesets.squad_d100.state import BattleState, Combatant
from service.rulesets.squad_d100.terrain import Cell
from service.rulesets.squad_d100.weapons import Damage, DamageDice, Weapon, rounds_of

View = State[BattleState]
"""The battle as somebody may know it."""


def preview_shots(asker: Asker[BattleState], action: Shooting) -> Preview:
    """The preview of shots. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    volley = require(view, action)
    chances = [_chances(view, volley, shot, viewer) for shot in volley.shots]
    is_burst = volley.manner == "burst"
    shots = volley.shots[:1] if is_burst else volley.shots
    facts = Facts(
        shots=tuple(
            _foreseen(view, volley, shot, chance, viewer)
            for shot, chance in zip(shots, chances, strict=False)
        ),
        rolls=len(volley.shots) if is_burst else UNSET,
        rounds_left=_rounds_left(view, volley),
    )
    shooter = existing(view.rule, volley.shooter)
    pools = [pool_of(require_weapon(shooter, weapon).damage) for weapon, _ in volley.shots]
    targets = _by_target(volley, chances, pools)
    falls = {target: fall_of(view, target, rounds, viewer) for target, rounds in targets.items()}
    facts = replace(facts, felled=foreseen_falls(falls))
    if len(volley.shots) == 1:
        return Preview(legal=True, facts=facts, odds=outcome_odds(chances[0]))
    return _of_several(volley, facts, falls, chances)


def preview_suppression(asker: Asker[BattleState], action: Suppress) -> Preview:
    """The preview of suppressive fire. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    volley = require_suppression(view, action)
    [shot] = volley.shots
    chances = _chances(view, volley, shot, viewer)
    facts = Facts(
        shots=(_foreseen(view, volley, shot, chances, viewer),),
        rolls=SUPPRESSION_ROUNDS,
        rounds_left=_rounds_left(view, volley),
    )
    weapon = require_weapon(existing(view.rule, volley.shooter), shot[0])
    one = round_chances(chances, pool_of(weapon.damage))
    rounds = None if one is None else (one,) * SUPPRESSION_ROUNDS
    fall = fall_of(view, action.target, rounds, viewer)
    if fall is None:
        return Preview(legal=True, facts=facts, unknown=("felled",))
    facts = replace(facts, felled=foreseen_falls({action.target: fall}))
    odds = (odds_of("suppressed", 1 - fall.down), odds_of("felled", fall.down))
    return Preview(legal=True, facts=facts, odds=odds)


def _of_several(
    volley: Volley,
    facts: Facts,
    falls: dict[str, VolleyChances | None],
    chances: Sequence[HitChances],
) -> Preview:
    """The chances of 0, 1, 2 … hits with several rolls."""
    marks = {mark for _, mark in volley.shots}
    if all(mark.target is None for mark in marks) and len(marks) == 1:
        never = Fraction(1)
        for each in chances:
            never *= 1 - Fraction(each.hits, D100)
        return Preview(legal=True, facts=facts, odds=_hit_odds((never, 1 - never)))
    if any(mark.target is None for mark in marks):
        return Preview(legal=True, facts=facts, unknown=("explosions",))
    hits: tuple[Fraction, ...] = (Fraction(1),)
    for fall in falls.values():
        if fall is None:
            return Preview(legal=True, facts=facts, unknown=("felled",))
        hits = _added(hits, fall.hits)
    return Preview(legal=True, facts=facts, odds=_hit_odds(hits))


def _added(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The chances of a sum of two counts, each by its chances."""
    sums = [Fraction(0)] * (len(first) + len(second) - 1)
    for one, chance in enumerate(first):
        for other, further in enumerate(second):
            sums[one + other] += chance * further
    return tuple(sums)


def _hit_odds(hits: Sequence[Fraction]) -> tuple[Odds, ...]:
    return tuple(odds_of(f"hits_{count}", chance) for count, chance in enumerate(hits))


def outcome_odds(chances: HitChances) -> tuple[Odds, ...]:
    """The chances of one roll by its outcome."""
    return odds_by_count(zip(OUTCOMES, chances.outcomes, strict=True), D100)


def zone_odds(chances: HitChances) -> tuple[Odds, ...] | None:
    """The chances of one roll by what it does to the armour, if that is known."""
    if chances.zones is None:
        return None
    counts = (*zip(ZONES, chances.zones, strict=True), ("no_hit", D100 - chances.hits))
    return odds_by_count(counts, D100)


def _chances(view: View, volley: Volley, shot: tuple[str, Mark], viewer: Viewer) -> HitChances:
    weapon_id, mark = shot
    weapon = require_weapon(existing(view.rule, volley.shooter), weapon_id)
    most = view.rule.options.crit_success_max
    outcome_of: OutcomeOf
    if volley.manner == "suppression":
        outcome_of = partial(suppression_outcome, crit_success_max=most)
    else:
        weight = _weight(view, volley, weapon, mark)
        outcome_of = partial(
            shot_outcome,
            modifiers=total(weight.breakdown),
            threshold=weight.threshold,
            crit_success_max=most,
        )
    return hit_chances(outcome_of, armoured(view, weapon.ap_class, mark.target, viewer))


def armoured(view: View, ap_class: int, target: str | None, viewer: Viewer) -> Armoured | None:
    """The classes that meet in a hit on a target, if there is one and its armour is known."""
    if target is None:
        return None
    victim = existing(view.rule, target)
    if not knows_numbers(victim, scope_of(view.rule), viewer):
        return None
    return Armoured(ap_class, victim.armour_class, armour_options(view.rule.options))


def _weight(view: View, volley: Volley, weapon: Weapon, mark: Mark) -> Weight:
    shooter = existing(view.rule, volley.shooter)
    return weigh(view, volley, shooter, weapon, mark)


def _foreseen(
    view: View, volley: Volley, shot: tuple[str, Mark], chances: HitChances, viewer: Viewer
) -> ForeseenShot:
    weapon_id, mark = shot
    shooter = existing(view.rule, volley.shooter)
    weapon = require_weapon(shooter, weapon_id)
    is_suppression = volley.manner == "suppression"
    metric = view.rule.options.distance_metric
    foreseen = ForeseenShot(
        mode=volley.manner,
        target=UNSET if mark.target is None else mark.target,
        cell=UNSET if mark.target is not None else Cell(x=mark.cell[0], y=mark.cell[1]),
        item=weapon_id,
        rounds=1 if is_suppression else rounds_of_roll(volley),
        distance=distance(cell_of(shooter), mark.cell, metric),
        odds=outcome_odds(chances),
    )
    if not is_suppression:
        weight = _weight(view, volley, weapon, mark)
        foreseen = replace(foreseen, pool=total(weight.breakdown), threshold=weight.threshold)
        if may_see_breakdown(view, shooter, viewer):
            foreseen = replace(foreseen, breakdown=weight.breakdown)
    if mark.target is None:
        return foreseen
    return replace(
        foreseen,
        ap_class=weapon.ap_class,
        damage=weapon.damage,
        armour_class=known_armour(view, mark.target, viewer),
        zones=zone_odds(chances) or UNSET,
    )


def known_armour(view: View, target: str, viewer: Viewer) -> int | UnsetType:
    """The armour class of a combatant, if the viewer may know it."""
    victim = existing(view.rule, target)
    is_known = knows_numbers(victim, scope_of(view.rule), viewer)
    return victim.armour_class if is_known else UNSET


def may_see_breakdown(view: View, attacker: Combatant, viewer: Viewer) -> bool:
    """Whether the viewer is told the modifiers of a combatant's rolls."""
    return viewer.may_know(scope_of(view.rule).declared("breakdown", attacker.side))


def pool_of(damage: Damage) -> Pool:
    """Damage as its chances are counted."""
    if isinstance(damage, DamageDice):
        return (damage.count, damage.sides, damage.bonus)
    return (0, 1, damage)


def _by_target(
    volley: Volley, chances: Sequence[HitChances], pools: Sequence[Pool]
) -> dict[str, list[RoundChances] | None]:
    """The rounds at each target, in the order of firing; None where its armour is not known."""
    rounds: dict[str, list[RoundChances] | None] = {}
    for (_, mark), chance, pool in zip(volley.shots, chances, pools, strict=True):
        if mark.target is None:
            continue
        one, before = round_chances(chance, pool), rounds.setdefault(mark.target, [])
        if one is None or before is None:
            rounds[mark.target] = None
        else:
            before.append(one)
    return rounds


def fall_of(
    view: View, target: str, rounds: Sequence[RoundChances] | None, viewer: Viewer
) -> VolleyChances | None:
    """What rounds come to for a target; None where the viewer may not know of it."""
    victim = existing(view.rule, target)
    knows_health = viewer.may_know(scope_of(view.rule).declared("health", victim.side))
    if rounds is None or not knows_health or not is_countable(rounds):
        return None
    return volley_chances(rounds, victim.health)


def foreseen_falls(
    falls: Mapping[str, VolleyChances | None],
) -> tuple[ForeseenFall, ...] | UnsetType:
    """What is known of how targets end; absent if that is nothing."""
    known = [(target, fall) for target, fall in falls.items() if fall is not None]
    return (
        tuple(
            ForeseenFall(
                target=target,
                odds=(odds_of("down", fall.down), odds_of("standing", 1 - fall.down)),
            )
            for target, fall in known
        )
        or UNSET
    )


def _rounds_left(view: View, volley: Volley) -> dict[str, int]:
    shooter = existing(view.rule, volley.shooter)
    return {
        weapon: rounds_of(require_weapon(shooter, weapon)) - rounds
        for weapon, rounds in volley.rounds
    }
