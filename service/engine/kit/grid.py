"""Maps of square cells: drawings in characters, borders between cells, and the edge of a map."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from service.engine.geometry.features import Border, Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds
from service.engine.map_check import MapFinding
from service.errors import Malformed, Refused

T = TypeVar("T")

NOTHING = "."
"""The character of a cell on which there is nothing."""


def drawn_cells(
    rows: Sequence[str], north_west: Cell, legend: Mapping[str, T], path: str
) -> Iterator[tuple[Cell, T]]:
    """Each cell of a drawing on which there is something, with what its character stands for.

    `rows` run from north to south; the first character is at `north_west`. Raises Malformed for a
    row longer or shorter than the first, and for a character that is not in the legend.
    """
    for problem in drawing_problems(rows, legend, path):
        raise problem.error
    for row, text in enumerate(rows):
        for column, character in enumerate(text):
            if character != NOTHING:
                yield (north_west[0] + column, north_west[1] + row), legend[character]


def drawing_problems(
    rows: Sequence[str], legend: Mapping[str, T], path: str
) -> Iterator[MapFinding]:
    """Rows of another length than the first, and characters that are not in the legend."""
    width, allowed = len(rows[0]), (NOTHING, *legend)
    for row, text in enumerate(rows):
        at = f"{path}[{row}]"
        if len(text) != width:
            error = Malformed(path=at, allowed=f"{width} characters")
            yield MapFinding(error, min(len(text), width), row)
        for column, character in enumerate(text):
            if character not in allowed:
                yield MapFinding(Malformed(path=at, allowed=" ".join(allowed)), column, row)


def require_extent(bounds: Bounds, farthest: int, path: str) -> None:
    """No cell of the map that a request draws at `path` is past column or row `farthest`.

    Raises Malformed: such a cell could be kept, and not read again.
    """
    east, south = bounds.x + bounds.width - 1, bounds.y + bounds.height - 1
    if max(abs(bounds.x), abs(bounds.y), abs(east), abs(south)) > farthest:
        raise Malformed(path=path, allowed=f"{-farthest} to {farthest}")


def border_of(axis: Literal["v", "h"], x: int, y: int) -> Border:
    """The side of the cell (x, y) that clients call by its axis: `v` its west side, `h` its north
    side.
    """
    return "V" if axis == "v" else "H", x, y


def is_on_map(bounds: Bounds, part: Feature) -> bool:
    """Whether a cell lies on the map, or a border on it or on its edge."""
    return bounds.x <= part.x < bounds.x + bounds.width + (
        part.kind == "V"
    ) and bounds.y <= part.y < bounds.y + bounds.height + (part.kind == "H")


def require_on_map(bounds: Bounds, parts: Sequence[Feature], path: str) -> None:
    """All cells and borders that a request states at `path` are on the map. Raises Malformed."""
    for index, part in enumerate(parts):
        if not is_on_map(bounds, part):
            raise Malformed(path=f"{path}[{index}]", allowed="inside the bounds")


def require_within(bounds: Bounds | None, parts: Iterable[Feature]) -> None:
    """All cells and borders that an action changes are on the map; without bounds it has no edge.

    Raises Refused("off_map").
    """
    if bounds is None:
        return
    for part in parts:
        if not is_on_map(bounds, part):
            raise Refused("off_map", x=part.x, y=part.y, bounds=list(bounds))


def require_once(keys: Sequence[Hashable], path: str) -> None:
    """Each thing that a request states at `path` is stated once. Raises Malformed at the second."""
    earlier: set[Hashable] = set()
    for index, key in enumerate(keys):
        if key in earlier:
            raise Malformed(path=f"{path}[{index}]", allowed="each stated once")
        earlier.add(key)
