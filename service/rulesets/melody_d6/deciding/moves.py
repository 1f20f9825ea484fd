"""Moving: a path that is judged whole, shown to the enemy's guards, and then travelled.

How this works. The path is judged on what the mover's side may know; masking is lost at its
declaration, then the guards are asked, and then the mover arrives (ML-MOVE-7). Somebody hidden who
is in the way ends it before him: how far it leads is found out at the declaration, for the guards'
points, and once more on arrival, since those who flee meanwhile may stand in the way. Each guard
who shoots at the mover finds it at a point of the path: it is walked there first, so that whatever
comes of the shot happens where it stands.
"""

from itertools import pairwise

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Move
from service.rulesets.melody_d6.deciding.influences import influences
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.movements import after_movement, is_mask_lost_there
from service.rulesets.melody_d6.deciding.requirements import require_acting
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.windows import guard_window
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import (
    base_of,
    is_known_to,
    may_detect,
    opponents,
    others_on_table,
    spot_of,
    standing,
)
from service.rulesets.melody_d6.points import PATH_START, PathPoint, Point
from service.rulesets.melody_d6.remainders import MoveRemainder
from service.rulesets.melody_d6.rules.detection import ML_MASK_14, approaches, is_covert
from service.rulesets.melody_d6.rules.geometry import path_cost, path_order, point_on_path
from service.rulesets.melody_d6.rules.guard import moves_on, require_way_point
from service.rulesets.melody_d6.rules.masking import (
    ML_MASK_2,
    ML_MASK_8,
    UnmaskCause,
    is_movement_over,
)
from service.rulesets.melody_d6.rules.movement import (
    ML_MOVE_6,
    ML_MOVE_7,
    PERMILLE,
    Base,
    Deed,
    Surroundings,
    Way,
    WayEnd,
    is_mask_lost_at_declaration,
    movement_allowance,
    require_open_way,
    require_way,
    way_end,
)
from service.rulesets.melody_d6.rules.turns import ML_TURN_4, require_unspent
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    is_fleeing,
    is_masked,
    is_on_table,
)


def require_move(view: State[BattleState], action: Move) -> int:
    """All preconditions of a move on what the mover's side may know; the cost of its path in u.

    Raises what `require_acting` does, then Refused("already_moved"), ("engaged") and what
    `require_way` raises.
    """
    mover = require_acting(view.rule, action.combatant, "movement")
    require_free(view.rule, mover)
    return require_path(view, mover, action.path, deed="move")


def require_free(rule: BattleState, mover: Combatant) -> None:
    """A warrior has its movement still and is not engaged, as far as its side knows.

    Raises Refused("already_moved") or ("engaged").
    """
    _require_unmoved(mover)
    against = opponents(rule, mover)
    if against:
        raise Refused("engaged", rule=ML_MOVE_6, combatant=mover.id, enemy=against[0].id)


def _require_unmoved(mover: Combatant) -> None:
    if mover.masked_this_turn and is_movement_over(has_moved=False, has_masked=True):
        raise Refused("already_moved", rule=ML_MASK_2, combatant=mover.id)
    require_unspent(mover.id, "movement", is_spent=mover.moved)


def require_path(
    view: State[BattleState],
    mover: Combatant,
    path: tuple[Point, ...],
    *,
    deed: Deed,
    target: str = "",
) -> int:
    """A path is one that the mover can take, as far as its side knows; its cost in u.

    Raises what `require_way` does.
    """
    allowance = allowance_of(view, mover)
    way = Way(mover=base_of(mover), path=spots_of(path), allowance=allowance)
    return require_way(way, surroundings_of(view, mover), deed=deed, target=target)


def surroundings_of(view: State[BattleState], mover: Combatant) -> Surroundings:
    """What the paths of a warrior are judged against."""
    others = others_on_table(view.rule, mover)
    return Surroundings(
        ground=ground_of(view),
        enemies=tuple(standing(each) for each in others if each.side != mover.side),
        friends=tuple(standing(each) for each in others if each.side == mover.side),
    )


def allowance_of(battle: State[BattleState], mover: Combatant) -> int:
    """How far a warrior may move or charge, in u."""
    changes = (each.delta for each in influences(battle, mover, "mod_move"))
    return movement_allowance(mover.move, changes)


def spots_of(path: tuple[Point, ...]) -> tuple[Spot, ...]:
    """The waypoints of a path."""
    return tuple((point.x, point.y) for point in path)


def move(resolution: Resolution, action: Move) -> None:
    """A warrior moves. Raises Refused."""
    require_move(resolution.view, action)
    set_out(resolution, action.combatant, action.path, "move")


def set_out(resolution: Resolution, combatant: str, path: tuple[Point, ...], deed: Deed) -> None:
    """A movement is declared: its price, what it does to masking, and the guards' window."""
    effects = resolution.effects
    _pay(effects, combatant)
    _uncover(resolution, combatant, path, deed)
    if deed == "charge":
        _attack(effects, combatant)
    mover = existing(effects.rule, combatant)
    remainder = MoveRemainder(
        combatant=combatant,
        deed=deed,
        start=Point(x=mover.place.x, y=mover.place.y),
        path=path,
    )
    remainder = replace(remainder, reach=reach_of(effects.rule, mover, remainder))
    if not guard_window(resolution, deed, (combatant,), remainder):
        arrive(resolution, remainder)


