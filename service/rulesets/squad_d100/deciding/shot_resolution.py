"""One shot from its die to the last explosion that it sets off (section 5, order of a shot).

How this works. The asker's view has allowed the shot; here it happens in the battle as it is. A
round is wasted, without a die, if its target is down or gone by now, if the shooter is, or if
somebody suppresses that way of whom the shooter does not know. Dice go to those who may know of the
shooter and of the target.
"""

from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.breakdown import Modifier, total
from service.engine.vocabulary.values import Place, Roll
from service.rulesets.squad_d100.attack_effects import AttackResolved, Detail, ResolvedOutcome
from service.rulesets.squad_d100.deciding.aim import Mark, Volley, require_weapon
from service.rulesets.squad_d100.deciding.arcs import is_arc_barred
from service.rulesets.squad_d100.deciding.explosions import set_off
from service.rulesets.squad_d100.deciding.hits import (
    Means,
    armour_test,
    hurt_by_hit,
    rule_on,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.readings import Readings
from service.rulesets.squad_d100.rules.aim import Circumstances, is_covered, shot_breakdown
from service.rulesets.squad_d100.rules.armour import ArmourRuling
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.ground import Ground, terrain_at
from service.rulesets.squad_d100.rules.lines import cells_between
from service.rulesets.squad_d100.rules.shots import (
    D100,
    SQ_SHOOT_9,
    Outcome,
    Waste,
    outcome_rule,
    shot_outcome,
    threshold_of,
    threshold_rules,
    waste_of,
)
from service.rulesets.squad_d100.rules.suppression import SQ_SUP_4
from service.rulesets.squad_d100.state import BattleState, Combatant, current, is_down, is_kneeling
from service.rulesets.squad_d100.weapons import Weapon


class Weight(NamedTuple):
    """What a roll to hit is made of: the distance, its modifiers and its threshold."""

    distance: int
    breakdown: tuple[Modifier, ...]
    threshold: int


class Rolled(NamedTuple):
    """A die that was rolled for a mark, and how that ended; `weight` is None of suppression."""

    roll: Roll
    outcome: Outcome
    rules: tuple[str, ...]
    weight: Weight | None = None
    rounds: int = 1


def weigh(
    battle: State[BattleState], volley: Volley, shooter: Combatant, weapon: Weapon, mark: Mark
) -> Weight:
    """The modifiers and the threshold of one shot, as the battle stands."""
    rule = battle.rule
    ground, here = ground_of(battle), cell_of(shooter)
    target = None if mark.target is None else existing(rule, mark.target)
    away = distance(here, mark.cell, rule.options.distance_metric)
    circumstances = Circumstances(
        manner=volley.manner,
        weapon=weapon.kind,
        distance=away,
        is_shooter_kneeling=is_kneeling(shooter),
        is_target_kneeling=target is not None and is_kneeling(target),
        is_target_in_cover=target is not None and is_in_cover(rule, ground, here, mark.cell),
        gm_modifier=volley.gm_modifier,
    )
    return Weight(
        away,
        shot_breakdown(circumstances, rule.options.aimed_modifiers),
        threshold_of(current(shooter, "acc"), is_dual=volley.is_dual),
    )


def is_in_cover(rule: BattleState, ground: Ground, here: Cell, there: Cell) -> bool:
    """Whether whoever stands `there` is in cover from `here`, as the table wants it."""
    options = rule.options
    beside: list[str] = []
    if options.cover_mode == "line":
        beside = [
            terrain_at(ground, cell)
            for cell in cells_between(here, there)
            if distance(cell, there, options.distance_metric) == 1
        ]
    return is_covered(terrain_at(ground, there), beside)


def fire(
    resolution: Resolution, volley: Volley, shot: tuple[str, Mark], *, rounds: int = 1
) -> None:
    """One roll of a volley, with everything that follows from it; its rounds are spent already."""
    effects = resolution.effects
    rule, (weapon_id, mark) = effects.rule, shot
    shooter = existing(rule, volley.shooter)
    weapon = require_weapon(shooter, weapon_id)
    why = waste(effects.state, volley, shooter, mark)
    if why is not None:
        emit_wasted(effects, volley, weapon_id, mark, why, rounds=rounds)
        return
    weight = weigh(effects.state, volley, shooter, weapon, mark)
    stream = stream_for(rule, shooter.id, *(() if mark.target is None else (mark.target,)))
    roll = resolution.dice.roll(1, D100, "attack", stream=stream, combatant=shooter.id)
    outcome = shot_outcome(
        roll.total, total(weight.breakdown), weight.threshold, rule.options.crit_success_max
    )
    rules = (*threshold_rules(volley.manner, is_dual=volley.is_dual), outcome_rule(outcome))
    resolve(resolution, volley, weapon, mark, Rolled(roll, outcome, rules, weight, rounds))


def waste(
    battle: State[BattleState], volley: Volley, shooter: Combatant, mark: Mark
) -> Waste | None:
    """Why a round is wasted as the battle stands, if it is."""
    target = None if mark.target is None else combatant_of(battle.rule, mark.target)
    is_own_turn = not volley.is_reaction
    return waste_of(
        is_shooter_down=is_down(shooter),
        is_target_gone=is_gone(battle, mark),
        is_arc_barred=(is_own_turn or battle.terms.read_as(Readings).is_reaction_wasted)
        and is_arc_barred(battle.rule, shooter, target, mark.cell, due_only=is_own_turn),
    )


def is_gone(battle: State[BattleState], mark: Mark) -> bool:
    """Whether a target is down by now, or an object is no more."""
    if mark.target is not None:
        return is_down(existing(battle.rule, mark.target))
    terrain = terrain_at(ground_of(battle), mark.cell)
    return terrain not in ("explosive_cargo", "fuel")


def resolve(
    resolution: Resolution, volley: Volley, weapon: Weapon, mark: Mark, rolled: Rolled
) -> None:
    """How a rolled shot ends, and all that it does."""
    effects = resolution.effects
    rule = effects.rule
    is_hit = rolled.outcome in ("hit", "critical_success")
    target = None if mark.target is None else existing(rule, mark.target)
    means = Means(
        weapon.ap_class,
        weapon.damage,
        attacker=volley.shooter,
        item=weapon.id,
        is_burning=weapon.burning,
    )
    ruling: ArmourRuling | None = None
    if is_hit and target is not None:
        is_critical = rolled.outcome == "critical_success"
        ruling = rule_on(rule.options, means, target, rolled.roll.total, is_critical=is_critical)
    detail = _detail(rule, volley, weapon, mark, rolled)
    if ruling is not None and target is not None:
        detail = replace(detail, armour=armour_test(means, target, ruling))
    effects.emit(_resolved(mark, rolled.outcome, detail))
    if ruling is not None and target is not None:
        hurt_by_hit(resolution, means, volley.shooter, target.id, ruling)
    elif is_hit:
        set_off(resolution, (mark.cell,))


def emit_wasted(
    effects: BattleEffects,
    volley: Volley,
    weapon: str,
    mark: Mark,
    why: Waste,
    *,
    rounds: int,
    roll: Roll | UnsetType = UNSET,
) -> None:
    """Rounds fired in vain; `roll` where their die was drawn before that was known."""
    rule = effects.rule
    here = cell_of(existing(rule, volley.shooter))
    detail = Detail(
        attacker=volley.shooter,
        item=weapon,
        mode=volley.manner,
        reaction=volley.is_reaction,
        rounds=rounds,
        distance=distance(here, mark.cell, rule.options.distance_metric),
        roll=roll,
        rules=(SQ_SUP_4 if why == "suppressed_arc" else SQ_SHOOT_9,),
        why=why,
    )
    effects.emit(_resolved(mark, "wasted", detail))


def _resolved(mark: Mark, outcome: ResolvedOutcome, detail: Detail) -> AttackResolved:
    x, y = mark.cell
    return AttackResolved(
        target=UNSET if mark.target is None else mark.target,
        place=UNSET if mark.target is not None else Place(x=x, y=y),
        outcome=outcome,
        detail=detail,
    )


def _detail(
    rule: BattleState, volley: Volley, weapon: Weapon, mark: Mark, rolled: Rolled
) -> Detail:
    here = cell_of(existing(rule, volley.shooter))
    detail = Detail(
        attacker=volley.shooter,
        item=weapon.id,
        mode=volley.manner,
        reaction=volley.is_reaction,
        rounds=rolled.rounds,
        distance=distance(here, mark.cell, rule.options.distance_metric),
        roll=rolled.roll,
        ap_class=UNSET if mark.target is None else weapon.ap_class,
        rules=rolled.rules,
    )
    if rolled.weight is None:
        return detail
    pool = total(rolled.weight.breakdown)
    return replace(
        detail,
        breakdown=rolled.weight.breakdown,
        pool=pool,
        result=rolled.roll.total + pool,
        threshold=rolled.weight.threshold,
    )
