"""The preconditions of a walk, in their order."""

from typing import Any

import pytest

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.features import Border, Features, features_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space
from service.errors import Refused
from service.rulesets.tactical_d20.rules.movement import (
    Occupied,
    Walk,
    require_walk,
    walls_in,
)

MAP = Bounds(0, 0, 10, 10)
EDGE = [-10_000, -10_000, 20_001, 20_001]
NOWHERE = features_of()
NOBODY = Occupied()
MIDDLE = Space(5, 5)


def way(
    *path: Cell,
    start: Space = MIDDLE,
    speed: int = 30,
    prone: bool = False,
    spinning: bool = False,
    rule: DiagonalRule = "alternating",
) -> Walk:
    return Walk(
        space=start,
        path=path,
        speed_ft=speed,
        is_prone=prone,
        is_spinning=spinning,
        diagonal_rule=rule,
    )


def refusal(
    asked: Walk,
    walls: Features = NOWHERE,
    occupied: Occupied = NOBODY,
    bounds: Bounds | None = MAP,
) -> tuple[str, object]:
    with pytest.raises(Refused) as refused:
        require_walk(asked, bounds, walls, occupied)
    return refused.value.code, refused.value.params


@pytest.mark.parametrize(
    ("path", "rule", "length_ft"),
    [
        (((6, 5), (7, 6), (8, 7)), "equal", 15),
        (((6, 5), (7, 6), (8, 7)), "alternating", 20),
        (((6, 6), (7, 7), (8, 8)), "alternating", 20),
        (((6, 6), (6, 5), (5, 6), (5, 5)), "alternating", 25),
    ],
)
def test_a_free_path_is_allowed_and_its_length_told(
    path: tuple[Cell, ...], rule: DiagonalRule, length_ft: int
) -> None:
    asked = way(*path, rule=rule, speed=length_ft)
    assert require_walk(asked, MAP, NOWHERE, NOBODY) == length_ft
    shorter = way(*path, rule=rule, speed=length_ft - 1)
    assert refusal(shorter) == (
        "path_too_long",
        {"length_ft": length_ft, "longest_ft": length_ft - 1},
    )


def test_prone_one_makes_one_step_and_spinning_none() -> None:
    assert require_walk(way((6, 6), prone=True), MAP, NOWHERE, NOBODY) == 5
    assert refusal(way((6, 6), (7, 7), prone=True)) == (
        "prone_cannot_walk",
        {"steps": 2, "longest": 1},
    )
    assert refusal(way((6, 6), spinning=True)) == ("spinning_cannot_move", {})


@pytest.mark.parametrize("end", [(5, 4), (7, 5), (5, 7), (3, 3)])
def test_each_step_leads_to_a_neighbour(end: Cell) -> None:
    expected = {"step": 1, "dx": end[0] - 5, "dy": end[1] - 4}
    assert refusal(way((5, 4), end)) == ("path_not_contiguous", expected)


def test_the_whole_space_stays_on_the_map_and_a_map_without_an_edge_ends_far_out() -> None:
    assert refusal(way((8, 5), (9, 5), start=Space(7, 5, 2))) == (
        "off_map",
        {"step": 1, "x": 9, "y": 5, "bounds": [0, 0, 10, 10]},
    )
    assert refusal(way((9_999, 1), (10_000, 1), start=Space(9_998, 0, 2)), bounds=None) == (
        "off_map",
        {"step": 1, "x": 10_000, "y": 1, "bounds": EDGE},
    )
    out = way((10_000, -10_000), start=Space(9_999, -9_999))
    assert require_walk(out, None, NOWHERE, NOBODY) == 5


