"""Chains of explosions: what shots and blasts touch goes off, first in, first out (SQ-EXP-3).

How this works. Neither cargo nor fuel, neither floor nor fire stops a line, so the ground of the
beginning answers for all lines of a chain; where objects still are is kept beside it.
"""

from collections.abc import Iterable

from msgspec import UNSET

from service.engine.geometry.points import Cell
from service.engine.visibility.streams import PUBLIC_STREAM
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.deciding.blasts import Blast, go_off, is_reached
from service.rulesets.squad_d100.deciding.hits import Means
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.wounds import wound
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.explosives import (
    SQ_EXP_1,
    SQ_EXP_2,
    ExplosionQueue,
    burns_beside,
    does_blast,
    touch_order,
)
from service.rulesets.squad_d100.rules.fire import SQ_FIRE_1, wound_on_entering
from service.rulesets.squad_d100.rules.ground import (
    Ground,
    cells_of_terrain,
    is_inside,
    terrain_at,
)
from service.rulesets.squad_d100.rules.shots import D100
from service.rulesets.squad_d100.rules.terrain import Terrain
from service.rulesets.squad_d100.state import is_down
from service.rulesets.squad_d100.terrain import TerrainChange


class Chain:
    """The ground while a chain of explosions goes through it, and what is left to go off."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.queue = ExplosionQueue()
        self._left = set(objects_of(ground))
        self._changed: dict[Cell, Terrain] = {}

    def terrain(self, cell: Cell) -> Terrain:
        """What is in a cell by now."""
        return self._changed.get(cell) or terrain_at(self.ground, cell)

    def touch(self, cells: Iterable[Cell]) -> None:
        """Put the objects in these cells into the queue."""
        touched = self._left.intersection(cells)
        self._left -= touched
        self.queue.touch(touched)

    def objects_within(self, origin: Cell, radius: int) -> Iterable[Cell]:
        """The objects that are left and not farther than this along either axis."""
        x, y = origin
        if len(self._left) > (2 * radius + 1) ** 2:
            square = (
                (column, row)
                for row in range(y - radius, y + radius + 1)
                for column in range(x - radius, x + radius + 1)
            )
            return self._left.intersection(square)
        return (cell for cell in self._left if max(abs(cell[0] - x), abs(cell[1] - y)) <= radius)

    def change(self, effects: BattleEffects, cells: Iterable[Cell], to: Terrain, rule: str) -> None:
        """Lay other terrain into cells, row by row."""
        changed = touch_order(cells)
        self._changed |= dict.fromkeys(changed, to)
        effects.emit(
            own.TerrainChanged(
                rule=rule,
                changes=tuple(TerrainChange(x=x, y=y, terrain=to) for x, y in changed),
                cause="explosion",
            )
        )


def objects_of(ground: Ground) -> tuple[Cell, ...]:
    """The cells with cargo and fuel."""
    return (*cells_of_terrain(ground, "explosive_cargo"), *cells_of_terrain(ground, "fuel"))


def set_off(resolution: Resolution, cells: Iterable[Cell]) -> None:
    """The objects in these cells go off, and whatever they touch, until nothing is left to."""
    chain = Chain(ground_of(resolution.state))
    chain.touch(cells)
    run(resolution, chain)


def set_off_within(resolution: Resolution, origin: Cell, radius: int) -> None:
    """Whatever a blast has touched goes off; its victims are resolved already."""
    effects = resolution.effects
    chain = Chain(ground_of(effects.state))
    _touch_within(effects, chain, origin, radius)
    run(resolution, chain)


def run(resolution: Resolution, chain: Chain) -> None:
    """Let one object after the other go off, in the order of the queue."""
    while (cell := chain.queue.next()) is not None:
        if does_blast(chain.terrain(cell)):
            _explode(resolution, chain, cell)
        else:
            _burn(resolution.effects, chain, cell)


def _explode(resolution: Resolution, chain: Chain, cell: Cell) -> None:
    effects = resolution.effects
    options = effects.rule.options
    chain.change(effects, (cell,), "floor", SQ_EXP_1)
    roll = resolution.dice.roll(1, D100, "explosion", stream=PUBLIC_STREAM)
    means = Means(options.explosive_ap, options.explosive_damage, cause="explosion")
    blast = Blast(cell, options.explosive_radius, means, roll.total, roll)
    go_off(resolution, chain.ground, blast)
    _touch_within(effects, chain, cell, options.explosive_radius)


def _touch_within(effects: BattleEffects, chain: Chain, origin: Cell, radius: int) -> None:
    chain.touch(
        [
            cell
            for cell in chain.objects_within(origin, radius)
            if is_reached(effects.rule, chain.ground, origin, radius, cell)
        ]
    )


def _burn(effects: BattleEffects, chain: Chain, cell: Cell) -> None:
    """Fuel and the open ground beside it burn, and so does everybody who stands there."""
    rule = effects.rule
    x, y = cell
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    burning = {
        each
        for each in around
        if is_inside(chain.ground, each)
        and burns_beside(chain.terrain(each), distance(cell, each, rule.options.distance_metric))
    }
    chain.change(effects, burning, "fire", SQ_EXP_2)
    kind = wound_on_entering(True, rule.options.fire_effect)
    if kind is None:
        return
    for combatant in sorted(rule.combatants, key=lambda each: each.number):
        if combatant.place is UNSET or is_down(combatant):
            continue
        if cell_of(combatant) in burning:
            wound(effects, combatant.id, kind, "fire", is_burning=True, rule=SQ_FIRE_1)
