"""Pushes: warriors whom an effect moves by force (ML-MOVE-8)."""

from service.engine.battle.roster import existing
from service.engine.geometry.segments import Spot
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.movements import after_movement, is_mask_lost_there
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import base_of, others_on_table, spot_of
from service.rulesets.melody_d6.rules.movement import ML_MOVE_8, Base, can_stand, pushed_to
from service.rulesets.melody_d6.state import is_on_table


def push(resolution: Resolution, combatant: str, origin: Spot, distance: int) -> bool:
    """A warrior is pushed away from an origin, if it can be; whether it has moved.

    It leaves its guard; no window is opened for it.
    """
    effects, rule = resolution.effects, resolution.rule
    target = existing(rule, combatant)
    start = spot_of(target)
    end = pushed_to(start, origin, distance)
    others = [base_of(each) for each in others_on_table(rule, target)]
    ground = ground_of(rule, resolution.blobs)
    if (
        not is_on_table(target)
        or end == start
        or not can_stand(Base(end, target.base_radius), ground, others)
    ):
        return False
    there = Place(x=end[0], y=end[1])
    effects.emit(
        fx.Moved(
            rule=ML_MOVE_8,
            combatant=combatant,
            manner="push",
            start=target.place,
            path=(there,),
            end=there,
            cost=distance,
        )
    )
    leave_guard(effects, combatant, "forced")
    if is_mask_lost_there(resolution.rule, resolution.blobs, combatant, end):
        lose_mask(effects, combatant, "left_cover")
    after_movement(resolution, combatant, (start, end))
    return True
