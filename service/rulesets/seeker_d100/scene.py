"""The scene of a battle: covers and combatants in metres, and the last attack or burst."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneShape,
    SceneSource,
    bounds_around,
)
from service.engine.vocabulary.values import Place
from service.rulesets.seeker_d100.content import Blob
from service.rulesets.seeker_d100.terrain import Cover, CoverChange, Ground, Point

OUT: Final = ("unconscious", "dead")
"""Conditions of those who take no turn."""


class _Options(Struct, frozen=True, kw_only=True):
    """The option that a map in cells is read by."""

    cell_m: int = 1


class _Combatant(Struct, frozen=True, kw_only=True):
    """What a view tells of a combatant, as far as it is drawn."""

    id: str
    side: str
    place: Place
    name: str | UnsetType = UNSET
    band: str | UnsetType = UNSET
    conditions: tuple[str, ...] = ()
    hidden: bool = False


class _State(Struct, frozen=True, kw_only=True):
    """What a view tells of a battle, as far as it is drawn."""

    options: _Options = _Options()
    combatants: tuple[_Combatant, ...] = ()
    terrain: tuple[CoverChange, ...] = ()
    secrets: tuple[CoverChange, ...] = ()
    turn: str | UnsetType = UNSET


class _Detail(Struct, frozen=True, kw_only=True):
    """Who attacks; absent where the viewer does not know."""

    attacker: str | UnsetType = UNSET


class _Area(Struct, frozen=True, kw_only=True):
    """Where something bursts."""

    kind: str
    origin: Place
    radius: int | UnsetType = UNSET


class _Effect(Struct, frozen=True, kw_only=True):
    """What an event tells of an attack."""

    type: str
    target: str | UnsetType = UNSET
    area: _Area | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    detail: _Detail = _Detail()


class _Event(Struct, frozen=True, kw_only=True):
    """What an event tells, as far as it is drawn."""

    effects: tuple[_Effect, ...] = ()


_STATES: Final[Decoder[_State]] = Decoder(_State)
_EVENTS: Final[Decoder[_Event]] = Decoder(_Event)
_MAPS: Final[Decoder[Blob]] = Decoder(Blob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    state, event = _STATES.decode(source.state), _EVENTS.decode(source.event)
    covers = dict(_mapped(source, state.options.cell_m))
    for change in (*state.terrain, *state.secrets):
        if change.terrain is UNSET:
            covers.pop(change.feature, None)
        else:
            covers[change.feature] = _ends(change.terrain, 1)
    shapes = tuple(
        SceneShape(kind="cover", label=name, points=ends) for name, ends in sorted(covers.items())
    )
    known = {each.id: each for each in state.combatants}
    areas = tuple(_areas(event))
    return Scene(
        unit="metre",
        is_grid=False,
        bounds=_bounds(shapes, state.combatants, areas),
        shapes=shapes,
        combatants=tuple(_combatant(each, state.turn) for each in state.combatants),
        areas=areas,
        lines=tuple(_lines(event, known)),
    )


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


def _combatant(seen: _Combatant, turn: str | UnsetType) -> SceneCombatant:
    return SceneCombatant(
        id=seen.id,
        name=seen.name,
        side=seen.side,
        x=seen.place.x,
        y=seen.place.y,
        elevation=seen.place.elevation,
        band=seen.band,
        conditions=seen.conditions,
        hidden=seen.hidden,
        is_out=any(each in OUT for each in seen.conditions),
        has_turn=seen.id == turn,
    )


def _areas(event: _Event) -> Iterator[SceneArea]:
    for effect in event.effects:
        if effect.type == "area_resolved" and effect.area is not UNSET:
            at, radius = effect.area.origin, effect.area.radius
            yield SceneArea(
                kind=effect.area.kind, x=at.x, y=at.y, radius=0 if radius is UNSET else radius
            )


def _lines(event: _Event, known: dict[str, _Combatant]) -> Iterator[SceneLine]:
    """From the attacker to whom or what each attack was aimed at, as far as both are known."""
    for effect in event.effects:
        attacker = None if effect.detail.attacker is UNSET else known.get(effect.detail.attacker)
        end: Place | None = None
        if effect.type == "attack_resolved" and effect.target is not UNSET:
            target = known.get(effect.target)
            end = None if target is None else target.place
        if effect.type == "area_resolved" and effect.area is not UNSET:
            end = effect.area.origin
        if attacker is not None and end is not None:
            yield SceneLine(
                kind="attack",
                start=ScenePoint(x=2 * attacker.place.x, y=2 * attacker.place.y),
                end=ScenePoint(x=2 * end.x, y=2 * end.y),
                source=attacker.id,
                target=effect.target,
                outcome=effect.outcome,
            )


def _bounds(
    shapes: tuple[SceneShape, ...],
    combatants: tuple[_Combatant, ...],
    areas: tuple[SceneArea, ...],
) -> SceneBounds:
    corners = [
        *((each.x, each.y) for shape in shapes for each in shape.points),
        *((each.place.x, each.place.y) for each in combatants),
        *((each.x - each.radius, each.y - each.radius) for each in areas),
        *((each.x + each.radius, each.y + each.radius) for each in areas),
    ]
    return bounds_around(corners)
