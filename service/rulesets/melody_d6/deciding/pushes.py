"""Pushes: warriors whom an effect moves by force (ML-MOVE-8)."""

from collections.abc import Sequence

from service.engine.battle.roster import existing
from service.engine.geometry.segments import Spot
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.deciding.detection import rallied
from service.rulesets.melody_d6.deciding.discovery import reveal
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.movements import after_movement, is_mask_lost_there
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import base_of, others_on_table, spot_of
from service.rulesets.melody_d6.rules.movement import (
    ML_MOVE_8,
    Base,
    can_stand,
    overlaps,
    pushed_to,
)
from service.rulesets.melody_d6.state import Combatant, is_on_table


def push(resolution: Resolution, combatant: str, origin: Spot, distance: int) -> bool:
    """A warrior is pushed away from an origin, if it can be; whether it has moved.

    It leaves its guard; no window is opened for it.
    """
    effects, rule = resolution.effects, resolution.rule
    target = existing(rule, combatant)
    start = spot_of(target)
    end = pushed_to(start, origin, distance)
    there = Base(end, target.base_radius)
    if (
        not is_on_table(target)
        or end == start
        or not can_stand(there, ground_of(resolution.state), ())
    ):
        return False
    bars = [each for each in others_on_table(rule, target) if overlaps(there, base_of(each))]
    if bars:
        _meet(effects, target, bars)
        return False
    _move(resolution, target, end, distance)
    return True


def _meet(effects: BattleEffects, target: Combatant, bars: Sequence[Combatant]) -> None:
    """Hidden warriors who alone bar a push become known where somebody sees that it does nothing.

    That it does not move the target would tell of them.
    """
    if any(not each.hidden for each in bars):
        return
    for each in bars:
        if not target.hidden or target.side != each.side:
            reveal(effects, each.id, "contact")
            rallied(effects, each.id)


def _move(resolution: Resolution, target: Combatant, end: Spot, distance: int) -> None:
    """The push, and what it ends."""
    effects, combatant, start = resolution.effects, target.id, spot_of(target)
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
    if is_mask_lost_there(resolution.state, combatant, end):
        lose_mask(effects, combatant, "left_cover")
    after_movement(resolution, combatant, (start, end))