WALLS: list[tuple[list[Cell], list[Border], Cell, int, list[object]]] = [
    ([(6, 5)], [], (1, 0), 1, [["cell", 6, 5]]),
    ([], [("V", 6, 5)], (1, 0), 1, [["V", 6, 5]]),
    ([], [("H", 5, 5)], (0, -1), 1, [["H", 5, 5]]),
    ([], [("V", 7, 5)], (1, 0), 1, []),
    ([(6, 6)], [], (1, 1), 1, [["cell", 6, 6]]),
    ([(6, 5), (5, 6)], [], (1, 1), 1, [["cell", 5, 6], ["cell", 6, 5]]),
    ([], [("V", 6, 5)], (1, 1), 1, [["V", 6, 5]]),
    ([], [("V", 6, 6)], (1, 1), 1, [["V", 6, 6]]),
    ([], [("H", 5, 6)], (1, 1), 1, [["H", 5, 6]]),
    ([], [("H", 6, 6)], (1, 1), 1, [["H", 6, 6]]),
    ([], [("H", 6, 7)], (1, 1), 1, []),
    ([(7, 6)], [], (1, 0), 2, [["cell", 7, 6]]),
    ([], [("H", 7, 6)], (1, 0), 2, [["H", 7, 6]]),
    ([(7, 7)], [], (1, 0), 2, []),
    ([(7, 5)], [], (1, 1), 2, [["cell", 7, 5]]),
    ([(7, 8)], [], (1, 1), 2, []),
]


@pytest.mark.parametrize(("cells", "borders", "step", "size", "met"), WALLS)
def test_walls_are_not_entered_passed_taken_in_or_squeezed_past(
    cells: list[Cell], borders: list[Border], step: Cell, size: int, met: list[object]
) -> None:
    x, y = 5 + step[0], 5 + step[1]
    asked, walls = way((x, y), start=Space(5, 5, size)), features_of(cells, borders)
    if not met:
        require_walk(asked, MAP, walls, NOBODY)
        return
    assert refusal(asked, walls) == (
        "cell_impassable",
        {"step": 0, "x": x, "y": y, "features": met},
    )


def test_a_wall_laid_into_a_large_space_hinders_no_step_that_does_not_cross_it() -> None:
    walls = features_of([(5, 5)], [("V", 6, 6)])
    large = Space(5, 5, 2)
    assert walls_in(walls, large) == (("V", 6, 6), ("cell", 5, 5))
    for step in ((5, 6), (5, 4), (6, 5), (4, 5)):
        assert require_walk(way(step, start=large), MAP, walls, NOBODY) == 5


def test_enemies_are_not_walked_through_and_nobody_ends_on_the_living() -> None:
    enemy = Occupied(hostile=frozenset({(6, 5)}), held=frozenset({(6, 5)}))
    friend = Occupied(held=frozenset({(6, 5)}))
    through = way((6, 5), (7, 5))
    assert refusal(through, occupied=enemy) == ("cell_occupied", {"step": 0, "x": 6, "y": 5})
    assert require_walk(through, MAP, NOWHERE, friend) == 10
    assert refusal(way((6, 5)), occupied=friend) == (
        "cell_occupied",
        {"step": 0, "x": 6, "y": 5},
    )
    large = way((6, 5), (7, 5), start=Space(5, 5, 2))
    assert refusal(large, occupied=Occupied(held=frozenset({(8, 6)}))) == (
        "cell_occupied",
        {"step": 1, "x": 8, "y": 6},
    )


IN_ORDER: list[tuple[str, dict[str, Any]]] = [
    ("prone_cannot_walk", {"prone": True, "spinning": True}),
    ("spinning_cannot_move", {"spinning": True}),
    ("path_not_contiguous", {}),
]


def test_each_check_looks_at_the_whole_path_before_the_next() -> None:
    walls = features_of([(6, 5)])
    enemy = Occupied(hostile=frozenset({(5, 6)}))
    for code, more in IN_ORDER:
        assert refusal(way((6, 5), (10, 5), **more), walls, enemy)[0] == code
    over = way((5, 6), (6, 5), (7, 5), (8, 5), (9, 5), (10, 5), speed=5)
    assert refusal(over, walls, enemy)[0] == "off_map"
    within = way((5, 6), (6, 5), speed=5)
    assert refusal(within, walls, enemy)[0] == "cell_impassable"
    assert refusal(within, NOWHERE, enemy)[0] == "cell_occupied"
    assert refusal(within)[0] == "path_too_long"
