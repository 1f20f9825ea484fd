"""Fleeing: what a warrior loses when it begins, and the way that it takes (ML-PANIC-2, -3)."""

from service.engine.battle.roster import existing
from service.engine.geometry.polygons import is_strictly_inside
from service.engine.geometry.segments import Spot
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.lasting import singer_left, warrior_left
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.movements import after_movement
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.occupancy import base_of, others_on_table, spot_of
from service.rulesets.melody_d6.rules.flight import ML_PANIC_3, Flight, Table, flight
from service.rulesets.melody_d6.rules.movement import Base, overlaps
from service.rulesets.melody_d6.rules.panic import ML_PANIC_2
from service.rulesets.melody_d6.state import BattleState, Combatant, force_of, is_fleeing


def flee(resolution: Resolution, combatant: str) -> None:
    """A warrior on the table begins to flee or goes on: it may leave the table by this."""
    effects = resolution.effects
    if not is_fleeing(existing(effects.rule, combatant)):
        _begin(effects, combatant)
    warrior = existing(effects.rule, combatant)
    way = way_of(effects.rule, ground_of(effects.state), warrior)
    if way.has_left:
        warrior_left(effects, combatant)
        effects.emit(own.Felled(rule=ML_PANIC_3, combatant=combatant, state="fled", cause="panic"))
        return
    _run(resolution, warrior, way.end)


def _begin(effects: BattleEffects, combatant: str) -> None:
    """It flees from now on: guard, masking and its song end, in this order."""
    effects.emit(
        own.ConditionGained(
            rule=ML_PANIC_2, combatant=combatant, condition="fleeing", cause="panic"
        )
    )
    leave_guard(effects, combatant, "panic")
    lose_mask(effects, combatant, "panic")
    singer_left(effects, combatant, "singer_fled")


def _run(resolution: Resolution, warrior: Combatant, end: Spot) -> None:
    """The way to where it stays, if that is another place, and what comes of its end."""
    start = spot_of(warrior)
    if end == start:
        return
    place = Place(x=end[0], y=end[1])
    resolution.effects.emit(
        fx.Moved(
            rule=ML_PANIC_3,
            combatant=warrior.id,
            manner="flight",
            start=warrior.place,
            path=(place,),
            end=place,
            cost=abs(end[0] - start[0]) + abs(end[1] - start[1]),
            cause="panic",
        )
    )
    after_movement(resolution, warrior.id, (start, end))


def way_of(rule: BattleState, ground: Ground, warrior: Combatant) -> Flight:
    """Where a warrior comes to that flees now."""
    others = [base_of(each) for each in others_on_table(rule, warrior)]
    radius = warrior.base_radius
    return flight(
        spot_of(warrior),
        radius,
        warrior.move,
        force_of(rule, warrior.side).home_edge,
        Table(ground.width, ground.height),
        lambda spot: _may_stay(Base(spot, radius), ground, others),
    )


def _may_stay(base: Base, ground: Ground, others: list[Base]) -> bool:
    """Whether one may stand there: on no base, and not within a high feature."""
    return not any(overlaps(base, other) for other in others) and not any(
        each.is_high and is_strictly_inside(each.polygon, base.spot) for each in ground.obstacles
    )
