"""The preconditions of `move`, in the catalogue's order; each looks at the whole path.

How this works. A fighter larger than one cell makes the same step with each of its cells: what
the step enters or passes over must be free of solids (`cell_impassable`), a diagonal one must
not squeeze past a solid corner (`diagonal_blocked`). Walls that would come to lie inside a large
space are in its way too. Cover hinders nobody.
"""

from collections.abc import Callable

from msgspec import Struct

from service.engine.geometry.distance import DiagonalRule, path_length
from service.engine.geometry.features import (
    Feature,
    FeatureKeys,
    Features,
    features_within,
    is_any_on,
    key_of,
)
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space, cells_of, holds, moved
from service.engine.geometry.strides import Stride, is_step, steps_of, stride
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.ground import Ground, Posture
from service.rulesets.crossfire_d6.rules.position import require_cover_here
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL


class Walk(Struct, frozen=True, kw_only=True):
    """A move asked for: the path of the north-west cell and the posture at its end."""

    space: Space
    path: tuple[Cell, ...]
    posture: Posture
    speed_ft: int
    is_prone: bool
    diagonal_rule: DiagonalRule


class Occupied(Struct, frozen=True, kw_only=True):
    """The cells of everybody but the mover: of those who stand in the way, and of the others.

    `bodies` are the cells of the helpless and dead: passed over, but nobody ends there.
    """

    standing: frozenset[Cell] = frozenset()
    bodies: frozenset[Cell] = frozenset()


def require_walk(walk: Walk, ground: Ground, occupied: Occupied) -> int:
    """All preconditions of a move after the actions left; the length of the path in feet."""
    steps = steps_of((walk.space.x, walk.space.y), walk.path)
    stops = tuple(Space(x, y, walk.space.size) for x, y in walk.path)
    require_contiguous(steps)
    if ground.bounds is not None:
        require_on_map(stops, ground.bounds)
    require_passable(walk.space, steps, ground.solid)
    require_free_corners(walk.space, steps, ground.solid)
    require_unoccupied(walk.space, steps, occupied)
    length_ft = require_length(steps, walk.speed_ft, walk.diagonal_rule)
    if walk.is_prone and len(steps) > 1:
        raise Refused("prone_cannot_walk", steps=len(steps), longest=1)
    require_cover_here(stops[-1], walk.posture, ground)
    return length_ft


def require_contiguous(steps: tuple[Cell, ...]) -> None:
    """Each step leads to one of the eight neighbours. Raises Refused("path_not_contiguous")."""
    for index, step in enumerate(steps):
        if not is_step(step):
            raise Refused("path_not_contiguous", step=index, dx=step[0], dy=step[1])


def require_on_map(stops: tuple[Space, ...], bounds: Bounds) -> None:
    """The whole space stays inside the map. Raises Refused("off_map")."""
    for index, stop in enumerate(stops):
        if not holds(bounds, stop):
            raise Refused("off_map", step=index, x=stop.x, y=stop.y, bounds=list(bounds))


def require_passable(start: Space, steps: tuple[Cell, ...], solid: Features) -> None:
    """No solid cell or border in the way. Raises Refused("cell_impassable")."""
    _require_clear(start, steps, solid, lambda made: made.way, "cell_impassable")


def require_free_corners(start: Space, steps: tuple[Cell, ...], solid: Features) -> None:
    """No diagonal step past a solid corner. Raises Refused("diagonal_blocked").

    A solid cell on either orthogonal side, or a solid border at the shared vertex.
    """
    _require_clear(start, steps, solid, lambda made: made.corners, "diagonal_blocked")


def require_unoccupied(start: Space, steps: tuple[Cell, ...], occupied: Occupied) -> None:
    """No combatant in an entered cell, no body where the move ends.

    Raises Refused("cell_occupied").
    """
    here = start
    for index, step in enumerate(steps):
        for x, y in stride(here.size, step).entered:
            cell = (here.x + x, here.y + y)
            if cell in occupied.standing:
                raise Refused("cell_occupied", step=index, x=cell[0], y=cell[1])
        here = moved(here, step)
    for x, y in cells_of(here):
        if (x, y) in occupied.bodies:
            raise Refused("cell_occupied", step=len(steps) - 1, x=x, y=y)


def require_length(steps: tuple[Cell, ...], speed_ft: int, rule: DiagonalRule) -> int:
    """The path in feet, at most the speed. Raises Refused("path_too_long")."""
    length_ft = FEET_PER_CELL * path_length(steps, rule)
    if length_ft > speed_ft:
        raise Refused("path_too_long", length_ft=length_ft, longest_ft=speed_ft)
    return length_ft


def can_step(ground: Ground, space: Space, step: Cell) -> bool:
    """Whether map and solids allow one step; combatants are not looked at."""
    if ground.bounds is not None and not holds(ground.bounds, moved(space, step)):
        return False
    shape = stride(space.size, step)
    at = (space.x, space.y)
    return not (
        is_any_on(ground.solid, shape.way, at) or is_any_on(ground.solid, shape.corners, at)
    )


def solids_in(ground: Ground, space: Space) -> tuple[Feature, ...]:
    """The solid cells inside a space, sorted."""
    shape = FeatureKeys(cells=tuple(key_of(x, y) for x, y in cells_of(space)))
    return features_within(ground.solid, shape, (0, 0))


def _require_clear(
    start: Space,
    steps: tuple[Cell, ...],
    solid: Features,
    part: Callable[[Stride], FeatureKeys],
    code: str,
) -> None:
    here = start
    for index, step in enumerate(steps):
        blocking = features_within(solid, part(stride(here.size, step)), (here.x, here.y))
        if blocking:
            x, y = here.x + step[0], here.y + step[1]
            raise Refused(
                code, step=index, x=x, y=y, features=[list(feature) for feature in blocking]
            )
        here = moved(here, step)
