"""The preconditions of a walk, in the catalogue's order; each looks at the whole path.

How this works. A creature larger than one cell makes the same step with each of its cells: what
the step enters or passes over must be free of walls, a diagonal one must not squeeze past a wall
at the vertices it passes, and no wall may come to lie inside the space. A wall that was laid into
the space before hinders no step out of it. Cover and smoke hinder nobody.
"""

from typing import Final

from msgspec import Struct

from service.engine.geometry.distance import DiagonalRule, path_length
from service.engine.geometry.features import (
    Feature,
    FeatureKeys,
    Features,
    features_within,
    key_of,
)
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space, cells_of, holds, moved
from service.engine.geometry.strides import is_step, steps_of, stride
from service.errors import Refused
from service.rulesets.tactical_d20.rules.geometry import TD_GEO_2
from service.rulesets.tactical_d20.rules.prone import TD_PRONE_4
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL
from service.rulesets.tactical_d20.terrain import FARTHEST

ENDLESS: Final = Bounds(-FARTHEST, -FARTHEST, 2 * FARTHEST + 1, 2 * FARTHEST + 1)
"""The cells that there are where a map has no edge."""


class Walk(Struct, frozen=True, kw_only=True):
    """A walk asked for: the path of the north-west cell, the cell it starts from left out.

    Of one that continues `path` is the rest, and `made` are the steps before it.
    """

    space: Space
    path: tuple[Cell, ...]
    made: tuple[Cell, ...] = ()
    speed_ft: int
    is_prone: bool
    is_spinning: bool
    diagonal_rule: DiagonalRule


class Occupied(Struct, frozen=True, kw_only=True):
    """The cells of everybody but the walker, as far as they hinder.

    `hostile` are those of able enemies, whom nobody passes; `held` those of all who are not dead,
    where nobody ends.
    """

    hostile: frozenset[Cell] = frozenset()
    held: frozenset[Cell] = frozenset()


def require_walk(walk: Walk, bounds: Bounds | None, walls: Features, occupied: Occupied) -> int:
    """All preconditions of a walk after the action that it costs; its length in feet.

    Raises Refused("prone_cannot_walk"), ("spinning_cannot_move"), ("path_not_contiguous"),
    ("off_map"), ("cell_impassable"), ("cell_occupied") or ("path_too_long").
    """
    steps = steps_of((walk.space.x, walk.space.y), walk.path)
    require_footing(walk)
    require_contiguous(steps)
    require_on_map(tuple(Space(x, y, walk.space.size) for x, y in walk.path), bounds)
    require_passable(walk.space, steps, walls)
    require_unoccupied(walk.space, steps, occupied)
    return require_length((*walk.made, *steps), walk.speed_ft, walk.diagonal_rule)


def require_footing(walk: Walk) -> None:
    """Prone one makes one step at most, and spinning none.

    Raises Refused("prone_cannot_walk") or ("spinning_cannot_move").
    """
    steps = len(walk.made) + len(walk.path)
    if walk.is_prone and steps > 1:
        raise Refused("prone_cannot_walk", steps=steps, longest=1)
    if walk.is_spinning:
        raise Refused("spinning_cannot_move", rule=TD_PRONE_4)


def require_contiguous(steps: tuple[Cell, ...]) -> None:
    """Each step leads to one of the eight neighbours. Raises Refused("path_not_contiguous")."""
    for index, step in enumerate(steps):
        if not is_step(step):
            raise Refused("path_not_contiguous", step=index, dx=step[0], dy=step[1])


def require_on_map(stops: tuple[Space, ...], bounds: Bounds | None) -> None:
    """The whole space stays on the map (None: it has no edge). Raises Refused("off_map")."""
    for index, stop in enumerate(stops):
        edge = off_edge(stop, bounds)
        if edge is not None:
            raise Refused("off_map", step=index, x=stop.x, y=stop.y, bounds=list(edge))


def off_edge(space: Space, bounds: Bounds | None) -> Bounds | None:
    """The edge of the map (bounds None: that of all cells) if the space is not whole inside it."""
    edge = ENDLESS if bounds is None else bounds
    return None if holds(edge, space) else edge


def require_passable(start: Space, steps: tuple[Cell, ...], walls: Features) -> None:
    """No wall in the way of any step. Raises Refused("cell_impassable")."""
    here = start
    for index, step in enumerate(steps):
        blocking = walls_against(walls, here, step)
        here = moved(here, step)
        if blocking:
            features = [list(feature) for feature in blocking]
            raise Refused("cell_impassable", step=index, x=here.x, y=here.y, features=features)


def require_unoccupied(start: Space, steps: tuple[Cell, ...], occupied: Occupied) -> None:
    """No able enemy in an entered cell, nobody who is not dead where the walk ends.

    Raises Refused("cell_occupied").
    """
    here = start
    for index, step in enumerate(steps):
        for cell in entered_by(here, step):
            if cell in occupied.hostile:
                raise Refused("cell_occupied", step=index, x=cell[0], y=cell[1])
        here = moved(here, step)
    for x, y in cells_of(here):
        if (x, y) in occupied.held:
            raise Refused("cell_occupied", step=len(steps) - 1, x=x, y=y)


def require_length(steps: tuple[Cell, ...], speed_ft: int, rule: DiagonalRule) -> int:
    """The path in feet, at most the speed. Raises Refused("path_too_long")."""
    length_ft = length_of(steps, rule)
    if length_ft > speed_ft:
        raise Refused("path_too_long", rule=TD_GEO_2, length_ft=length_ft, longest_ft=speed_ft)
    return length_ft


def length_of(steps: tuple[Cell, ...], rule: DiagonalRule) -> int:
    """The length of a path in feet; every second diagonal of it may count two cells."""
    return FEET_PER_CELL * path_length(steps, rule)


def walls_against(walls: Features, here: Space, step: Cell) -> tuple[Feature, ...]:
    """The walls that one step of a space would enter, pass, take in or squeeze past, sorted."""
    shape, at = stride(here.size, step), (here.x, here.y)
    ahead = features_within(walls, shape.way, at)
    beside = features_within(walls, shape.corners, at)
    return tuple(sorted({*ahead, *beside}))


def entered_by(here: Space, step: Cell) -> tuple[Cell, ...]:
    """The cells that one step of a space newly occupies."""
    return tuple((here.x + x, here.y + y) for x, y in stride(here.size, step).entered)


def walls_in(walls: Features, space: Space) -> tuple[Feature, ...]:
    """The wall cells of a space and the wall borders between two of its cells, sorted."""
    columns = range(space.x, space.x + space.size)
    rows = range(space.y, space.y + space.size)
    shape = FeatureKeys(
        cells=tuple(key_of(x, y) for x, y in cells_of(space)),
        vertical=tuple(key_of(x, y) for x in columns[1:] for y in rows),
        horizontal=tuple(key_of(x, y) for x in columns for y in rows[1:]),
    )
    return features_within(walls, shape, (0, 0))
