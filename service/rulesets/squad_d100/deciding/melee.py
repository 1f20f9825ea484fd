"""Blows hand to hand: allowed on what the asker knows, then struck."""

from typing import NamedTuple

from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.breakdown import Modifier, total
from service.rulesets.squad_d100.actions import MeleeAttack
from service.rulesets.squad_d100.attack_effects import AttackResolved, Detail
from service.rulesets.squad_d100.deciding.aim import (
    require_cell,
    require_shot_line,
    require_target,
)
from service.rulesets.squad_d100.deciding.hits import (
    Means,
    armour_test,
    hurt_by_hit,
    rule_on,
)
from service.rulesets.squad_d100.deciding.magazines import attack_begins, use_phase
from service.rulesets.squad_d100.deciding.phases import (
    acting,
    begin_shooting,
    require_shooting_phase,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.halves import SQ_ROUND_1
from service.rulesets.squad_d100.rules.melee import (
    SQ_MELEE_1,
    SQ_MELEE_2,
    melee_damage,
    melee_outcome,
    melee_threshold,
    require_in_reach,
)
from service.rulesets.squad_d100.rules.shots import D100, gm_line, outcome_rule
from service.rulesets.squad_d100.state import BattleState, Combatant, current


class Blow(NamedTuple):
    """A blow about to be struck: at whom, how far away, and what the roll is made of."""

    attacker: Combatant
    target: Combatant
    distance: int
    threshold: int
    breakdown: tuple[Modifier, ...]

    @property
    def means(self) -> Means:
        """What a hit does: bare hands, as strong as one is."""
        attacker = self.attacker
        return Means(
            attacker.melee_ap,
            melee_damage(attacker.strength),
            attacker=attacker.id,
            damage_rule=SQ_MELEE_2,
        )


def strike(resolution: Resolution, action: MeleeAttack) -> None:
    """The effects of a blow."""
    require_blow(resolution.view, action)
    effects = resolution.effects
    begin_shooting(effects, action.combatant)
    use_phase(effects, action.combatant)
    attack_begins(effects, action.combatant)
    _resolve(resolution, blow_of(effects.rule, action))
    settle(effects)


def require_blow(view: State[BattleState], action: MeleeAttack) -> Blow:
    """All preconditions of a blow (2.3). Raises Refused with the code of the first that fails."""
    attacker = acting(view.rule, action.combatant)
    require_shooting_phase(view, attacker)
    cell = require_cell(require_target(view.rule, attacker, action.target))
    blow = blow_of(view.rule, action)
    require_in_reach(blow.distance, view.rule.options.melee_reach)
    require_shot_line(view.rule, ground_of(view), attacker, cell)
    return blow


def blow_of(rule: BattleState, action: MeleeAttack) -> Blow:
    """A blow as the battle stands."""
    attacker, target = existing(rule, action.combatant), existing(rule, action.target)
    gm = gm_line(action.added)
    away = distance(cell_of(attacker), cell_of(target), rule.options.distance_metric)
    return Blow(
        attacker,
        target,
        away,
        melee_threshold(current(attacker, "agi"), current(attacker, "acc")),
        () if gm is None else (gm,),
    )


def _resolve(resolution: Resolution, blow: Blow) -> None:
    """The roll, and what a hit does."""
    effects = resolution.effects
    rule, attacker, target = effects.rule, blow.attacker, blow.target
    stream = stream_for(rule, attacker.id, target.id)
    roll = resolution.dice.roll(1, D100, "attack", stream=stream, combatant=attacker.id)
    pool = total(blow.breakdown)
    outcome = melee_outcome(
        roll.total,
        pool,
        blow.threshold,
        rule.options.crit_success_max,
        equal_hits=rule.options.melee_equal_hits,
    )
    detail = Detail(
        attacker=attacker.id,
        mode="melee",
        rounds=0,
        distance=blow.distance,
        roll=roll,
        breakdown=blow.breakdown,
        pool=pool,
        result=roll.total + pool,
        threshold=blow.threshold,
        ap_class=attacker.melee_ap,
        rules=(SQ_MELEE_1, SQ_ROUND_1, outcome_rule(outcome)),
    )
    if outcome not in ("hit", "critical_success"):
        effects.emit(AttackResolved(target=target.id, outcome=outcome, detail=detail))
        return
    is_critical = outcome == "critical_success"
    ruling = rule_on(rule.options, blow.means, target, roll.total, is_critical=is_critical)
    detail = replace(detail, armour=armour_test(blow.means, target, ruling))
    effects.emit(AttackResolved(target=target.id, outcome=outcome, detail=detail))
    hurt_by_hit(resolution, blow.means, attacker.id, target.id, ruling)
