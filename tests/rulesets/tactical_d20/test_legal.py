"""What is listed as allowed is accepted, and what is not listed is refused."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from service.errors import Malformed, Refused
from tests.kit.random_battles import ask, by_master, play, random_answer
from tests.kit.table import Table, tree_of
from tests.rulesets.tactical_d20.battles import BATTLES
from tests.rulesets.tactical_d20.odds import duel
from tests.rulesets.tactical_d20.setups import Tree, blade, bomb, rifle, seated

MOMENTS = range(30)
GUESSED = 6
"""Cells around a combatant up to which cells to be attacked are listed."""


def nodes(table: Table, combatant: str) -> dict[str, Any]:
    """The nodes of everything that a combatant may do, by type."""
    return {node["type"]: node for node in tree_of(table.legal(combatant))}


def refusal(table: Table, action: Tree) -> str | None:
    """Why an action of the game master is refused, None if it is not."""
    try:
        table.preview(action)
    except (Malformed, Refused) as refused:
        return refused.code
    return None


@pytest.fixture(scope="module", params=MOMENTS)
def table(request: pytest.FixtureRequest) -> Table:
    """A battle of which some was played: somebody has the turn, and nobody is asked."""
    number = request.param
    present = seated(BATTLES.varied(number) if number % 2 else BATTLES.setup(number))
    play(present, number, number % 9)
    dice = Random(number)
    while present.questions:
        ask(present, random_answer(present, dice, by_master)[0])
    return present


def deed(table: Table, kind: str, **more: object) -> Tree:
    return {"type": kind, "combatant": table.turn, **more}


def listed(node: Any, name: str) -> set[Any]:
    """Every weapon with every aim that is listed for it."""
    members = node["params"]["weapon"]["one_of"] if node else []
    return {
        (member["value"], aim if isinstance(aim, str) else (aim["x"], aim["y"]))
        for member in members
        for aim in member["params"][name]["one_of"]
    }


def test_exactly_the_listed_targets_are_accepted(table: Table) -> None:
    assert table.turn is not None
    weapons = [weapon.id for weapon in table.combatant(table.turn).weapons]
    targets = [each.id for each in table.state.rule.combatants]
    accepted = {
        (weapon, target)
        for weapon, target in product(weapons, targets)
        if refusal(table, deed(table, "attack", weapon=weapon, target=target)) is None
    }
    assert listed(nodes(table, table.turn).get("attack"), "target") == accepted


def test_exactly_the_listed_cells_nearby_are_accepted(table: Table) -> None:
    assert table.turn is not None
    actor = table.combatant(table.turn)
    near = range(-GUESSED, actor.size + GUESSED)
    cells = [(actor.place.x + dx, actor.place.y + dy) for dx, dy in product(near, near)]
    accepted = {
        (weapon.id, (x, y))
        for weapon in actor.weapons
        for x, y in cells
        if refusal(table, deed(table, "attack_cell", weapon=weapon.id, cell={"x": x, "y": y}))
        is None
    }
    assert listed(nodes(table, table.turn).get("attack_cell"), "cell") == accepted


def test_exactly_the_listed_postures_are_accepted(table: Table) -> None:
    assert table.turn is not None
    found = nodes(table, table.turn)
    for kind in ("drop_prone", "stand_up", "right_self", "end_turn"):
        assert (kind in found) == (refusal(table, deed(table, kind)) is None)


def test_exactly_the_listed_cells_end_a_walk(table: Table) -> None:
    assert table.turn is not None
    node = nodes(table, table.turn).get("move")
    cells = node["params"]["path"]["cells"] if node else []
    costs = {(cell["x"], cell["y"]): cell["cost_ft"] for cell in cells}
    for cell in cells:
        assert cell["path"][-1] == {"x": cell["x"], "y": cell["y"]}
        preview = tree_of(table.preview(deed(table, "move", path=cell["path"])))
        assert preview["facts"]["cost_ft"] == cell["cost_ft"]
    here = table.combatant(table.turn).place
    for walk in random_walks(table):
        action, end = deed(table, "move", path=walk), (walk[-1]["x"], walk[-1]["y"])
        if refusal(table, action) is None and end != (here.x, here.y):
            assert tree_of(table.preview(action))["facts"]["cost_ft"] >= costs[end]


def random_walks(table: Table) -> Iterator[list[dict[str, int]]]:
    dice = Random(len(table.events))
    here = table.combatant(table.turn or "").place
    for _ in range(60):
        x, y, walk = here.x, here.y, []
        drift = dice.choice((-1, 0, 1)), dice.choice((-1, 0, 1))
        for _ in range(dice.randint(1, 6)):
            dx, dy = drift if dice.random() < 0.7 else (dice.randint(-1, 1), dice.randint(-1, 1))
            x, y = x + dx, y + dy
            walk.append({"x": x, "y": y})
        yield walk


def battle(a: Tree | None = None, t: Tree | None = None, *, x: int = 4, **more: Any) -> Table:
    """Ann's a, who has the turn, and Bob's t so many cells east."""
    table = seated(duel(a or {}, t or {}, x=x, **more))
    table.ask({"type": "start_encounter"})
    return table


def test_an_attack_lists_weapons_targets_and_corners_with_their_unit() -> None:
    corners = [{"x": x, "y": y} for y in (0, 1) for x in (0, 1)]
    named = {"one_of": corners, "optional": True, "unit": "cell_5ft"}
    by_defender, by_attacker = (
        nodes(battle(options={"concealment_corner_chooser": each}), "a")["attack"]
        for each in ("defender", "attacker")
    )
    params = {"target": {"one_of": ["t"]}, "cover_corner": named}
    assert by_defender == {
        "type": "attack",
        "params": {"weapon": {"one_of": [{"value": "rifle", "params": params}]}},
        "example": {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"},
    }
    both = {**params, "concealment_corner": named}
    assert by_attacker["params"] == {"weapon": {"one_of": [{"value": "rifle", "params": both}]}}


def test_an_area_effect_may_begin_at_every_corner_of_the_map() -> None:
    bounds = {"x": -3, "y": -2, "width": 8, "height": 5}
    table = battle(map={"form": "cells", "bounds": bounds})
    assert nodes(table, "a")["area_attack"] == {
        "type": "area_attack",
        "params": {
            "area": {"one_of": ["bomb"]},
            "origin": {
                "params": {
                    "x": {"int_range": {"min": -3, "max": 5, "unit": "cell_5ft"}},
                    "y": {"int_range": {"min": -2, "max": 3, "unit": "cell_5ft"}},
                }
            },
        },
        "example": {
            "type": "area_attack",
            "combatant": "a",
            "area": "bomb",
            "origin": {"x": 0, "y": 0},
        },
    }
    for x, y in product((-4, -3, 5, 6), (-3, -2, 3, 4)):
        origin = {"x": x, "y": y}
        is_on_map = -3 <= x <= 5 and -2 <= y <= 3
        said = refusal(table, deed(table, "area_attack", area="bomb", origin=origin))
        assert said == (None if is_on_map else "off_map")


def test_with_the_actions_spent_only_the_end_of_the_turn_is_left() -> None:
    spent = {"standard_left": 0, "move_left": 0, "swift_left": 0}
    assert list(nodes(battle(spent), "a")) == ["end_turn"]
    assert set(nodes(battle({**spent, "standard_left": 1}), "a")) == {
        *("move", "attack", "attack_cell", "area_attack", "end_turn")
    }


def test_whoever_spins_stops_spinning_before_walking() -> None:
    found = nodes(battle({"conditions": ["spinning"]}, gravity="zero"), "a")
    assert ("move" in found, "right_self" in found, "drop_prone" in found) == (False, True, False)


def test_a_walk_lists_its_cells_with_their_unit() -> None:
    table = battle({"place": {"x": 10_000, "y": 10_000}, "speed_ft": 5})
    cells = [
        {"x": x, "y": y, "cost_ft": 5, "path": [{"x": x, "y": y}], "params": {}}
        for x, y in ((9_999, 9_999), (10_000, 9_999), (9_999, 10_000))
    ]
    path = {"cells": cells, "unit": "cell_5ft", "budget_ft": 5, "metric": "alternating"}
    assert nodes(table, "a")["move"]["params"] == {"path": path}


@pytest.mark.parametrize(("speed", "beyond"), [(30, None), (200, None), (205, 205)])
def test_a_walk_that_leads_farther_than_is_listed_says_how_far(
    speed: int, beyond: int | None
) -> None:
    corridor = {"x": 0, "y": 0, "width": 60, "height": 1}
    table = battle({"speed_ft": speed}, x=55, map={"form": "cells", "bounds": corridor})
    path = nodes(table, "a")["move"]["params"]["path"]
    assert path.get("beyond_ft") == beyond
    farthest = min(speed, 200) // 5
    assert max(cell["x"] for cell in path["cells"]) == farthest
    longer = deed(table, "move", path=[{"x": x, "y": 0} for x in range(1, farthest + 2)])
    assert refusal(table, longer) == (None if beyond else "path_too_long")


def test_a_weapon_that_reaches_farther_than_is_listed_says_how_far() -> None:
    far = [
        rifle(range_increment_ft=20, max_increments=2),
        rifle(id="dart", range_increment_ft=5, max_increments=6),
        blade(id="chain", reach_ft=35),
        blade(),
    ]
    table = battle({"weapons": far}, x=20)
    node = nodes(table, "a")["attack_cell"]["params"]["weapon"]
    beyond = {each["value"]: each["params"]["cell"].get("beyond_ft") for each in node["one_of"]}
    assert beyond == {"rifle": 40, "dart": None, "chain": 35, "blade": None}
    for weapon, (x, code) in product(("rifle", "chain"), ((7, None), (9, "far"))):
        guess = deed(table, "attack_cell", weapon=weapon, cell={"x": x, "y": 0})
        far_code = "out_of_range" if weapon == "rifle" else "out_of_reach"
        assert refusal(table, guess) == (None if code is None else far_code)


def test_an_opportunity_lists_the_weapons_that_strike() -> None:
    armed = {"weapons": [rifle(), blade(), blade(id="axe"), blade(id="club", ready=False)]}
    table = battle({"areas": [bomb()]}, armed, x=1)
    table.ask({"type": "move", "combatant": "a", "path": [{"x": -1, "y": 0}]})
    [(decision, asked)] = table.questions
    [node] = tree_of(table.legal("t"))
    strike = {"value": "opportunity_attack", "params": {"weapon": {"one_of": ["blade", "axe"]}}}
    assert (asked, node["params"]) == (
        "t",
        {
            "decision_id": {"one_of": [decision]},
            "choice": {"params": {"type": {"one_of": [strike, "pass"]}}},
        },
    )
    assert node["decision"] == {
        "id": decision,
        "kind": "opportunity",
        "options": ["opportunity_attack", "pass"],
        "default": "pass",
        "context": {"target": "a", "deed": "move", "place": {"x": 0, "y": 0}},
    }
    assert tree_of(table.legal("a")) == []