def _pay(effects: BattleEffects, combatant: str) -> None:
    effects.emit(
        own.ResourceChanged(rule=ML_TURN_4, combatant=combatant, resource="movement", now=0)
    )


def _uncover(resolution: Resolution, combatant: str, path: tuple[Point, ...], deed: Deed) -> None:
    """What the declaration of a movement does to masking."""
    is_lost_at_end = is_mask_lost_there(resolution.state, combatant, spots_of(path)[-1])
    if is_mask_lost_at_declaration(deed, is_lost_at_end=is_lost_at_end):
        cause: UnmaskCause = "charged" if deed == "charge" else "left_cover"
        lose_mask(resolution.effects, combatant, cause, fleeting=True)


def _attack(effects: BattleEffects, combatant: str) -> None:
    effects.emit(own.ConditionGained(rule=ML_MASK_8, combatant=combatant, condition="attacked"))


def declare_again(resolution: Resolution, remainder: MoveRemainder) -> None:
    """What a declaration costs and gives away, as far as it was taken back meanwhile."""
    mover = existing(resolution.rule, remainder.combatant)
    if not mover.moved:
        _pay(resolution.effects, mover.id)
    _uncover(resolution, mover.id, remainder.path, remainder.deed)
    if remainder.deed == "charge" and "attacked" not in mover.conditions:
        _attack(resolution.effects, mover.id)


def reach_of(
    rule: BattleState, mover: Combatant, remainder: MoveRemainder
) -> PathPoint | UnsetType:
    """The point where a path ends in the battle as it is; absent where that is its last."""
    end = _end_of(rule, mover, remainder)
    if _is_whole(remainder, end):
        return UNSET
    leg, permille = path_order(len(remainder.path), end.leg, end.permille)
    return PathPoint(leg=leg, permille=permille)


def point_of(remainder: MoveRemainder, leg: int, permille: int) -> Spot:
    """A point of the mover's path."""
    start = (remainder.start.x, remainder.start.y)
    return point_on_path(start, spots_of(remainder.path), leg, permille)


def require_path_point(
    remainder: MoveRemainder, path_point: PathPoint | UnsetType
) -> tuple[int, int]:
    """The point of the path at which a guard shoots at the mover, as (leg, permille).

    Where none is stated it is the furthest one used so far. Raises what `require_way_point` does.
    """
    used = (remainder.used.leg, remainder.used.permille)
    if path_point is UNSET:
        return used
    legs, reach = len(remainder.path), remainder.reach
    stated = path_order(legs, path_point.leg, path_point.permille)
    last = None if reach is UNSET else (reach.leg, reach.permille)
    require_way_point(stated, used, legs, last)
    return stated


def walk_to(
    resolution: Resolution, remainder: MoveRemainder, leg: int, permille: int
) -> MoveRemainder:
    """The mover stands at this point of its path from now on; what is left of its movement."""
    at = path_order(len(remainder.path), leg, permille)
    if at != (remainder.used.leg, remainder.used.permille):
        end = WayEnd(leg, permille)
        cause = UNSET if _is_whole(remainder, end) else "guard"
        _tell(resolution.effects, remainder, end, cause)
    return replace(remainder, used=PathPoint(leg=at[0], permille=at[1]))


def way_to(remainder: MoveRemainder, leg: int, permille: int) -> tuple[Spot, ...]:
    """The way of the mover from its start to a point of its path."""
    start, stop = (remainder.start.x, remainder.start.y), point_of(remainder, leg, permille)
    return (start, *spots_of(remainder.path)[:leg], stop)


def require_rest(view: State[BattleState], remainder: MoveRemainder, *, target: str = "") -> None:
    """The rest of a movement is one that the mover can take, as far as its side knows.

    What it has behind it counts for its length alone. Raises Refused("already_moved"), ("engaged")
    of one who has not set out yet, and what `require_open_way` raises.
    """
    mover = existing(view.rule, remainder.combatant)
    if remainder.used == PATH_START:
        require_free(view.rule, mover)
    else:
        _require_unmoved(mover)
    used = remainder.used.leg, remainder.used.permille
    path = spots_of(remainder.path)
    way = Way(
        mover=Base(point_of(remainder, *used), mover.base_radius),
        path=path[remainder.used.leg :],
        allowance=allowance_of(view, mover),
    )
    cost = path_cost((remainder.start.x, remainder.start.y), path)
    around = surroundings_of(view, mover)
    require_open_way(way, cost, around, deed=remainder.deed, target=target)


