"""The scene of a battle: cells of 5 feet, their ground and borders, and the last attack."""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import UNSET, Struct
from msgspec.json import Decoder
from msgspec.structs import asdict

from service.engine.kit.scene import draw_scene
from service.engine.scene import Scene, SceneBounds, ScenePoint, SceneShape, SceneSource, spans_of
from service.rulesets.crossfire_d6.maps import MapBlob
from service.rulesets.crossfire_d6.terrain import UNIT, GroundBorder, GroundCell, TerrainChange

OUT: Final = ("helpless", "dead")
"""Conditions of those who take no turn."""


class _Ground(Struct, frozen=True, kw_only=True):
    """What a view tells of the ground."""

    terrain: tuple[TerrainChange, ...] = ()
    secrets: tuple[TerrainChange, ...] = ()


_GROUNDS: Final[Decoder[_Ground]] = Decoder(_Ground)
_MAPS: Final[Decoder[MapBlob]] = Decoder(MapBlob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    ground = _GROUNDS.decode(source.state)
    blob = MapBlob() if source.map is None else _MAPS.decode(source.map)
    cells = {(cell.x, cell.y): cell for cell in blob.cells}
    borders = {(side.axis, side.x, side.y): side for side in blob.borders}
    for change in (*ground.terrain, *ground.secrets):
        if change.cell is not UNSET:
            cells[change.cell.x, change.cell.y] = change.cell
        if change.border is not UNSET:
            borders[change.border.axis, change.border.x, change.border.y] = change.border
    shapes = (
        *_cells(tuple(cells.values())),
        *(_border(border) for _, border in sorted(borders.items()) if border.kind != "free"),
    )
    bounds = UNSET if blob.bounds is UNSET else SceneBounds(**asdict(blob.bounds))
    return draw_scene(source, shapes, unit=UNIT, is_grid=True, out=OUT, bounds=bounds)


def _cells(cells: tuple[GroundCell, ...]) -> Iterator[SceneShape]:
    """Cells by what is on them: heights first, under everything else."""
    for height in sorted({cell.elevation_ft for cell in cells} - {0}):
        spans = spans_of((cell.x, cell.y) for cell in cells if cell.elevation_ft == height)
        yield SceneShape(kind="height", label=f"{height:+d} ft", cells=spans)
    kinds: tuple[Literal["dark", "smoke", "cover", "solid"], ...] = (
        "dark",
        "smoke",
        "cover",
        "solid",
    )
    for kind in kinds:
        spans = spans_of((cell.x, cell.y) for cell in cells if _is(cell, kind))
        if spans:
            yield SceneShape(kind=kind, cells=spans)


def _is(cell: GroundCell, kind: Literal["dark", "smoke", "cover", "solid"]) -> bool:
    match kind:
        case "dark":
            return cell.dark
        case "smoke":
            return cell.smoke
        case "cover" | "solid":
            return cell.kind == kind


def _border(border: GroundBorder) -> SceneShape:
    """A border as the side of a cell: `v` its west side, `h` its north side."""
    along = (0, 1) if border.axis == "v" else (1, 0)
    start = ScenePoint(x=border.x, y=border.y)
    end = ScenePoint(x=border.x + along[0], y=border.y + along[1])
    return SceneShape(kind=border.kind, points=(start, end))
