"""Borders that nobody knew of: what a walk passes, what a shot's line touches, is known then."""

from typing import Any

import pytest

from tests.kit.table import Table, effects_of
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle, seated

Tree = dict[str, Any]


def side(axis: str, x: int, y: int, kind: str = "solid") -> Tree:
    return {"axis": axis, "x": x, "y": y, "kind": kind}


def bordered(*borders: Tree, **target: Any) -> Table:
    """Red a at the corner and blue t, in his reach or wherever stated; nobody knows the borders."""
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle(), blade(reach_ft=10)]),
        fighter("t", "blue", target.get("x", 6), target.get("y", 0)),
    ]
    setup = {"combatants": people, "hidden_terrain": {"borders": list(borders)}}
    table = seated({**setup, "battle": in_progress("a", "t")})
    table.ask({"type": "start_encounter"})
    return table


def walk(*cells: tuple[int, int]) -> Tree:
    return {"type": "move", "combatant": "a", "path": [{"x": x, "y": y} for x, y in cells]}


SHOT: Tree = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}


@pytest.mark.parametrize(
    ("border", "path", "steps"),
    [
        (side("v", 1, 0), [(1, 0), (2, 0)], 0),
        (side("v", 2, 0), [(1, 0), (2, 0)], 1),
        (side("v", 3, 0), [(1, 0), (2, 0)], None),
        (side("v", 2, 1), [(1, 0), (2, 0)], None),
        (side("h", 1, 0), [(1, 0), (2, 0)], None),
        (side("h", 0, 1), [(0, 1)], 0),
        (side("h", 1, 1), [(0, 1)], None),
        (side("v", 1, 1), [(1, 1)], 0),
        (side("h", 1, 1), [(1, 1)], 0),
        (side("v", 1, 2), [(1, 1)], None),
        (side("v", 1, 0, "cover"), [(1, 0), (2, 0)], 2),
        (side("v", 1, 1, "cover"), [(1, 1)], None),
    ],
)
def test_a_walk_meets_the_borders_that_it_passes_and_stops_at_solid_ones(
    border: Tree, path: list[tuple[int, int]], steps: int | None
) -> None:
    """`steps`: how far it leads; None: it meets nothing."""
    effects = effects_of(bordered(border).ask(walk(*path), "ann"))
    made = path if steps is None else path[:steps]
    told = {"type": "terrain_changed", "cause": "met", "changes": [{"border": border}]}
    assert [(each["x"], each["y"]) for each in effects[1]["path"]] == made
    assert effects[1]["complete"] is (made == path)
    assert effects[2:] == ([] if steps is None else [{**told, "secret": False}])


@pytest.mark.parametrize(
    ("border", "is_met"),
    [
        (side("v", 3, 0), True),
        (side("v", 6, 0), True),
        (side("v", 7, 0), False),
        (side("v", 3, 1), False),
        (side("h", 3, 0), False),
        (side("v", 3, 0, "cover"), False),
    ],
)
def test_a_shot_is_stopped_by_a_border_that_nobody_knew_of(border: Tree, is_met: bool) -> None:
    effects = effects_of(bordered(border).ask(SHOT, "ann"))
    told = {"type": "terrain_changed", "cause": "met", "changes": [{"border": border}]}
    assert effects[1:-1] == ([{**told, "secret": False}] if is_met else [])
    assert (effects[-1]["outcome"] == "obstructed") is is_met


@pytest.mark.parametrize(
    ("pair", "is_met"),
    [
        ([("v", 2, 1), ("v", 2, 2)], True),
        ([("h", 2, 2), ("v", 2, 2)], True),
        ([("h", 1, 2), ("v", 2, 1)], True),
        ([("h", 1, 2), ("h", 2, 2)], True),
        ([("h", 2, 2), ("v", 2, 1)], False),
        ([("h", 1, 2), ("v", 2, 2)], False),
        ([("v", 2, 2)], False),
    ],
)
@pytest.mark.parametrize(
    ("more", "is_touched"),
    [
        (("v", 3, 2), True),
        (("v", 3, 3), True),
        (("h", 2, 3), True),
        (("h", 3, 3), True),
        (("v", 3, 4), False),
        (("v", 3, 1), False),
        (("h", 4, 3), False),
        (("h", 1, 3), False),
    ],
)
def test_borders_that_pinch_a_line_are_met_with_all_that_touch_it(
    pair: list[tuple[str, int, int]], is_met: bool, more: tuple[str, int, int], is_touched: bool
) -> None:
    """The line of a shot at (4, 4) passes the vertices (1, 1) to (4, 4)."""
    borders = [side(*each) for each in (*pair, more)]
    effects = effects_of(bordered(*borders, x=4, y=4).ask(SHOT, "ann"))
    touching = sorted([*pair, more] if is_touched else pair)
    told = [(each["border"]) for each in effects[1]["changes"]] if is_met else effects[1:-1]
    assert told == ([side(*each) for each in touching] if is_met else [])
    assert (effects[-1]["outcome"] == "obstructed") is is_met
