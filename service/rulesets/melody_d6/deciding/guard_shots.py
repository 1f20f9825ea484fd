"""Shots on guard: unasked between two enemy actions, or as the answer to a window (ML-GUARD-9).

In a window of somebody who moves, the mover first walks to the point where it is shot at. So it
is there for whatever the shot does to it, and continues from there if it can. Versions read
otherwise whether one whose movement is lost is shot at on its way still (`Readings.mover`), and
whether automatic detection is asked of the way behind it before the shot (`Readings.before_shot`).
"""

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.vocabulary.actions import Action
from service.errors import Refused
from service.rulesets.melody_d6.actions import Charge, GuardShoot, GuardShot, Move
from service.rulesets.melody_d6.deciding import detection, hits, moves, shots
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.requirements import (
    require_able,
    require_ranged,
    require_weapon,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.points import PathPoint
from service.rulesets.melody_d6.questions import GuardContext
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.remainders import AnyRemainder, MoveRemainder
from service.rulesets.melody_d6.rules.geometry import path_order, point_on_path
from service.rulesets.melody_d6.rules.guard import (
    ML_GUARD_9,
    require_enemy_turn,
    require_on_guard,
)
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_guard

AnyShot = GuardShoot | GuardShot
"""A shot on guard, unasked or as an answer."""


def require_shooter(view: State[BattleState], shot: AnyShot) -> Combatant:
    """The shooter may act and it is not its turn; target and weapon are there.

    Raises Refused("unknown_combatant"), ("unknown_weapon"), what `require_able` does, then
    ("guard_own_turn"), checked in this order.
    """
    rule = view.rule
    shooter = require_combatant(rule, shot.combatant)
    require_combatant(rule, shot.target)
    require_weapon(view, shooter, shot.weapon)
    require_able(shooter)
    require_enemy_turn(shooter.id, is_own_turn=shooter.side == rule.turn_side)
    return shooter


def require_unasked(view: State[BattleState], action: GuardShoot) -> None:
    """All preconditions of a shot between two enemy actions; nobody is on the way then.

    Raises Refused: what `require_shooter` does, ("not_on_guard"), ("weapon_not_ranged"),
    ("bad_path_point") and what ML-SHOOT-1 does, checked in this order.
    """
    shooter = require_shooter(view, action)
    _require_armed(view, shooter, action)
    _require_no_point(action)
    shots.require_target(view, shooter.id, action.target, action.weapon)


def require_answer(
    view: State[BattleState], movement: Action, shot: GuardShot, remainder: AnyRemainder
) -> None:
    """All preconditions of a shot in a window, after those of `require_shooter`.

    Raises Refused("not_on_guard"), ("weapon_not_ranged"), ("bad_path_point"), ("behind_mover") and
    what ML-SHOOT-1 does, checked in this order.
    """
    shooter = require_combatant(view.rule, shot.combatant)
    _require_armed(view, shooter, shot)
    at: Spot | None = None
    is_detected = False
    way = _way_of(view, movement, shot.target, remainder)
    if way is not None:
        there = moves.require_path_point(way, shot.path_point)
        at = moves.point_of(way, *there)
        is_detected = _is_detected(view, shot.target, moves.way_to(way, *there))
    elif not isinstance(remainder, MoveRemainder):
        _require_no_point(shot)
    shots.require_target(
        view,
        shooter.id,
        shot.target,
        shot.weapon,
        at=at,
        is_on_its_way=at is not None,
        is_detected=is_detected,
    )


def _is_detected(view: State[BattleState], mover: str, way: tuple[Spot, ...]) -> bool:
    """Whether a masked mover is detected by the point to which this way leads."""
    if not detection.is_asked_before_shots(view):
        return False
    warrior = existing(view.rule, mover)
    return detection.finder_on_way(view.rule, warrior, way) is not None


def _require_armed(view: State[BattleState], shooter: Combatant, shot: AnyShot) -> None:
    require_on_guard(shooter.id, is_on_guard=is_on_guard(shooter))
    require_ranged(require_weapon(view, shooter, shot.weapon))


def _require_no_point(shot: AnyShot) -> None:
    """Nobody is on the way, so there is no point of a path."""
    point = shot.path_point
    if point is not UNSET:
        raise Refused("bad_path_point", rule=ML_GUARD_9, leg=point.leg, permille=point.permille)


def shoot_unasked(resolution: Resolution, action: GuardShoot) -> None:
    """A shot between two enemy actions, after which the marker is gone. Raises Refused."""
    require_unasked(resolution.view, action)
    _shoot(resolution, action, is_charged=False)


def shoot_in_window(
    resolution: Resolution, shot: GuardShot, remainder: AnyRemainder
) -> AnyRemainder:
    """The shot that was chosen; what is left of the waiting action, with its mover on the way."""
    movement = resolution.action
    way = _way_of(resolution.state, movement, shot.target, remainder)
    if way is not None:
        there = moves.require_path_point(way, shot.path_point)
        remainder = moves.walk_to(resolution, way, *there)
        if detection.is_asked_before_shots(resolution.state):
            behind = moves.way_to(way, *there)
            detection.detect_on_way(resolution.effects, way.combatant, behind)
    is_charged = (
        way is not None and isinstance(movement, Charge) and movement.target == shot.combatant
    )
    _shoot(resolution, shot, is_charged=is_charged)
    return remainder


def _way_of(
    battle: State[BattleState], movement: Action, target: str, remainder: AnyRemainder
) -> MoveRemainder | None:
    """What is left of the movement on which a target is met; None of whoever stands somewhere."""
    if not isinstance(remainder, MoveRemainder) or not isinstance(movement, Move | Charge):
        return None
    if movement.combatant != target:
        return None
    is_met = battle.terms.read_as(Readings).mover
    mover = existing(battle.rule, target)
    return remainder if is_met(moves.is_on_its_way(mover, remainder)) else None


def is_met_on_way(battle: State[BattleState], context: GuardContext, target: str) -> bool:
    """Whether a shot in this window would meet the target on its way, by what the window tells."""
    is_mover = bool(context.path) and target in context.movers
    is_met = battle.terms.read_as(Readings).mover
    return is_mover and is_met(moves.goes_on(existing(battle.rule, target), way_point(context)))


def way_behind(context: GuardContext, point: PathPoint | UnsetType) -> tuple[Spot, ...]:
    """The way up to a point of a window's path, its start among them; see `way_point`."""
    start, *path = ((each.x, each.y) for each in context.path)
    at = context.used if point is UNSET else point
    leg, _ = path_order(len(path), at.leg, at.permille)
    return (start, *path[:leg], way_point(context, point))


def way_point(context: GuardContext, point: PathPoint | UnsetType = UNSET) -> Spot:
    """A point of the way that a window tells of; the furthest one used so far unless stated."""
    start, *path = ((each.x, each.y) for each in context.path)
    at = context.used if point is UNSET else point
    return point_on_path(start, tuple(path), at.leg, at.permille)


def _shoot(resolution: Resolution, shot: AnyShot, *, is_charged: bool) -> None:
    weighing = hits.GuardShot(charged=is_charged)
    shots.resolve(resolution, shot.combatant, shot.target, shot.weapon, guard=weighing)
    leave_guard(resolution.effects, shot.combatant, "shot")
