"""Kneeling down and standing up."""

from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import Kneel, Stand
from service.rulesets.squad_d100.deciding.cover_duty import require_duty_done
from service.rulesets.squad_d100.deciding.phases import moving, spend_points
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.rules.movement import require_points
from service.rulesets.squad_d100.rules.poses import (
    SQ_POSE_1,
    SQ_POSE_4,
    kneeling_price,
    standing_price,
)
from service.rulesets.squad_d100.rules.words import Posture
from service.rulesets.squad_d100.state import BattleState, is_kneeling, points_left

PoseAction = Kneel | Stand


def require_pose(view: State[BattleState], action: PoseAction) -> int:
    """All preconditions of another pose; its price in movement points.

    Raises what `moving` does, then Refused("already_kneeling") or ("not_kneeling"),
    ("not_enough_mp") and, for kneeling down, ("must_seek_cover").
    """
    actor = moving(view.rule, action.combatant)
    if isinstance(action, Kneel):
        if is_kneeling(actor):
            raise Refused("already_kneeling", combatant=actor.id)
        require_points(points_left(actor), kneeling_price(), SQ_POSE_1)
        require_duty_done(view, actor)
        return kneeling_price()
    if not is_kneeling(actor):
        raise Refused("not_kneeling", combatant=actor.id)
    require_points(points_left(actor), standing_price(), SQ_POSE_4)
    return standing_price()


def take_pose(resolution: Resolution, action: PoseAction) -> None:
    """The effects of kneeling down or standing up."""
    price = require_pose(resolution.view, action)
    effects = resolution.effects
    spend_points(effects, action.combatant, price)
    posture: Posture = "kneeling" if isinstance(action, Kneel) else "standing"
    rule = SQ_POSE_1 if isinstance(action, Kneel) else SQ_POSE_4
    effects.emit(own.PostureChanged(rule=rule, combatant=action.combatant, posture=posture))
