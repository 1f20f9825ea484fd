"""The scene of a battle: cells of 5 feet, ground and borders, and why the last attack ended so.

Beside the line of an attack stand those from the corners that cover and concealment were judged
from, as far as they meet something; of an attack at a cell players have the cell alone.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder
from msgspec.structs import asdict, replace

from service.engine.kit.scene import draw_scene
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneLine,
    ScenePoint,
    SceneShape,
    SceneSource,
    spans_of,
)
from service.engine.vocabulary.values import Place
from service.rulesets.tactical_d20.maps import MapBlob
from service.rulesets.tactical_d20.rules.reports import Vertex
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL
from service.rulesets.tactical_d20.terrain import UNIT, GroundBorder, GroundCell, TerrainChange

OUT: Final = ("unconscious", "dead")
"""Conditions of those who take no turn."""

Part = GroundCell | GroundBorder


class _Ground(Struct, frozen=True, kw_only=True):
    """What a view tells of the ground."""

    terrain: tuple[TerrainChange, ...] = ()
    secrets: tuple[TerrainChange, ...] = ()


class _MetLine(Struct, frozen=True, kw_only=True):
    """What an event tells of a line that meets something."""

    end: Vertex


class _Report(Struct, frozen=True, kw_only=True):
    """What an event tells of cover or concealment."""

    corner: Vertex | UnsetType = UNSET
    lines: tuple[_MetLine, ...] = ()


class _Detail(Struct, frozen=True, kw_only=True):
    """What an event tells of an attack, unless the viewer does not know of the attacker.

    Or what it tells the game master of whoever was in a cell that was attacked.
    """

    cover: _Report = _Report()
    concealment: _Report = _Report()


class _Victim(Struct, frozen=True, kw_only=True):
    """What an event tells of somebody whom an area reaches."""

    cover: _Report = _Report()


class _Effect(Struct, frozen=True, kw_only=True):
    """What an event tells of an attack."""

    type: str
    place: Place | UnsetType = UNSET
    detail: _Detail = _Detail()
    guess: _Detail = _Detail()
    victims: tuple[_Victim, ...] = ()


class _Event(Struct, frozen=True, kw_only=True):
    """What an event tells, as far as it is drawn here."""

    effects: tuple[_Effect, ...] = ()


_GROUNDS: Final[Decoder[_Ground]] = Decoder(_Ground)
_MAPS: Final[Decoder[MapBlob]] = Decoder(MapBlob)
_EVENTS: Final[Decoder[_Event]] = Decoder(_Event)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    blob = MapBlob() if source.map is None else _MAPS.decode(source.map)
    cells, borders = _ground(blob, _GROUNDS.decode(source.state))
    event = _EVENTS.decode(source.event)
    shapes = (
        *_cells(cells),
        *(shape for border in borders for shape in _border(border)),
        *_cells_attacked(event),
    )
    bounds = UNSET if blob.bounds is UNSET else SceneBounds(**asdict(blob.bounds))
    drawn = draw_scene(source, shapes, unit=UNIT, is_grid=True, out=OUT, bounds=bounds)
    return replace(
        drawn,
        areas=tuple(_in_cells(area) for area in drawn.areas),
        lines=(*(_to_corner(line) for line in drawn.lines), *_deciding_lines(event)),
    )


def _ground(
    blob: MapBlob, ground: _Ground
) -> tuple[tuple[GroundCell, ...], tuple[GroundBorder, ...]]:
    """The marked cells and borders of a map with what changed since."""
    cells = {(cell.x, cell.y): cell for cell in blob.cells}
    borders = {(side.axis, side.x, side.y): side for side in blob.borders}
    for change in (*ground.terrain, *ground.secrets):
        if change.cell is not UNSET:
            cells[change.cell.x, change.cell.y] = change.cell
        if change.border is not UNSET:
            borders[change.border.axis, change.border.x, change.border.y] = change.border
    return tuple(cells.values()), tuple(borders[key] for key in sorted(borders))


def _is_dim(part: Part) -> bool:
    return isinstance(part, GroundCell) and part.light == "dim"


def _is_dark(part: Part) -> bool:
    return isinstance(part, GroundCell) and part.light == "dark"


def _has_smoke(part: Part) -> bool:
    return part.concealment_pct is not UNSET


def _is_opaque(part: Part) -> bool:
    return part.opaque


def _is_cover(part: Part) -> bool:
    return part.cover is not UNSET and not part.wall


def _is_glass(part: Part) -> bool:
    return part.wall and part.transparent


def _is_solid(part: Part) -> bool:
    return part.wall and not part.transparent


_KINDS: Final[tuple[tuple[str, Callable[[Part], bool]], ...]] = (
    ("dim", _is_dim),
    ("dark", _is_dark),
    ("smoke", _has_smoke),
    ("opaque", _is_opaque),
    ("cover", _is_cover),
    ("glass", _is_glass),
    ("solid", _is_solid),
)
"""Kinds of ground, in the order in which they are drawn."""


def _cells(cells: tuple[GroundCell, ...]) -> Iterator[SceneShape]:
    """Cells by what is on them; cover by its label."""
    for kind, holds in _KINDS:
        marked = [cell for cell in cells if holds(cell)]
        for label in sorted({_label(kind, cell) for cell in marked}):
            spans = spans_of((cell.x, cell.y) for cell in marked if _label(kind, cell) == label)
            yield SceneShape(kind=kind, label=label or UNSET, cells=spans)


def _border(border: GroundBorder) -> Iterator[SceneShape]:
    """A border as the side of a cell: `v` its west side, `h` its north side."""
    along = (0, 1) if border.axis == "v" else (1, 0)
    start = ScenePoint(x=border.x, y=border.y)
    end = ScenePoint(x=border.x + along[0], y=border.y + along[1])
    for kind, holds in _KINDS:
        if holds(border):
            label = _label(kind, border) or UNSET
            yield SceneShape(kind=kind, label=label, points=(start, end))


def _label(kind: str, part: Part) -> str:
    """How dense smoke is, how high a low obstacle; nothing where the kind says it all."""
    if kind == "smoke":
        return f"{part.concealment_pct} %"
    if kind == "cover" and part.low_height_ft is not UNSET:
        return f"{part.low_height_ft} ft"
    return ""


def _cells_attacked(event: _Event) -> Iterator[SceneShape]:
    """The cells that attacks of the last event named."""
    for effect in event.effects:
        if effect.type == "attack_resolved" and effect.place is not UNSET:
            spans = spans_of([(effect.place.x, effect.place.y)])
            yield SceneShape(kind="attack_cell", cells=spans)


def _in_cells(area: SceneArea) -> SceneArea:
    """An area with its radius in cells instead of feet."""
    return replace(area, radius=area.radius // FEET_PER_CELL)


def _to_corner(line: SceneLine) -> SceneLine:
    """A line that ends at a corner where an area begins, not in the middle of the cell there."""
    if line.target is not UNSET:
        return line
    return replace(line, end=ScenePoint(x=line.end.x - 1, y=line.end.y - 1))


def _deciding_lines(event: _Event) -> Iterator[SceneLine]:
    """The lines that meet something, from the corners used to corners of the targets' spaces."""
    for effect in event.effects:
        for kind, report in (
            ("cover", effect.detail.cover),
            ("concealment", effect.detail.concealment),
            ("cover", effect.guess.cover),
            ("concealment", effect.guess.concealment),
            *(("cover", victim.cover) for victim in effect.victims),
        ):
            if report.corner is not UNSET:
                start = _point(report.corner)
                for line in report.lines:
                    yield SceneLine(kind=kind, start=start, end=_point(line.end))


def _point(corner: Vertex) -> ScenePoint:
    """A corner of the grid, in halves of the unit."""
    return ScenePoint(x=2 * corner.x, y=2 * corner.y)
