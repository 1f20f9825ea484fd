"""The scene of a battle: covers and combatants in metres, and the last attack or burst."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, Struct
from msgspec.json import Decoder

from service.engine.kit.scene import draw_scene
from service.engine.scene import Scene, ScenePoint, SceneShape, SceneSource
from service.rulesets.seeker_d100.content import Blob
from service.rulesets.seeker_d100.terrain import UNIT, Cover, CoverChange, Ground, Point

OUT: Final = ("unconscious", "dead")
"""Conditions of those who take no turn."""


class _Options(Struct, frozen=True, kw_only=True):
    """The option that a map in cells is read by."""

    cell_m: int = 1


class _Ground(Struct, frozen=True, kw_only=True):
    """What a view tells of the ground."""

    options: _Options = _Options()
    terrain: tuple[CoverChange, ...] = ()
    secrets: tuple[CoverChange, ...] = ()


_GROUNDS: Final[Decoder[_Ground]] = Decoder(_Ground)
_MAPS: Final[Decoder[Blob]] = Decoder(Blob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    ground = _GROUNDS.decode(source.state)
    covers = dict(_mapped(source, ground.options.cell_m))
    for change in (*ground.terrain, *ground.secrets):
        if change.terrain is UNSET:
            covers.pop(change.feature, None)
        else:
            covers[change.feature] = _ends(change.terrain, 1)
    shapes = tuple(
        SceneShape(kind="cover", label=name, points=ends) for name, ends in sorted(covers.items())
    )
    return draw_scene(source, shapes, unit=UNIT, is_grid=False, out=OUT)


def _mapped(source: SceneSource, cell_m: int) -> Iterator[tuple[str, tuple[ScenePoint, ...]]]:
    """The covers of the map in metres, by id."""
    blob = Blob() if source.map is None else _MAPS.decode(source.map)
    covers: tuple[Cover, ...] = () if blob.cover is UNSET else blob.cover
    scale = cell_m if blob.unit == "cells" else 1
    for cover in covers:
        yield cover.id, _ends(cover, scale)


def _ends(ground: Ground, scale: int) -> tuple[ScenePoint, ...]:
    return _point(ground.start, scale), _point(ground.end, scale)


def _point(point: Point, scale: int) -> ScenePoint:
    return ScenePoint(x=point.x * scale, y=point.y * scale)
