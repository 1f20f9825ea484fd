"""Where a combatant could walk to with one action, as far as a viewer knows the ground."""

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.geometry.strides import stride
from service.engine.kit.walks import Reached, Walker, walks_of
from service.rulesets.crossfire_d6.fighters import occupied_by_others, space_of
from service.rulesets.crossfire_d6.rules.ground import Board
from service.rulesets.crossfire_d6.rules.movement import can_step
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL
from service.rulesets.crossfire_d6.state import BattleState, Combatant
from service.rulesets.crossfire_d6.terrain import FARTHEST


def reachable(rule: BattleState, board: Board, mover: Combatant) -> tuple[Reached, ...]:
    """Every other cell where the mover may end a walk, by row and column.

    Actions are not looked at.
    """
    occupied, ground, size = occupied_by_others(rule, mover.id), board.ground, mover.size
    start = space_of(mover)

    def may_step(cell: Cell, step: Cell) -> bool:
        x, y = cell
        if max(abs(x + step[0]), abs(y + step[1])) > FARTHEST:
            return False
        for across, along in stride(size, step).entered:
            if (x + across, y + along) in occupied.standing:
                return False
        return can_step(ground, Space(x, y, size), step)

    def may_end(cell: Cell) -> bool:
        return occupied.bodies.isdisjoint(cells_of(Space(*cell, size)))

    budget = mover.speed_ft // FEET_PER_CELL
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
