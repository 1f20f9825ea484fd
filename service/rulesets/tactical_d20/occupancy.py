"""Who stands in whose way, as far as a state knows them."""

from collections.abc import Iterable, Iterator, Sequence

from service.engine.battle.roster import is_out
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space, cells_of
from service.rulesets.tactical_d20.creatures import are_hostile, space_of
from service.rulesets.tactical_d20.rules.movement import Occupied
from service.rulesets.tactical_d20.state import BattleState, Combatant, is_dead


def occupied_by_others(rule: BattleState, mover: Combatant, area: Bounds) -> Occupied:
    """The cells of everybody but the mover: nobody passes an able enemy or ends on the living.

    Of those who hold none of the `area` nothing is told.
    """
    others = tuple(each for each in rule.combatants if each.id != mover.id and _touches(area, each))
    return Occupied(
        hostile=frozenset(
            _cells(each for each in others if are_hostile(each, mover) and not is_out(each))
        ),
        held=frozenset(_cells(each for each in others if not is_dead(each))),
    )


def area_of(start: Space, path: Sequence[Cell]) -> Bounds:
    """The rectangle of all cells that a walk along this path comes to hold."""
    columns, rows = [start.x, *(x for x, _ in path)], [start.y, *(y for _, y in path)]
    west, north = min(columns), min(rows)
    width, height = max(columns) - west + start.size, max(rows) - north + start.size
    return Bounds(west, north, width, height)


def _touches(area: Bounds, combatant: Combatant) -> bool:
    place, size = combatant.place, combatant.size
    return -size < place.x - area.x < area.width and -size < place.y - area.y < area.height


def held_cell(rule: BattleState, combatant: Combatant) -> Cell | None:
    """The first cell of a combatant's space that somebody else holds who is not dead."""
    space = space_of(combatant)
    near = [
        each
        for each in rule.combatants
        if each.id != combatant.id and not is_dead(each) and _overlap(space, space_of(each))
    ]
    held = frozenset(_cells(near))
    return next((cell for cell in cells_of(space) if cell in held), None)


def _overlap(one: Space, other: Space) -> bool:
    return -one.size < one.x - other.x < other.size and -one.size < one.y - other.y < other.size


def _cells(combatants: Iterable[Combatant]) -> Iterator[Cell]:
    for combatant in combatants:
        yield from cells_of(space_of(combatant))
