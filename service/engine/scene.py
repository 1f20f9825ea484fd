"""The scene: a neutral picture of a battle as one viewer may see it.

How this works. A ruleset makes a scene of what a viewer was told anyway: the JSON of the view, the
map, and the event behind which it stands. So a scene cannot show more than these do. Everything is
in integers of the ruleset's unit, x to the east and y to the south; who draws it needs no rules.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Annotated, Final

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.engine.vocabulary.values import Word

Span = tuple[int, int, int]
"""Cells of one row: x of the first, y, how many."""

MARGIN: Final = 1
"""Units drawn around everything where a map has no bounds. Service default."""


class ScenePoint(Struct, frozen=True, kw_only=True):
    """A point, in the scene's unit."""

    x: int
    """To the east."""
    y: int
    """To the south."""


class SceneBounds(Struct, frozen=True, kw_only=True):
    """The rectangle that is drawn: all of the map, or everything that is seen of it."""

    x: int
    """West edge."""
    y: int
    """North edge."""
    width: int
    """Units from west to east, at least 1."""
    height: int
    """Units from north to south, at least 1."""


class SceneShape(Struct, frozen=True, kw_only=True):
    """Ground of one kind: cells, or a line through points."""

    kind: Word
    """What it is, a term of the ruleset: `solid`, `cover`, `smoke`, `dark`, `height`."""
    label: str | UnsetType = UNSET
    """Short text to write beside it, such as the id of a cover or a height; absent: none."""
    cells: tuple[Annotated[Span, Meta(description="x, y, count")], ...] = ()
    """Runs of cells, each `[x, y, count]`: `count` cells from (x, y) to the east."""
    points: tuple[ScenePoint, ...] = ()
    """Corners of a line, or the one point of a shape without extent; on a grid these are corners
    of cells."""
    is_closed: bool | UnsetType = UNSET
    """Whether the points are the corners of an area, whose last side leads back to the first of
    them; absent: they are those of a line."""
    is_high: bool | UnsetType = UNSET
    """Whether it blocks lines of sight; absent where its kind says so."""


class SceneCombatant(Struct, frozen=True, kw_only=True):
    """Somebody on the ground."""

    id: str
    """Id of the combatant."""
    name: str | UnsetType = UNSET
    """Display name; absent where none was given or it was erased."""
    side: str
    """Id of its side."""
    x: int
    """On a grid the column of its north-west cell, else where it stands."""
    y: int
    """On a grid the row of its north-west cell, else where it stands."""
    size: int = 1
    """Width and depth of its space in cells; 1 where there is no grid."""
    radius: int | UnsetType = UNSET
    """Radius of its round base; absent where it has none."""
    elevation: int | UnsetType = UNSET
    """How high it stands, as its place states it; absent: as the ground."""
    facing: str | UnsetType = UNSET
    """Compass direction in which it looks, `N` to `NW`; absent where a ruleset has none."""
    band: str | UnsetType = UNSET
    """Health in words; absent where the caller may not know it."""
    conditions: tuple[str, ...] = ()
    """Conditions that hold."""
    markers: tuple[Word, ...] | UnsetType = UNSET
    """Those of its conditions for which a marker lies beside it; absent where a ruleset has
    none."""
    hidden: bool = False
    """Whether only its side and the game master know of it."""
    is_out: bool = False
    """Whether it takes no part any more."""
    has_turn: bool = False
    """Whether it is its turn."""


class SceneArea(Struct, frozen=True, kw_only=True):
    """An area of the last event or one that lies on the ground: a disc, or a marker if its radius
    is 0, unless it has corners.
    """

    kind: Word
    """What it is, such as `blast`."""
    label: str | UnsetType = UNSET
    """Short text to write beside it, such as the id of a Melody; absent: none."""
    x: int
    """Its centre or where it starts, to the east."""
    y: int
    """Its centre or where it starts, to the south."""
    radius: int
    """How far it reaches, in the unit; 0 marks a point, or an area with corners."""
    points: tuple[ScenePoint, ...] | UnsetType = UNSET
    """Its corners, rounded to the unit; absent for a disc or a point."""
    full: tuple[str, ...] | UnsetType = UNSET
    """Ids of the combatants seen whose bases lie wholly in it; absent where none have bases."""
    part: tuple[str, ...] | UnsetType = UNSET
    """Ids of those seen whose bases lie partly in it; absent where none have bases."""


