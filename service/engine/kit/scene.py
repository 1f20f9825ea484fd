"""The picture of a battle: what every ruleset draws alike, from the JSON of a view and an event.

How this works. A ruleset decodes the ground, which is its own, and hands over the shapes of it.
Combatants, the lines of attacks and the discs of areas stand in words that all rulesets share. On a
grid a combatant fills cells, and a line ends in the middle of them; elsewhere it is a point.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from service.engine.geometry.templates import beam, cone, corners_drawn
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

_UPRIGHT: Final = ("none", "open", "standing")
"""Postures that are not worth a word."""


class _Combatant(Struct, frozen=True, kw_only=True):
    """What a view tells of a combatant, as far as it is drawn."""

    id: str
    side: str
    place: Place | UnsetType = UNSET
    name: str | UnsetType = UNSET
    size: int = 1
    facing: str | UnsetType = UNSET
    band: str | UnsetType = UNSET
    posture: str = "none"
    conditions: tuple[str, ...] = ()
    hidden: bool = False


class _View(Struct, frozen=True, kw_only=True):
    """What a view tells of a battle, as far as all rulesets draw it."""

    combatants: tuple[_Combatant, ...] = ()


class _Detail(Struct, frozen=True, kw_only=True):
    """Who attacks; absent where the viewer does not know."""

    attacker: str | UnsetType = UNSET


class _Area(Struct, frozen=True, kw_only=True):
    """Where something bursts, and how far it reaches; without a radius or corners, a point."""

    kind: str
    origin: Place
    aim: Place | UnsetType = UNSET
    radius: int = 0
    length: int | UnsetType = UNSET
    half_width: int | UnsetType = UNSET


class _Effect(Struct, frozen=True, kw_only=True):
    """What an event tells of an attack or a burst."""

    type: str
    target: str | UnsetType = UNSET
    area: _Area | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    detail: _Detail = _Detail()


class _Event(Struct, frozen=True, kw_only=True):
    """What an event tells, as far as it is drawn."""

    effects: tuple[_Effect, ...] = ()


_VIEWS: Final[Decoder[_View]] = Decoder(_View)
_EVENTS: Final[Decoder[_Event]] = Decoder(_Event)


def draw_scene(
    source: SceneSource,
    shapes: tuple[SceneShape, ...],
    *,
    unit: str,
    is_grid: bool,
    out: Collection[str],
    bounds: SceneBounds | UnsetType = UNSET,
) -> Scene:
    """The scene of what a viewer has, with the ground as `shapes`.

    `out` are the conditions of those who take no part any more. Who stands nowhere is left
    out. Without bounds, what is drawn is everything that is seen.
    """
    combatants = tuple(
        _drawn_combatant(each, each.place, source.acting, out)
        for each in _VIEWS.decode(source.state).combatants
        if each.place is not UNSET
    )
    event = _EVENTS.decode(source.event)
    areas = tuple(_areas(event))
    return Scene(
        unit=unit,
        is_grid=is_grid,
        bounds=_bounds(shapes, combatants, areas, is_grid) if bounds is UNSET else bounds,
        shapes=shapes,
        combatants=combatants,
        areas=areas,
        lines=tuple(_lines(event, {each.id: each for each in combatants}, is_grid)),
    )


def _drawn_combatant(
    combatant: _Combatant, place: Place, acting: Collection[str], out: Collection[str]
) -> SceneCombatant:
    posture = () if combatant.posture in _UPRIGHT else (combatant.posture,)
    return SceneCombatant(
        id=combatant.id,
        name=combatant.name,
        side=combatant.side,
        x=place.x,
        y=place.y,
        size=combatant.size,
        elevation=place.elevation,
        facing=combatant.facing,
        band=combatant.band,
        conditions=(*posture, *combatant.conditions),
        hidden=combatant.hidden,
        is_out=any(condition in out for condition in combatant.conditions),
        has_turn=combatant.id in acting,
    )


def _areas(event: _Event) -> Iterator[SceneArea]:
    for effect in event.effects:
        if effect.type == "area_resolved" and effect.area is not UNSET:
            origin = effect.area.origin
            yield SceneArea(
                kind=effect.area.kind,
                x=origin.x,
                y=origin.y,
                radius=effect.area.radius,
                points=_corners(effect.area),
            )


def _corners(area: _Area) -> tuple[ScenePoint, ...] | UnsetType:
    """The corners of a beam or a cone, rounded; no other area has any."""
    if area.aim is UNSET or area.length is UNSET or area.half_width is UNSET:
        return UNSET
    lay = cone if area.kind == "cone" else beam
    aim, origin = (area.aim.x, area.aim.y), (area.origin.x, area.origin.y)
    ray = lay(origin, aim, area.length, area.half_width)
    return tuple(ScenePoint(x=x, y=y) for x, y in corners_drawn(ray))


def _lines(
    event: _Event, combatants: Mapping[str, SceneCombatant], is_grid: bool
) -> Iterator[SceneLine]:
    """A line from the attacker to the target or area of each attack, if both ends are in sight."""
    for effect in event.effects:
        attacker = combatants.get(effect.detail.attacker or "")
        end = _end(effect, combatants, is_grid)
        if attacker is not None and end is not None:
            yield SceneLine(
                kind="attack",
                start=_middle(attacker, is_grid),
                end=end,
                source=attacker.id,
                target=effect.target,
                outcome=effect.outcome,
            )


def _end(
    effect: _Effect, combatants: Mapping[str, SceneCombatant], is_grid: bool
) -> ScenePoint | None:
    """Where an attack ends: in the middle of its target, or of the area."""
    if effect.type == "attack_resolved":
        target = combatants.get(effect.target or "")
        return None if target is None else _middle(target, is_grid)
    if effect.type == "area_resolved" and effect.area is not UNSET:
        return _halved(effect.area.origin.x, effect.area.origin.y, int(is_grid))
    return None


def _middle(combatant: SceneCombatant, is_grid: bool) -> ScenePoint:
    return _halved(combatant.x, combatant.y, combatant.size if is_grid else 0)


def _halved(x: int, y: int, size: int) -> ScenePoint:
    """The middle of a square, in halves of the unit."""
    return ScenePoint(x=2 * x + size, y=2 * y + size)


def _bounds(
    shapes: tuple[SceneShape, ...],
    combatants: tuple[SceneCombatant, ...],
    areas: tuple[SceneArea, ...],
    is_grid: bool,
) -> SceneBounds:
    """The rectangle around everything that is seen."""
    spans = [span for shape in shapes for span in shape.cells]
    return bounds_around(
        [
            *((x, y) for x, y, _ in spans),
            *((x + count, y + 1) for x, y, count in spans),
            *((point.x, point.y) for shape in shapes for point in shape.points),
            *((each.x, each.y) for each in combatants),
            *((each.x + each.size, each.y + each.size) for each in combatants if is_grid),
            *((each.x - each.radius, each.y - each.radius) for each in areas),
            *((each.x + each.radius, each.y + each.radius) for each in areas),
        ]
    )
