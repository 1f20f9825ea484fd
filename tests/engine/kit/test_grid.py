"""Maps of square cells: drawings, borders and the edge."""

from typing import Literal

import pytest

from service.engine.geometry.features import Border, Feature
from service.engine.geometry.spaces import Bounds
from service.engine.kit.grid import (
    border_of,
    drawn_cells,
    is_on_map,
    require_on_map,
    require_once,
    require_within,
)
from service.errors import Malformed, Refused

LEGEND = {"#": "wall", "~": "water"}
BOUNDS = Bounds(1, 2, 3, 3)


def test_a_drawing_marks_cells_from_its_north_west_corner_on() -> None:
    assert list(drawn_cells(["..#", "~.."], (-5, 7), LEGEND, "$.map.rows")) == [
        ((-3, 7), "wall"),
        ((-5, 8), "water"),
    ]
    assert list(drawn_cells(["."], (0, 0), LEGEND, "$.map.rows")) == []


@pytest.mark.parametrize(
    ("rows", "path", "allowed"),
    [
        (["..", "..."], "$.rows[1]", "2 characters"),
        (["..", ".", "x."], "$.rows[1]", "2 characters"),
        (["..", ".x"], "$.rows[1]", ". # ~"),
        ([".. "], "$.rows[0]", ". # ~"),
    ],
)
def test_a_drawing_has_equal_rows_of_known_characters(
    rows: list[str], path: str, allowed: str
) -> None:
    with pytest.raises(Malformed) as caught:
        list(drawn_cells(rows, (0, 0), LEGEND, "$.rows"))
    assert caught.value.params == {"path": path, "allowed": allowed}


@pytest.mark.parametrize(("axis", "border"), [("v", ("V", 3, -4)), ("h", ("H", 3, -4))])
def test_a_border_is_the_west_or_the_north_side_of_its_cell(
    axis: Literal["v", "h"], border: Border
) -> None:
    assert border_of(axis, 3, -4) == border


@pytest.mark.parametrize(
    ("part", "is_on"),
    [
        (Feature("cell", 1, 2), True),
        (Feature("cell", 3, 4), True),
        (Feature("cell", 0, 2), False),
        (Feature("cell", 1, 1), False),
        (Feature("cell", 4, 4), False),
        (Feature("cell", 3, 5), False),
        (Feature("V", 4, 4), True),
        (Feature("V", 5, 4), False),
        (Feature("V", 3, 5), False),
        (Feature("H", 3, 5), True),
        (Feature("H", 3, 6), False),
        (Feature("H", 4, 4), False),
    ],
)
def test_a_map_ends_with_the_borders_of_its_edge(part: Feature, is_on: bool) -> None:
    assert is_on_map(BOUNDS, part) is is_on


def test_what_lies_off_the_map_is_malformed_where_it_is_stated() -> None:
    require_on_map(BOUNDS, (), "$.cells")
    require_on_map(BOUNDS, (Feature("cell", 1, 2), Feature("V", 4, 4)), "$.cells")
    with pytest.raises(Malformed) as caught:
        require_on_map(BOUNDS, (Feature("cell", 1, 2), Feature("cell", 4, 4)), "$.cells")
    assert caught.value.params == {"path": "$.cells[1]", "allowed": "inside the bounds"}


def test_what_is_stated_twice_is_malformed_the_second_time() -> None:
    require_once((), "$.cells")
    require_once(((0, 1), (1, 0)), "$.cells")
    with pytest.raises(Malformed) as caught:
        require_once(((0, 1), (1, 0), (0, 1)), "$.cells")
    assert caught.value.params == {"path": "$.cells[2]", "allowed": "each stated once"}


def test_ground_is_changed_on_the_map_alone() -> None:
    edge, beyond = Feature("V", 4, 1), Feature("cell", 4, 1)
    require_within(None, [edge, beyond])
    require_within(Bounds(0, 0, 4, 3), [edge])
    with pytest.raises(Refused) as refusal:
        require_within(Bounds(0, 0, 4, 3), [edge, beyond])
    error = refusal.value
    assert (error.code, error.params) == ("off_map", {"x": 4, "y": 1, "bounds": [0, 0, 4, 3]})
