"""Questions about a battle that are no actions: what is in view, a line of fire, the nearest cover.

All of them are answered from what the caller may know: whoever is hidden from it stands in nobody's
way, and is in nobody's field of view.
"""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.inspection import Inspection
from service.engine.kit.inspections import CombatantId
from service.engine.kit.targets import require_one
from service.engine.scene import Span, spans_of
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import Place
from service.errors import Malformed, Refused
from service.rulesets.squad_d100.deciding.cover_duty import footing_of, ways_to_cover
from service.rulesets.squad_d100.deciding.shot_resolution import is_in_cover
from service.rulesets.squad_d100.ground import ground_of, line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.duty import CoverField
from service.rulesets.squad_d100.rules.ground import (
    Ground,
    field_of_view,
    has_shot_line,
    has_sight_line,
    is_inside,
)
from service.rulesets.squad_d100.rules.lines import cells_between
from service.rulesets.squad_d100.rules.movement import Footing, may_step, neighbours, step_price
from service.rulesets.squad_d100.rules.ranges import Band, range_band
from service.rulesets.squad_d100.state import BattleState, Combatant, is_down
from service.rulesets.squad_d100.terrain import CellCoordinate


class CombatantQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """About whom."""

    combatant: CombatantId
    """Id of the combatant."""


class FieldOfView(Struct, frozen=True, kw_only=True):
    """What a combatant sees (SQ-LOS-4); there is no facing."""

    combatant: str
    """Id of the combatant."""
    place: Place
    """Its cell."""
    cells: tuple[Annotated[Span, Meta(description="x, y, count")], ...]
    """Runs of cells in view, its own included, each `[x, y, count]`: `count` cells from (x, y) to
    the right, row by row."""
    combatants: tuple[str, ...]
    """Ids of the others of the caller's view who stand there, in the order of entry."""


class LineOfFireQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose shot at whom, or at which cell."""

    attacker: CombatantId
    """Id of the combatant who would shoot."""
    target: CombatantId | UnsetType = UNSET
    """Id of the combatant who would be shot at; absent where a cell is stated."""
    x: CellCoordinate | UnsetType = UNSET
    """Column of the cell that would be shot at; absent where a target is stated."""
    y: CellCoordinate | UnsetType = UNSET
    """Row of the cell that would be shot at; absent where a target is stated."""


class LineOfFire(Struct, frozen=True, kw_only=True):
    """The line of a shot, whatever weapons and turns say."""

    attacker: str
    """Id of the combatant at whose cell it begins."""
    target: str | UnsetType = UNSET
    """Id of the combatant at whose cell it ends; absent where a cell was asked for."""
    start: Place
    """Cell in which it begins."""
    end: Place
    """Cell in which it ends."""
    distance: int
    """Cells between the two, in the battle's metric (SQ-DIST-1)."""
    band: Band
    """Band of range (SQ-RANGE-1)."""
    is_clear: bool
    """Whether nothing stops a shot (SQ-LOS-3)."""
    is_in_sight: bool
    """Whether nothing stops sight, however far it is (SQ-LOS-3)."""
    cells: tuple[Place, ...]
    """Cells that the line crosses in between, from the attacker on (SQ-LOS-1)."""
    in_cover: bool | UnsetType = UNSET
    """Whether the target would be in cover from this attacker (SQ-COVER-1); absent for a cell."""


class NearestCover(Struct, frozen=True, kw_only=True):
    """The cheapest way of a combatant to a free cell of cover (SQ-SUP-5)."""

    combatant: str
    """Id of the combatant."""
    place: Place
    """Its cell."""
    price_mp: int | UnsetType = UNSET
    """Movement points of the way, 0 in cover; absent where no cover can be reached."""
    path: tuple[Place, ...] = ()
    """The steps of one such way; none in cover, and where no cover can be reached."""


