"""The scene of a battle: cells of 5 feet, their ground and borders, and the last attack."""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from service.engine.scene import (
    Scene,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneShape,
    SceneSource,
    bounds_around,
    spans_of,
)
from service.engine.vocabulary.values import Place
from service.rulesets.crossfire_d6.maps import MapBlob, MapBounds
from service.rulesets.crossfire_d6.terrain import GroundBorder, GroundCell, TerrainChange

OUT: Final = ("helpless", "dead")
"""Conditions of those who take no turn."""


class _Combatant(Struct, frozen=True, kw_only=True):
    """What a view tells of a combatant, as far as it is drawn."""

    id: str
    side: str
    place: Place
    name: str | UnsetType = UNSET
    size: int = 1
    facing: str = "N"
    band: str | UnsetType = UNSET
    posture: str | UnsetType = UNSET
    conditions: tuple[str, ...] = ()
    hidden: bool = False


class _State(Struct, frozen=True, kw_only=True):
    """What a view tells of a battle, as far as it is drawn."""

    combatants: tuple[_Combatant, ...] = ()
    terrain: tuple[TerrainChange, ...] = ()
    secrets: tuple[TerrainChange, ...] = ()
    turn: str | UnsetType = UNSET


class _Detail(Struct, frozen=True, kw_only=True):
    """Who attacks; absent where the viewer does not know."""

    attacker: str | UnsetType = UNSET


class _Effect(Struct, frozen=True, kw_only=True):
    """What an event tells of an attack."""

    type: str
    target: str | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    detail: _Detail = _Detail()


class _Event(Struct, frozen=True, kw_only=True):
    """What an event tells, as far as it is drawn."""

    effects: tuple[_Effect, ...] = ()


_STATES: Final[Decoder[_State]] = Decoder(_State)
_EVENTS: Final[Decoder[_Event]] = Decoder(_Event)
_MAPS: Final[Decoder[MapBlob]] = Decoder(MapBlob)


def scene(source: SceneSource) -> Scene:
    """The scene of what a viewer has."""
    state, event = _STATES.decode(source.state), _EVENTS.decode(source.event)
    blob = MapBlob() if source.map is None else _MAPS.decode(source.map)
    cells = {(cell.x, cell.y): cell for cell in blob.cells}
    borders = {(side.axis, side.x, side.y): side for side in blob.borders}
    for change in (*state.terrain, *state.secrets):
        if change.cell is not UNSET:
            cells[change.cell.x, change.cell.y] = change.cell
        if change.border is not UNSET:
            borders[change.border.axis, change.border.x, change.border.y] = change.border
    shapes = (
        *_ground(tuple(cells.values())),
        *(_border(each) for _, each in sorted(borders.items()) if each.kind != "free"),
    )
    return Scene(
        unit="cell_5ft",
        is_grid=True,
        bounds=_bounds(blob.bounds, shapes, state.combatants),
        shapes=shapes,
        combatants=tuple(_combatant(each, state.turn) for each in state.combatants),
        lines=tuple(_lines(event, {each.id: each for each in state.combatants})),
    )


def _ground(cells: tuple[GroundCell, ...]) -> Iterator[SceneShape]:
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


def _combatant(seen: _Combatant, turn: str | UnsetType) -> SceneCombatant:
    conditions = seen.conditions
    if seen.posture is not UNSET and seen.posture != "open":
        conditions = (seen.posture, *conditions)
    return SceneCombatant(
        id=seen.id,
        name=seen.name,
        side=seen.side,
        x=seen.place.x,
        y=seen.place.y,
        size=seen.size,
        elevation=seen.place.elevation,
        facing=seen.facing,
        band=seen.band,
        conditions=conditions,
        hidden=seen.hidden,
        is_out=any(each in OUT for each in conditions),
        has_turn=seen.id == turn,
    )


def _lines(event: _Event, known: dict[str, _Combatant]) -> Iterator[SceneLine]:
    """From the attacker to the target of each attack, as far as the viewer knows both."""
    for effect in event.effects:
        if effect.type != "attack_resolved":
            continue
        attacker = known.get(_word(effect.detail.attacker))
        target = known.get(_word(effect.target))
        if attacker is not None and target is not None:
            yield SceneLine(
                kind="attack",
                start=_middle(attacker),
                end=_middle(target),
                source=attacker.id,
                target=target.id,
                outcome=effect.outcome,
            )


def _word(word: str | UnsetType) -> str:
    return "" if word is UNSET else word


def _middle(seen: _Combatant) -> ScenePoint:
    """The middle of its space, in halves of a cell."""
    return ScenePoint(x=2 * seen.place.x + seen.size, y=2 * seen.place.y + seen.size)


def _bounds(
    stated: MapBounds | UnsetType,
    shapes: tuple[SceneShape, ...],
    combatants: tuple[_Combatant, ...],
) -> SceneBounds:
    if stated is not UNSET:
        return SceneBounds(x=stated.x, y=stated.y, width=stated.width, height=stated.height)
    corners = [
        *((x, y) for shape in shapes for x, y, _ in shape.cells),
        *((x + count, y + 1) for shape in shapes for x, y, count in shape.cells),
        *((each.x, each.y) for shape in shapes for each in shape.points),
        *((each.place.x, each.place.y) for each in combatants),
        *((each.place.x + each.size, each.place.y + each.size) for each in combatants),
    ]
    return bounds_around(corners)