class SceneLine(Struct, frozen=True, kw_only=True):
    """A line of the last event: an attack from somebody at somebody or something, or a way."""

    kind: Word
    """What it is: `attack`, what decided one, or `path`, a leg of somebody on the way."""
    start: ScenePoint
    """Where it begins, in halves of the unit."""
    end: ScenePoint
    """Where it ends, in halves of the unit."""
    source: str | UnsetType = UNSET
    """Id of the combatant at its start; absent where there is none."""
    target: str | UnsetType = UNSET
    """Id of the combatant at its end; absent where it leads to a place."""
    outcome: Word | UnsetType = UNSET
    """How it ended; absent where there is nothing to tell."""


class SceneScale(Struct, frozen=True, kw_only=True):
    """A unit for the eye, where coordinates are finer than anybody can see."""

    unit: Word
    """What it is: `step`."""
    length: int
    """How many units of the scene it is long."""


class Scene(Struct, frozen=True, kw_only=True):
    """What a viewer sees of a battle after an event."""

    unit: Word
    """What one unit is: `cell_5ft`, `cell`, `metre` or `u`."""
    scale: SceneScale | UnsetType = UNSET
    """The unit to which pictures are drawn; absent: that of the coordinates."""
    is_grid: bool
    """Whether combatants fill cells (x, y is a cell) or stand on points."""
    bounds: SceneBounds
    """What is drawn."""
    shapes: tuple[SceneShape, ...] = ()
    """The ground, in the order in which it is drawn."""
    combatants: tuple[SceneCombatant, ...] = ()
    """Everybody the viewer knows of, in the order of the view."""
    areas: tuple[SceneArea, ...] = ()
    """Areas and markers of the last event, and areas that lie on the ground."""
    lines: tuple[SceneLine, ...] = ()
    """Lines of the last event, and ways of those who are stopped on them."""


class SceneSource(Struct, frozen=True):
    """What a scene is made of: `state` and `event` as the viewer has them, `map` as it was named.

    `map` is absent without one. `acting` are the ids of those who may act in the present turn:
    a combatant, the members of a unit or a whole side.
    """

    state: Raw
    event: Raw
    map: Raw | None = None
    acting: tuple[str, ...] = ()


Scenes = Callable[[SceneSource], Scene]
"""Makes the scene of what a viewer has. Reads nothing else."""

Prints = Callable[[SceneSource], str]
"""Writes what a viewer has as text, in the form of the ruleset. Reads nothing else."""


def spans_of(cells: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Cells (x, y) as runs, by rows from north to south."""
    return tuple(_spans(sorted({(y, x) for x, y in cells})))


def _spans(cells: list[tuple[int, int]]) -> Iterator[Span]:
    runs = groupby(enumerate(cells), key=lambda each: (each[1][0], each[1][1] - each[0]))
    for (y, _), run in runs:
        places = [x for _, (_, x) in run]
        yield places[0], y, len(places)


def bounds_around(corners: Iterable[tuple[int, int]]) -> SceneBounds:
    """The rectangle that holds these points with a margin; of none one unit at the origin."""
    points = list(corners) or [(0, 0)]
    west, north = min(x for x, _ in points) - MARGIN, min(y for _, y in points) - MARGIN
    east, south = max(x for x, _ in points) + MARGIN, max(y for _, y in points) + MARGIN
    return SceneBounds(x=west, y=north, width=max(1, east - west), height=max(1, south - north))
