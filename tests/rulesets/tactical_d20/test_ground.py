"""The ground as the rules see it: map, changes that everyone knows, and secrets laid over them."""

from typing import Any

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.spaces import Bounds
from service.errors import Malformed
from service.rulesets.tactical_d20.ground import ground_of, hidden_changes, public_ground
from service.rulesets.tactical_d20.rules import ground as rules
from service.rulesets.tactical_d20.rules.ground import CoverFeature, Ground
from tests.rulesets.tactical_d20.setups import seated

Tree = dict[str, Any]

WALL, GLASS, GRADED, SMOKE = (Feature("cell", x, 0) for x in range(4))
PARAPET, LOW, FOG = Feature("V", 5, 0), Feature("cell", 6, 0), Feature("H", 7, 0)


def parts(ground: Ground) -> Tree:
    """All that a ground holds; itself it is equal to itself alone."""
    return {name: getattr(ground, name) for name in ground.__struct_fields__}


def cells(*stated: Tree, **more: object) -> Tree:
    return {"form": "cells", "cells": list(stated), **more}


def test_each_attribute_makes_its_own_set() -> None:
    table = seated(
        {
            "map": cells(
                {"x": 0, "y": 0, "wall": True},
                {"x": 1, "y": 0, "wall": True, "transparent": True},
                {"x": 2, "y": 0, "wall": True, "cover": "improved"},
                {"x": 3, "y": 0, "concealment_pct": 30, "light": "dim"},
                {"x": 6, "y": 0, "cover": "normal", "low_height_ft": 3, "light": "dark"},
                borders=[
                    {"axis": "v", "x": 5, "y": 0, "cover": "partial"},
                    {"axis": "h", "x": 7, "y": 0, "opaque": True},
                ],
                bounds={"x": -1, "y": -1, "width": 9, "height": 3},
            )
        }
    )
    expected = rules.ground_of(
        walls=[WALL, GRADED],
        glass=[GLASS],
        opaque=[FOG],
        covers={
            GRADED: CoverFeature("improved"),
            LOW: CoverFeature("normal", 3),
            PARAPET: CoverFeature("partial"),
        },
        percents={SMOKE: 30},
        light={(3, 0): "dim", (6, 0): "dark"},
        bounds=Bounds(-1, -1, 9, 3),
    )
    assert parts(ground_of(table.state)) == parts(expected)


def test_secrets_are_in_the_truth_alone() -> None:
    hidden = {"cells": [{"x": 2, "y": 0, "wall": True}, {"x": 0, "y": 0}]}
    table = seated({"map": cells({"x": 0, "y": 0, "wall": True}), "hidden_terrain": hidden})
    state, rule = table.state, table.state.rule
    assert parts(public_ground(state)) == parts(rules.ground_of(walls=[WALL]))
    assert parts(ground_of(state)) == parts(rules.ground_of(walls=[GRADED]))
    assert hidden_changes(rule, (GRADED, SMOKE)) == (rule.secrets[1],)


def test_a_cell_stated_openly_is_no_secret_any_more() -> None:
    table = seated({"hidden_terrain": {"cells": [{"x": 2, "y": 0, "wall": True}]}})
    table.ask({"type": "set_terrain", "cells": [{"x": 2, "y": 0, "concealment_pct": 20}]})
    state, rule = table.state, table.state.rule
    assert rule.secrets == ()
    expected = rules.ground_of(percents={GRADED: 20})
    assert parts(ground_of(state)) == parts(public_ground(state)) == parts(expected)


@pytest.mark.parametrize("kind", ["cells", "borders"])
@pytest.mark.parametrize(
    ("stated", "attribute"),
    [({"transparent": True}, "transparent"), ({"low_height_ft": 3}, "low_height_ft")],
)
def test_changed_ground_goes_together_as_on_a_map(kind: str, stated: Tree, attribute: str) -> None:
    part = {"x": 0, "y": 0, **({"axis": "v"} if kind == "borders" else {}), **stated}
    with pytest.raises(Malformed) as refusal:
        seated({}).ask({"type": "set_terrain", kind: [part]})
    assert refusal.value.params["path"] == f"$.{kind}[0].{attribute}"
