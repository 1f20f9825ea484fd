"""The scene of a battle: cells, each with its terrain, who stands there, and the last attack."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from service.engine.kit.scene import draw_scene
from service.engine.scene import Scene, SceneBounds, SceneShape, SceneSource, spans_of
from service.engine.vocabulary.values import Place
from service.rulesets.squad_d100.ground import changed_rows
from service.rulesets.squad_d100.map_print import PrintedUnit, print_of
from service.rulesets.squad_d100.maps import MapBlob
from service.rulesets.squad_d100.rules.glyphs import glyph_of
from service.rulesets.squad_d100.rules.ground import (
    Ground,
    cells_of_terrain,
    open_doors,
)
from service.rulesets.squad_d100.rules.terrain import KINDS
from service.rulesets.squad_d100.rules.words import Character, Kind
from service.rulesets.squad_d100.terrain import ChangedRow

UNIT: Final = "cell"
"""What a scene measures in."""

OUT: Final = ("down",)
"""Conditions of those who take no turn."""


class _Unit(Struct, frozen=True, kw_only=True):
    """What a view tells of a combatant, as far as it is printed."""

    id: str
    side: str
    kind: Kind
    character: Character | UnsetType = UNSET
    place: Place | UnsetType = UNSET
    conditions: tuple[str, ...] = ()


class _View(Struct, frozen=True, kw_only=True):
    """What a view tells of the ground, and of whoever is printed on it."""

    terrain: tuple[ChangedRow, ...] = ()
    combatants: tuple[_Unit, ...] = ()


_VIEWS: Final[Decoder[_View]] = Decoder(_View)
_MAPS: Final[Decoder[MapBlob]] = Decoder(MapBlob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    ground = _ground(source, _VIEWS.decode(source.state))
    bounds = SceneBounds(x=0, y=0, width=max(1, ground.width), height=max(1, ground.height))
    return draw_scene(
        source, tuple(_shapes(ground)), unit=UNIT, is_grid=True, out=OUT, bounds=bounds
    )


def prints(source: SceneSource) -> str:
    """What a viewer has as text (1.8): the map, then whoever is there."""
    view = _VIEWS.decode(source.state)
    return print_of(_ground(source, view), tuple(map(_printed, view.combatants)))


def _printed(unit: _Unit) -> PrintedUnit:
    character = None if unit.character is UNSET else unit.character
    return PrintedUnit(
        id=unit.id,
        glyph=glyph_of(unit.kind, character),
        cell=None if unit.place is UNSET else (unit.place.x, unit.place.y),
        side=unit.side,
        is_down=any(condition in OUT for condition in unit.conditions),
    )


def _ground(source: SceneSource, view: _View) -> Ground:
    """The ground of the map with what changed since; without a map it has no rows."""
    blob = MapBlob() if source.map is None else _MAPS.decode(source.map)
    return Ground(rows=changed_rows(blob.rows, view.terrain))


def _shapes(ground: Ground) -> Iterator[SceneShape]:
    """Cells by their terrain; empty places are drawn by nothing."""
    for terrain in KINDS:
        cells = cells_of_terrain(ground, terrain)
        if cells and terrain != "floor":
            yield SceneShape(kind=terrain, cells=spans_of(cells))
    opened = open_doors(ground)
    if opened:
        yield SceneShape(kind="open_door", cells=spans_of(opened))
