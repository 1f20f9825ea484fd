"""Detection: by itself along every way (ML-MASK-9), and by dice at the end of movement.

How this works. A hidden warrior detects nobody, and no die is rolled for his sake, be he the one
who would detect or masked himself; what takes masking from him only his own side learns.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.kit.streams import stream_for
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.occupancy import base_of, enemies_of, may_detect, spot_of
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.rules.detection import (
    ML_MASK_10,
    ML_MASK_11,
    ML_MASK_13,
    Searcher,
    detection_result,
    is_detected,
    is_detected_on_way,
    is_out_of_reach,
    is_sought_in_the_open,
    may_detect_for_mover,
    nearest_searcher,
)
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_masked,
    is_on_table,
    is_steady,
)

D6 = 6


def detect_on_way(
    effects: BattleEffects, combatant: str, way: Sequence[Spot], *, detects: bool = True
) -> None:
    """Automatic detection along the way of a warrior: by it, unless it flees, and of it.

    `way` are the points of its movement, the first one where it stood before.
    """
    rule, mover = effects.rule, existing(effects.rule, combatant)
    if detects:
        for enemy in found_on_way(rule, mover, way):
            lose_mask(effects, enemy.id, "detected_auto", by=mover.id)
    finder = finder_on_way(rule, mover, way) if is_masked(mover) else None
    if finder is not None:
        lose_mask(effects, mover.id, "detected_auto", by=finder.id)


def found_on_way(rule: BattleState, mover: Combatant, way: Sequence[Spot]) -> tuple[Combatant, ...]:
    """The masked enemies whom a warrior detects along a way, in upload order."""
    measure, radius = rule.options.measure, mover.base_radius
    if not may_detect(mover):
        return ()
    return tuple(
        each
        for each in enemies_of(rule, mover.side)
        if is_masked(each)
        and is_detected_on_way(way, radius, base_of(each), mover.mobility, measure)
    )


def finder_on_way(rule: BattleState, mover: Combatant, way: Sequence[Spot]) -> Combatant | None:
    """The first alert enemy within whose Mobility a way leads, if there is one."""
    measure, radius = rule.options.measure, mover.base_radius
    for enemy in enemies_of(rule, mover.side):
        if may_detect(enemy) and is_detected_on_way(
            way, radius, base_of(enemy), enemy.mobility, measure
        ):
            return enemy
    return None


def is_asked_before_shots(battle: State[BattleState]) -> bool:
    """Whether automatic detection is asked of the way to a point before a guard shoots there."""
    is_asked = battle.terms.read_as(Readings).before_shot
    return is_asked(battle.rule.options.detect_on_path)


def rallied(effects: BattleEffects, combatant: str) -> None:
    """Whoever has rallied, or has become known, detects masked enemies near it at once."""
    warrior = existing(effects.rule, combatant)
    detect_on_way(effects, combatant, (spot_of(warrior),))


def at_end_of_movement(resolution: Resolution) -> None:
    """The detection rolls when the active unit's movement ends.

    Those of the other side for members who approached in the open come first, then those of the
    active side for each enemy unit with masked warriors, in the order of entry.
    """
    for search in searches(resolution.rule):
        _roll(resolution, search)


class Search(NamedTuple):
    """Who could detect, and who of them is told by which rule; the masked whom it is about."""

    rule: str
    searchers: tuple[Searcher, ...]
    masked: tuple[Combatant, ...]


def searches(rule: BattleState) -> tuple[Search, ...]:
    """The searches at the end of the active unit's movement, in the order of rolling.

    No roll changes what another is about: each is for masked warriors of another unit.
    """
    masked = [each for each in rule.combatants if is_masked(each) and _may_be_sought(each)]
    if rule.turn_unit is UNSET or not masked:
        return ()
    enemies = [each for each in rule.combatants if each.side != rule.turn_side and may_detect(each)]
    approaching = tuple(
        each
        for each in masked
        if each.unit == rule.turn_unit
        and is_sought_in_the_open(
            is_masked=is_masked(each), is_approaching="approaching" in each.conditions
        )
    )
    searchers = _searchers_of_side(rule, rule.turn_unit)
    return (
        Search(ML_MASK_11, _searchers(enemies), approaching),
        *(
            Search(ML_MASK_10, searchers, tuple(each for each in masked if each.unit == unit.id))
            for unit in rule.units
            if unit.side != rule.turn_side
        ),
    )


def _searchers_of_side(rule: BattleState, active: str) -> tuple[Searcher, ...]:
    """Who of the active side may detect; nobody if none of the active unit has moved."""
    able = [each for each in rule.combatants if each.side == rule.turn_side and not each.hidden]
    if not any(each.unit == active and each.moved and is_steady(each) for each in able):
        return ()
    return _searchers(
        [
            each
            for each in able
            if may_detect_for_mover(
                is_of_active_unit=each.unit == active,
                is_steady=is_steady(each),
                detection_from=rule.options.detection_from,
            )
        ]
    )


def _may_be_sought(warrior: Combatant) -> bool:
    return is_on_table(warrior) and not warrior.hidden


def _searchers(warriors: Sequence[Combatant]) -> tuple[Searcher, ...]:
    return tuple(
        Searcher(each.id, base_of(each), each.mobility, order)
        for order, each in enumerate(warriors)
    )


def _roll(resolution: Resolution, search: Search) -> None:
    """One detection roll, if there is anybody to roll and anybody to find."""
    measure = resolution.rule.options.measure
    bases = [base_of(each) for each in search.masked]
    searcher = nearest_searcher(search.searchers, bases, measure)
    if searcher is None:
        return
    if is_out_of_reach(searcher, bases, measure):
        _tell_out_of_reach(resolution.effects, search, searcher)
        return
    stream = stream_for(resolution.rule, searcher.id)
    roll = resolution.dice.roll(1, D6, "detection", stream=stream, combatant=searcher.id)
    result = detection_result(roll.total, searcher.mobility)
    detected = [
        each.id
        for each in search.masked
        if is_detected(result, searcher.base, base_of(each), measure)
    ]
    resolution.effects.emit(
        own.CheckResolved(
            rule=search.rule,
            check="detection",
            combatant=searcher.id,
            outcome="success" if detected else "failure",
            roll=roll,
            base=searcher.mobility,
            total=result,
            tested=_tested(search, detected),
        )
    )
    for each in detected:
        lose_mask(resolution.effects, each, "detected_roll", by=searcher.id)


def _tell_out_of_reach(effects: BattleEffects, search: Search, searcher: Searcher) -> None:
    effects.emit(
        own.CheckResolved(
            rule=ML_MASK_13,
            check="detection",
            combatant=searcher.id,
            outcome="out_of_reach",
            base=searcher.mobility,
            tested=_tested(search, ()),
        )
    )


def _tested(search: Search, detected: Sequence[str]) -> tuple[own.Tested, ...]:
    return tuple(own.Tested(target=each.id, detected=each.id in detected) for each in search.masked)
