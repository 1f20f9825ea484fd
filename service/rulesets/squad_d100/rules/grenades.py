"""SQ-GREN: how far a grenade goes, where it comes down, and whom its blast reaches."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.halves import half
from service.rulesets.squad_d100.rules.shots import Outcome, is_critical_failure, shot_outcome

SQ_GREN_1: Final = "SQ-GREN-1"
SQ_GREN_2: Final = "SQ-GREN-2"
SQ_GREN_3: Final = "SQ-GREN-3"
SQ_GREN_4: Final = "SQ-GREN-4"

D8: Final = 8

_DIRECTIONS: Final[tuple[Cell, ...]] = (
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
)
"""Where each face of the d8 leads: 1 up, then clockwise."""


class Bystander(NamedTuple):
    """Somebody who may be in a blast; `number` is the order of coming into being."""

    id: str
    number: int
    distance: int


def longest_throw(strength: int) -> int:
    """SQ-GREN-1: one throws half as many cells as one is strong.

    Source: «максимальная дальность броска равна половине силы (STR/2) с округлением в меньшую
    сторону».
    """
    return half(strength)


def require_in_throw(distance: int, strength: int) -> None:
    """The cell is not farther than the longest throw. Raises Refused("out_of_throw_range")."""
    longest = longest_throw(strength)
    if distance > longest:
        raise Refused("out_of_throw_range", rule=SQ_GREN_1, distance=distance, longest=longest)


def throw_outcome(natural: int, modifiers: int, accuracy: int, crit_success_max: int) -> Outcome:
    """SQ-GREN-2: a throw is a roll to hit like an aimed shot at a cell.

    Default, not in the source text.
    """
    return shot_outcome(natural, modifiers, accuracy, crit_success_max)


def scatter_steps(natural: int) -> int:
    """How many cells a throw that missed goes astray."""
    return 2 if is_critical_failure(natural) else 1


def scattered(cell: Cell, direction: int, steps: int, is_open: Callable[[Cell], bool]) -> Cell:
    """SQ-GREN-3: a miss goes astray by the d8, one cell at a time, until something stops it.

    `direction` is the face, 1 to 8; `is_open` tells whether a cell is on the map, no wall and no
    closed door. Corners stop nothing. Default, not in the source text.
    """
    dx, dy = _DIRECTIONS[direction - 1]
    for _ in range(steps):
        further = (cell[0] + dx, cell[1] + dy)
        if not is_open(further):
            break
        cell = further
    return cell


def blast_order(reached: Iterable[Bystander]) -> tuple[str, ...]:
    """SQ-GREN-4: a blast strikes all whom it reaches, the nearest first, then by number.

    Friends and the thrower too. Default, not in the source text.
    """
    return tuple(each.id for each in sorted(reached, key=lambda each: (each.distance, each.number)))
