"""Lines, fields of view, ways to cover and distances against a second formulation, at random."""

from random import Random
from typing import Final

import pytest

from service.engine.geometry.cell_lines import CornerRule
from service.engine.geometry.price_field import price_at
from service.rulesets.squad_d100.rules import ground as rules
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.ground import Ground
from service.rulesets.squad_d100.rules.lines import LineOptions, cells_between
from tests.rulesets.squad_d100 import oracle

SCENES: Final = range(40)
GLYPHS: Final = ".......█X|xD/~0EFW"


class Scene:
    """A random piece of ground with everything on it, and the lines that a table may choose."""

    def __init__(self, number: int) -> None:
        self.dice = dice = Random(number)
        self.width, self.height = dice.randint(1, 10), dice.randint(1, 8)
        glyphs = GLYPHS + "." * dice.choice([0, 10, 40])
        self.rows = [
            "".join(dice.choice(glyphs) for _ in range(self.width)) for _ in range(self.height)
        ]
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.rule: CornerRule = dice.choice(["both", "any"])
        self.blocks = dice.random() < 0.5
        self.reach = dice.choice([None, 3])
        self.options = LineOptions(
            corner_rule=self.rule, x_blocks_sight=self.blocks, sight_range=self.reach
        )

    @property
    def ground(self) -> Ground:
        """The ground as the rules have it."""
        return Ground(rows=tuple(self.rows))

    @property
    def stops_sight(self) -> str:
        """Glyphs that stop a sight line at this table."""
        return oracle.STOPS_SIGHT + ("X" if self.blocks else "")


@pytest.mark.rule("SQ-LOS-4")
@pytest.mark.parametrize("number", SCENES)
def test_a_field_of_view_is_that_of_a_second_formulation(number: int) -> None:
    scene = Scene(number)
    viewer = scene.dice.choice(scene.cells)
    seen = oracle.field_of_view(scene.rows, viewer, scene.stops_sight, scene.rule)
    reach = scene.reach if scene.reach is not None else 99
    expected = tuple(cell for cell in seen if oracle.distance(viewer, cell) <= reach)
    assert rules.field_of_view(scene.ground, viewer, scene.options) == expected
    for cell in scene.cells:
        sees = rules.sees(scene.ground, viewer, cell, scene.options)
        assert sees is (cell in expected)
        assert sees is rules.sees(scene.ground, cell, viewer, scene.options)


@pytest.mark.rule("SQ-LOS-1")
@pytest.mark.rule("SQ-LOS-2")
@pytest.mark.rule("SQ-LOS-3")
@pytest.mark.parametrize("number", SCENES)
def test_a_shot_line_is_that_of_a_second_formulation(number: int) -> None:
    scene = Scene(number)
    for here in scene.dice.choices(scene.cells, k=4):
        for there in scene.cells:
            is_clear = oracle.is_clear(scene.rows, here, there, oracle.STOPS_SHOTS, scene.rule)
            assert rules.has_shot_line(scene.ground, here, there, scene.options) is is_clear
            crossed = oracle.crossed_cells(here, there)
            assert sorted(cells_between(here, there)) == sorted(crossed)


@pytest.mark.rule("SQ-SUP-5")
@pytest.mark.parametrize("number", SCENES)
def test_the_price_of_the_nearest_cover_is_that_of_a_second_formulation(number: int) -> None:
    scene = Scene(number)
    taken = {cell for cell in scene.cells if scene.dice.random() < 0.15}
    expected = oracle.prices_to_cover(scene.rows, taken, scene.rule)
    free = [cell for cell in scene.cells if cell not in taken]
    for wanted in (free, free[:1]):
        prices = rules.cover_prices(scene.ground, taken, scene.rule, wanted)
        for cell in wanted:
            if scene.rows[cell[1]][cell[0]] not in oracle.STOPS_STEPS:
                assert price_at(prices, cell) == expected.get(cell)


@pytest.mark.rule("SQ-DIST-1")
@pytest.mark.parametrize("metric", oracle.METRICS)
def test_distances_are_those_of_a_second_formulation(metric: oracle.Metric) -> None:
    for here in ((0, 0), (5, 3)):
        for there in ((x, y) for x in range(12) for y in range(12)):
            cells = distance(here, there, metric)
            assert cells == oracle.distance(here, there, metric)
            assert cells == distance(there, here, metric)