def _view(state: State[BattleState], query: CombatantQuery, _: Viewer) -> FieldOfView:
    """Raises Refused("unknown_combatant") or ("no_cell")."""
    rule, ground = state.rule, ground_of(state)
    viewer = require_combatant(rule, query.combatant)
    here = _require_cell(viewer)
    cells = frozenset(field_of_view(ground, here, line_options(rule.options)))
    return FieldOfView(
        combatant=viewer.id,
        place=_place(here),
        cells=spans_of(cells),
        combatants=tuple(
            each.id
            for each in rule.combatants
            if each.id != viewer.id
            and each.place is not UNSET
            and not is_down(each)
            and cell_of(each) in cells
        ),
    )


def _line(state: State[BattleState], query: LineOfFireQuery, _: Viewer) -> LineOfFire:
    """Raises Malformed, Refused("unknown_combatant"), ("target_self") or ("no_cell")."""
    rule, ground = state.rule, ground_of(state)
    attacker = require_combatant(rule, query.attacker)
    here = _require_cell(attacker)
    target, there = _aim(rule, ground, query)
    if target is not None and target.id == attacker.id:
        raise Refused("target_self", combatant=target.id)
    options = line_options(rule.options)
    apart = distance(here, there, rule.options.distance_metric)
    return LineOfFire(
        attacker=attacker.id,
        target=UNSET if target is None else target.id,
        start=_place(here),
        end=_place(there),
        distance=apart,
        band=range_band(apart),
        is_clear=has_shot_line(ground, here, there, options),
        is_in_sight=has_sight_line(ground, here, there, options),
        cells=tuple(map(_place, cells_between(here, there))),
        in_cover=UNSET if target is None else is_in_cover(rule, ground, here, there),
    )


def _cover(state: State[BattleState], query: CombatantQuery, _: Viewer) -> NearestCover:
    """Raises Refused("unknown_combatant") or ("no_cell")."""
    rule = state.rule
    mover = require_combatant(rule, query.combatant)
    here, footing = _require_cell(mover), footing_of(state, mover)
    field = ways_to_cover(state, mover, [here])
    price = field(here)
    return NearestCover(
        combatant=mover.id,
        place=_place(here),
        price_mp=UNSET if price is None else price,
        path=() if price is None else tuple(map(_place, _way(field, footing, here))),
    )


def _require_cell(combatant: Combatant) -> Cell:
    """The cell of a combatant. Raises Refused("no_cell") for one that has none yet."""
    if combatant.place is UNSET:
        raise Refused("no_cell", combatant=combatant.id)
    return cell_of(combatant)


def _aim(
    rule: BattleState, ground: Ground, query: LineOfFireQuery
) -> tuple[Combatant | None, Cell]:
    """Who would be shot at, if anybody, and where."""
    require_one(query, "target", "x")
    if query.target is not UNSET:
        target = require_combatant(rule, query.target)
        return target, _require_cell(target)
    if query.x is UNSET or query.y is UNSET:
        raise Malformed(path="$.y", allowed="x and y")
    cell = (query.x, query.y)
    if not is_inside(ground, cell):
        width, height = ground.width, ground.height
        raise Refused("out_of_map", x=cell[0], y=cell[1], width=width, height=height)
    return None, cell


def _way(field: CoverField, footing: Footing, start: Cell) -> tuple[Cell, ...]:
    """The steps of a cheapest way to a goal of the field; of equal ones the first, row by row."""
    path: list[Cell] = []
    here, left = start, field(start)
    while left:
        for there in neighbours(here):
            price = field(there) if may_step(footing, here, there) else None
            if price is not None and price + step_price(here, there) == left:
                here, left = there, price
                path.append(there)
                break
        else:
            raise ValueError(f"no way on from {here}")
    return tuple(path)


def _place(cell: Cell) -> Place:
    return Place(x=cell[0], y=cell[1])


INSPECTIONS: Final = (
    Inspection(
        name="field_of_view",
        says="All cells that a combatant sees, and who stands there.",
        query=CombatantQuery,
        answer=FieldOfView,
        inspect=_view,
    ),
    Inspection(
        name="line_of_fire",
        says="The line of a shot: what it crosses, and whether it is clear.",
        query=LineOfFireQuery,
        answer=LineOfFire,
        inspect=_line,
    ),
    Inspection(
        name="nearest_cover",
        says="The cheapest way of a combatant to a free cell of cover.",
        query=CombatantQuery,
        answer=NearestCover,
        inspect=_cover,
    ),
)