def halt(resolution: Resolution, remainder: MoveRemainder) -> None:
    """A movement that may not go on is over where its mover has come to.

    One that has not set out, or is no longer there, has no movement behind it.
    """
    mover = combatant_of(resolution.rule, remainder.combatant)
    has_set_out = remainder.used != PATH_START
    if mover is None or not has_set_out or not is_on_its_way(mover, remainder):
        return
    if is_mask_lost_there(resolution.state, mover.id, spot_of(mover)):
        lose_mask(resolution.effects, mover.id, "left_cover")
    way = way_to(remainder, remainder.used.leg, remainder.used.permille)
    after_movement(resolution, mover.id, way)
    _note_approach(resolution, mover.id, way)


def arrive(resolution: Resolution, remainder: MoveRemainder) -> None:
    """The rest of a movement that no guard has ended, in the battle as they have left it.

    It is lost if the mover is out, flees, or was put elsewhere meanwhile.
    """
    effects, rule = resolution.effects, resolution.rule
    mover = combatant_of(rule, remainder.combatant)
    if mover is None or not is_on_its_way(mover, remainder):
        return
    end = _end_of(rule, mover, remainder)
    is_whole = _is_whole(remainder, end)
    at = path_order(len(remainder.path), end.leg, end.permille)
    if not is_whole or at != (remainder.used.leg, remainder.used.permille):
        _tell(effects, remainder, end, UNSET if is_whole else _bar(rule, mover, end))
    stop = spot_of(existing(effects.rule, mover.id))
    if not is_whole and is_mask_lost_there(resolution.state, mover.id, stop):
        lose_mask(effects, mover.id, "left_cover")
    way = ((remainder.start.x, remainder.start.y), *spots_of(remainder.path)[: end.leg], stop)
    after_movement(resolution, mover.id, way, met=end.met)
    _note_approach(resolution, mover.id, way)


def is_on_its_way(mover: Combatant, remainder: MoveRemainder) -> bool:
    """Whether a movement goes on: its mover is able to, and stands at the furthest point used."""
    return goes_on(mover, point_of(remainder, remainder.used.leg, remainder.used.permille))


def goes_on(mover: Combatant, used: Spot) -> bool:
    """The same of a movement that has come to this point."""
    can_go_on = moves_on(is_on_table=is_on_table(mover), is_fleeing=is_fleeing(mover))
    return can_go_on and spot_of(mover) == used


def _end_of(rule: BattleState, mover: Combatant, remainder: MoveRemainder) -> WayEnd:
    """Where the path ends in the battle as it is, for who has come as far as the point used."""
    others = others_on_table(rule, mover)
    enemies = tuple(standing(each) for each in others if each.side != mover.side)
    friends = tuple(standing(each) for each in others if each.side == mover.side)
    start = Base((remainder.start.x, remainder.start.y), mover.base_radius)
    way = Way(mover=start, path=spots_of(remainder.path), allowance=0)
    return way_end(way, enemies, friends, (remainder.used.leg, remainder.used.permille))


def _is_whole(remainder: MoveRemainder, end: WayEnd) -> bool:
    return (end.leg, end.permille) == (len(remainder.path) - 1, PERMILLE)


def _bar(rule: BattleState, mover: Combatant, end: WayEnd) -> str:
    """What has ended a path before its end: somebody unknown, or who has come there since."""
    unknown = [each for each in end.met if not is_known_to(existing(rule, each), mover.side)]
    return "contact" if unknown else "blocked"


def _tell(
    effects: BattleEffects, remainder: MoveRemainder, end: WayEnd, cause: str | UnsetType
) -> None:
    """The way from the furthest point used to another one, at which the mover stands then."""
    stop = point_of(remainder, end.leg, end.permille)
    passed = spots_of(remainder.path)[remainder.used.leg : end.leg]
    mover = existing(effects.rule, remainder.combatant)
    start = spot_of(mover)
    path = tuple(there for here, there in pairwise((start, *passed, stop)) if there != here)
    effects.emit(
        fx.Moved(
            rule=ML_MOVE_7,
            combatant=mover.id,
            manner=remainder.deed,
            start=mover.place,
            path=tuple(Place(x=x, y=y) for x, y in path),
            end=Place(x=stop[0], y=stop[1]),
            cost=path_cost(start, path),
            complete=cause is UNSET,
            cause=cause,
        )
    )


def _note_approach(resolution: Resolution, combatant: str, way: tuple[Spot, ...]) -> None:
    """A warrior that has come nearer to an enemy, masked and in the open, is looked for later."""
    rule = resolution.rule
    mover, options = existing(rule, combatant), rule.options
    if not is_masked(mover):
        return
    obstacles = ground_of(resolution.state).obstacles
    if is_covert(way, mover.base_radius, obstacles, options.mask_near, options.measure):
        return
    enemies = [spot_of(each) for each in rule.combatants if _is_lookout(each, mover)]
    if approaches(way[0], way[-1], enemies):
        resolution.effects.emit(
            own.ConditionGained(rule=ML_MASK_14, combatant=combatant, condition="approaching")
        )


def _is_lookout(enemy: Combatant, mover: Combatant) -> bool:
    return enemy.side != mover.side and may_detect(enemy)
