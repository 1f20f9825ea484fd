"""Where a combatant could walk to with one action, as far as a state knows the ground."""

from typing import Final

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of, moved
from service.engine.kit.walks import Reached, Walker, walks_of
from service.rulesets.tactical_d20.creatures import space_of
from service.rulesets.tactical_d20.occupancy import area_of, occupied_by_others
from service.rulesets.tactical_d20.rules.ground import Ground
from service.rulesets.tactical_d20.rules.movement import entered_by, off_edge, walls_against
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL
from service.rulesets.tactical_d20.state import BattleState, Combatant

MOST_CELLS: Final = 40
"""Cells of a walk at most that are looked at, however fast somebody is."""


def reachable(rule: BattleState, ground: Ground, mover: Combatant) -> tuple[Reached, ...]:
    """Every other cell at most 200 feet away where the mover may end a walk, by row and column.

    None for one who spins. Actions are not looked at.
    """
    if "spinning" in mover.conditions:
        return ()
    budget, size, start = (
        min(mover.speed_ft // FEET_PER_CELL, MOST_CELLS),
        mover.size,
        space_of(mover),
    )
    corners = ((start.x - budget, start.y - budget), (start.x + budget, start.y + budget))
    occupied = occupied_by_others(rule, mover, area_of(start, corners))

    def may_step(cell: Cell, step: Cell) -> bool:
        here = Space(*cell, size)
        return (
            off_edge(moved(here, step), ground.bounds) is None
            and occupied.hostile.isdisjoint(entered_by(here, step))
            and not walls_against(ground.walls, here, step)
        )

    def may_end(cell: Cell) -> bool:
        return occupied.held.isdisjoint(cells_of(Space(*cell, size)))

    return walks_of(
        Walker(
            start=(start.x, start.y),
            budget=budget,
            longest=1 if "prone" in mover.conditions else budget,
            diagonal_rule=rule.options.diagonal_rule,
            may_step=may_step,
            may_end=may_end,
        )
    )
