"""The scene of a battle: the table and its terrain in u, warriors on their bases, Melodies in play.

Whoever waits on its way for those on guard is drawn with its path and the point where it was
stopped last. All of it is what the view tells: a song of somebody unseen is not in it.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder
from msgspec.structs import replace

from service.engine.geometry.templates import Coverage, Disc, Ray, corners_drawn
from service.engine.kit.scene import draw_scene
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneScale,
    SceneShape,
    SceneSource,
)
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.points import PATH_START, STEP, PathPoint, Point
from service.rulesets.melody_d6.rules.geometry import point_on_path
from service.rulesets.melody_d6.rules.templates import coverage_of
from service.rulesets.melody_d6.shapes import laid
from service.rulesets.melody_d6.terrain import UNIT, FeatureChange, Obstacle, obstacle

OUT: Final = ("out", "fled")
"""Conditions of those who are on the table no more."""

MARKERS: Final = ("masked", "on_guard", "fleeing", "stunned")
"""Conditions for which a marker lies beside a base."""

SCALE: Final = SceneScale(unit="step", length=STEP)


class _Warrior(Struct, frozen=True, kw_only=True):
    """What a view tells of a warrior, beside what all rulesets draw."""

    id: str
    place: Place | UnsetType = UNSET
    base_radius: int = 500
    unit: str | UnsetType = UNSET
    conditions: tuple[str, ...] = ()


class _Song(Struct, frozen=True, kw_only=True):
    """What a view tells of a lasting Melody in play."""

    melody: str
    shape: Shape


class _Context(Struct, frozen=True, kw_only=True):
    """What a view tells of a window in which somebody is on its way."""

    movers: tuple[str, ...] = ()
    path: tuple[Point, ...] = ()
    used: PathPoint = PATH_START


class _Question(Struct, frozen=True, kw_only=True):
    """An open question, as far as it is drawn."""

    context: _Context = _Context()


class _Group(Struct, frozen=True, kw_only=True):
    """Questions asked together."""

    decisions: tuple[_Question, ...] = ()


class _View(Struct, frozen=True, kw_only=True):
    """What a view tells of a battle, beside what all rulesets draw."""

    combatants: tuple[_Warrior, ...] = ()
    terrain: tuple[FeatureChange, ...] = ()
    songs: tuple[_Song, ...] = ()
    turn_unit: str | UnsetType = UNSET
    pending: tuple[_Group, ...] = ()


class _Victim(Struct, frozen=True, kw_only=True):
    """What an event tells of somebody under a template."""

    target: str
    outcome: str


class _Detail(Struct, frozen=True, kw_only=True):
    """Who attacks; absent where the viewer does not know."""

    attacker: str | UnsetType = UNSET


class _Sheet(Struct, frozen=True, kw_only=True):
    """A warrior who comes in or becomes known, told whole: nothing of it is drawn."""


class _Effect(Struct, frozen=True, kw_only=True):
    """What an event tells of a template, a movement or an attack."""

    type: str
    melody: str | UnsetType = UNSET
    victims: tuple[_Victim, ...] = ()
    combatant: str | _Sheet | UnsetType = UNSET
    start: Place | UnsetType = UNSET
    target: str | UnsetType = UNSET
    detail: _Detail = _Detail()


class _Event(Struct, frozen=True, kw_only=True):
    """What an event tells, as far as it is drawn here."""

    effects: tuple[_Effect, ...] = ()


_VIEWS: Final[Decoder[_View]] = Decoder(_View)
_EVENTS: Final[Decoder[_Event]] = Decoder(_Event)
_MAPS: Final[Decoder[Blob]] = Decoder(Blob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    view = _VIEWS.decode(source.state)
    blob = Blob() if source.map is None else _MAPS.decode(source.map)
    width = MapInput().width if blob.width is UNSET else blob.width
    height = MapInput().height if blob.height is UNSET else blob.height
    shapes = tuple(_drawn_feature(each) for each in _obstacles(blob, view))
    bounds = SceneBounds(x=0, y=0, width=width, height=height)
    drawn = draw_scene(source, shapes, unit=UNIT, is_grid=False, out=OUT, bounds=bounds)
    effects = _EVENTS.decode(source.event).effects
    warriors = {each.id: each for each in view.combatants}
    return replace(
        drawn,
        scale=SCALE,
        combatants=tuple(_based(each, warriors[each.id], view) for each in drawn.combatants),
        areas=(*_struck(effects, drawn.areas), *_templates(view), *_stops(view)),
        lines=(*_attacks(effects, drawn), *_ways(view)),
    )


def _obstacles(blob: Blob, view: _View) -> Iterator[Obstacle]:
    """The terrain as it is now, by id."""
    features = (
        {}
        if blob.features is UNSET
        else {each.id: obstacle(each.id, each) for each in blob.features}
    )
    for change in view.terrain:
        features.pop(change.feature, None)
        if change.terrain is not UNSET:
            features[change.feature] = obstacle(change.feature, change.terrain)
    yield from (features[each] for each in sorted(features))


def _drawn_feature(feature: Obstacle) -> SceneShape:
    return SceneShape(
        kind=feature.kind,
        label=feature.id,
        points=tuple(ScenePoint(x=x, y=y) for x, y in feature.polygon.vertices),
        is_closed=True,
        is_high=feature.is_high,
    )


def _based(drawn: SceneCombatant, warrior: _Warrior, view: _View) -> SceneCombatant:
    """A warrior on its base with its markers; while a unit is active, its members alone act."""
    is_active = view.turn_unit is UNSET or warrior.unit == view.turn_unit
    return replace(
        drawn,
        radius=warrior.base_radius,
        markers=tuple(each for each in MARKERS if each in warrior.conditions),
        has_turn=drawn.has_turn and is_active and not drawn.is_out,
    )


def _attacks(effects: tuple[_Effect, ...], drawn: Scene) -> Iterator[SceneLine]:
    """The attacks of the last event between where both stood then: who was shot at may go on."""
    seen = {each.id for each in drawn.combatants}
    lines = iter(drawn.lines)
    for at, effect in enumerate(effects):
        if effect.type == "attack_resolved" and {effect.target, effect.detail.attacker} <= seen:
            line = next(lines)
            yield replace(
                line,
                start=_stood(effects, at, line.source, line.start),
                end=_stood(effects, at, line.target, line.end),
            )


def _stood(
    effects: tuple[_Effect, ...], at: int, combatant: str | UnsetType, place: ScenePoint
) -> ScenePoint:
    """Where somebody stood before an effect who stands at `place` behind all of them."""
    for effect in effects[at:]:
        if effect.type == "moved" and effect.combatant == combatant and effect.start is not UNSET:
            return ScenePoint(x=2 * effect.start.x, y=2 * effect.start.y)
    return place


def _struck(effects: tuple[_Effect, ...], areas: tuple[SceneArea, ...]) -> Iterator[SceneArea]:
    """The templates of the last event with their Melodies and whom they struck."""
    told = [each for each in effects if each.type == "area_resolved"]
    for area, effect in zip(areas, told, strict=True):
        under: dict[str, list[str]] = {"full": [], "part": []}
        for victim in effect.victims:
            under[victim.outcome].append(victim.target)
        yield replace(
            area, label=effect.melody, full=tuple(under["full"]), part=tuple(under["part"])
        )


def _templates(view: _View) -> Iterator[SceneArea]:
    """The templates of Melodies in play, and whom of those seen they cover."""
    for song in view.songs:
        template = laid(song.shape)
        if template is not None:
            covered: dict[Coverage, list[str]] = {"full": [], "part": [], "none": []}
            for each in view.combatants:
                if each.place is not UNSET and not set(OUT) & set(each.conditions):
                    spot = each.place.x, each.place.y
                    covered[coverage_of(template, spot, each.base_radius)].append(each.id)
            yield SceneArea(
                kind="melody",
                label=song.melody,
                x=song.shape.origin.x,
                y=song.shape.origin.y,
                radius=template.radius if isinstance(template, Disc) else 0,
                points=UNSET if isinstance(template, Disc) else _corners(template),
                full=tuple(covered["full"]),
                part=tuple(covered["part"]),
            )


def _corners(template: Ray) -> tuple[ScenePoint, ...]:
    """The corners of a beam or a cone, rounded."""
    return tuple(ScenePoint(x=x, y=y) for x, y in corners_drawn(template))


def _ways(view: _View) -> Iterator[SceneLine]:
    """The legs of those who wait on their way; lines are told in halves of a unit."""
    for context in _waiting(view):
        for start, end in zip(context.path, context.path[1:], strict=False):
            yield SceneLine(
                kind="path",
                start=ScenePoint(x=2 * start.x, y=2 * start.y),
                end=ScenePoint(x=2 * end.x, y=2 * end.y),
                source=context.movers[0] if context.movers else UNSET,
            )


def _stops(view: _View) -> Iterator[SceneArea]:
    """The furthest points at which somebody was shot at on its way (ML-GUARD-9)."""
    for context in _waiting(view):
        if context.used != PATH_START:
            start, *path = ((at.x, at.y) for at in context.path)
            at = context.used
            x, y = point_on_path(start, tuple(path), at.leg, at.permille)
            yield SceneArea(kind="interruption", x=x, y=y, radius=0)


def _waiting(view: _View) -> Iterator[_Context]:
    for group in view.pending:
        for question in group.decisions:
            if len(question.context.path) > 1:
                yield question.context
