"""What is listed as allowed is accepted, and what is not listed is refused: domain by domain."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from service.engine.battle.permission import require_role
from service.errors import Malformed, Refused
from service.rulesets.squad_d100.legal_actions.shots import MOST_CELLS
from tests.kit.offers import is_offered
from tests.kit.random_battles import ask, play
from tests.kit.table import GM, Table, tree_of
from tests.rulesets.squad_d100.battles import BATTLES, HEIGHT, WIDTH
from tests.rulesets.squad_d100.setups import Tree, bomb, fighter, pistol, rifle, seated

MOMENTS = range(8)
DEEDS = ("kneel", "stand", "pick_up", "sprint", "end_movement", "end_turn")
CELLS = [{"x": x, "y": y} for y in range(-1, HEIGHT + 1) for x in range(-1, WIDTH + 1)]


@pytest.fixture(scope="module", params=MOMENTS)
def table(request: pytest.FixtureRequest) -> Table:
    """A battle of which some was played; somebody has the turn."""
    number = request.param
    present = seated(BATTLES.varied(number) if number % 2 else BATTLES.setup(number))
    play(present, number, number % 8)
    assert present.turn is not None
    return present


def nodes(table: Table) -> list[Tree]:
    """The nodes of everything that whoever has the turn may do."""
    found: list[Tree] = tree_of(table.legal(table.turn or ""))
    return found


def refusal(table: Table, action: Tree) -> str | None:
    """Why the rules refuse an action of the game master, None if they do not."""
    value = table.read(action)
    require_role(value, GM)
    try:
        table.preview(action)
    except (Malformed, Refused) as refused:
        return refused.code
    return None


def require_alike(table: Table, attempts: list[Tree]) -> None:
    """Exactly what is listed of these is accepted."""
    listed = nodes(table)
    wrong = [
        (action, refusal(table, action))
        for action in attempts
        if is_offered(listed, action) != (refusal(table, action) is None)
    ]
    assert wrong == []


def deed(table: Table, kind: str, **more: object) -> Tree:
    return {"type": kind, "combatant": table.turn, **more}


def weapons_of(table: Table) -> list[str]:
    return [each.id for each in table.combatant(table.turn or "").weapons]


def everybody(table: Table) -> list[str]:
    return [each.id for each in table.state.rule.combatants]


def test_exactly_the_listed_deeds_and_doors_are_accepted(table: Table) -> None:
    doors = [deed(table, "toggle_door", cell=cell) for cell in CELLS]
    require_alike(table, [*(deed(table, kind) for kind in DEEDS), *doors])


def test_exactly_the_listed_shots_are_accepted(table: Table) -> None:
    weapons = weapons_of(table)
    at = [{"target": each} for each in everybody(table)] + [{"cell": cell} for cell in CELLS]
    shots = [
        deed(table, kind, weapon=weapon, **aim)
        for kind, weapon, aim in product(("aimed_shot", "burst"), weapons, at)
    ]
    pinned = [
        deed(table, "suppress", weapon=weapon, target=each)
        for weapon, each in product(weapons, everybody(table))
    ]
    reloads = [deed(table, "reload", weapon=weapon) for weapon in weapons]
    require_alike(table, [*shots, *pinned, *reloads])


def test_exactly_the_listed_pairs_of_shots_are_accepted(table: Table) -> None:
    dice = Random(len(table.events))
    aims = [{"target": each} for each in everybody(table)] + [{"cell": each} for each in CELLS[::9]]
    singles = [
        deed(table, "snap_shots", weapon=weapon, targets=[dice.choice(aims), dice.choice(aims)])
        for weapon in weapons_of(table)
        for _ in range(20)
    ]
    duals = [
        deed(table, "snap_shots", dual=True, weapons=list(pair), targets=dice.choices(aims, k=many))
        for pair in permutations(weapons_of(table), 2)
        for many in (1, 2, 3, 4)
        for _ in range(10)
    ]
    require_alike(table, [*singles, *duals])


def test_exactly_the_listed_throws_and_blows_are_accepted(table: Table) -> None:
    grenades = [each.id for each in table.combatant(table.turn or "").grenades]
    throws = [
        deed(table, "throw_grenade", grenade=each, cell=cell)
        for each, cell in product(grenades, CELLS)
    ]
    blows = [deed(table, "melee_attack", target=each) for each in everybody(table)]
    require_alike(table, [*throws, *blows])


def test_exactly_the_listed_cells_end_a_walk_at_their_price(table: Table) -> None:
    listed = {node["type"]: node for node in nodes(table)}
    cells = listed["move"]["params"]["path"]["cells"] if "move" in listed else []
    prices = {(cell["x"], cell["y"]): cell["cost_mp"] for cell in cells}
    for cell in cells:
        assert cell["path"][-1] == {"x": cell["x"], "y": cell["y"]}
        assert price_of(table, cell["path"]) == cell["cost_mp"]
    here = table.combatant(table.turn or "").place
    for path in random_paths(table):
        end = (path[-1]["x"], path[-1]["y"])
        accepted = refusal(table, deed(table, "move", path=path)) is None
        if accepted and end != (here.x, here.y):
            assert prices[end] <= price_of(table, path)


def price_of(table: Table, path: list[Tree]) -> int:
    facts = tree_of(table.preview(deed(table, "move", path=path)))["facts"]
    return int(facts["price_mp"])


def random_paths(table: Table) -> Iterator[list[Tree]]:
    dice, here = Random(len(table.events)), table.combatant(table.turn or "").place
    for _ in range(60):
        x, y, path = here.x, here.y, []
        for _ in range(dice.randint(1, 6)):
            x, y = x + dice.randint(-1, 1), y + dice.randint(-1, 1)
            path.append({"x": x, "y": y})
        yield path


def duel(a: Tree, *, rows: str = "......\n......", **options: object) -> Table:
    """A, who has the turn, and Bob's T five cells east of the corner."""
    people = [fighter("a", "red", 0, 0, **a), fighter("t", "blue", 5, 0)]
    stated = {"turn_order": "sides", **options}
    present = seated({"options": stated, "map": {"text": rows}, "combatants": people})
    present.ask({"type": "start_encounter"})
    return present


def found(table: Table, kind: str) -> list[Any]:
    return [node for node in nodes(table) if node["type"] == kind]


def test_a_shot_lists_weapons_with_combatants_and_once_more_with_objects() -> None:
    table = duel({"weapons": [rifle()]}, rows="...E..\n...F..")
    [node] = found(table, "aimed_shot")
    added = {"int_range": {"min": -1000, "max": 1000}, "optional": True}
    cells = [{"x": 3, "y": 0}, {"x": 3, "y": 1}]
    at_cells = {"cell": {"one_of": cells, "unit": "cell"}}
    assert node == {
        "type": "aimed_shot",
        "params": {
            "weapon": {
                "one_of": [
                    {"value": "rifle", "params": {"target": {"one_of": ["t"]}}},
                    {"value": "rifle", "params": at_cells},
                ]
            },
            "gm_modifier": added,
        },
        "example": {"type": "aimed_shot", "combatant": "a", "weapon": "rifle", "target": "t"},
    }
    [of_player] = [
        each for each in tree_of(table.legal("a", "ann")) if each["type"] == "aimed_shot"
    ]
    assert "gm_modifier" not in of_player["params"]


def test_two_hands_have_a_node_of_their_own() -> None:
    hands = [pistol(id="p"), {**pistol(id="q"), "kind": "revolver"}, rifle()]
    table = duel({"weapons": hands}, dual_shots_per_hand=1)
    single, dual = found(table, "snap_shots")
    aims = {"list_of": {"one_of": [{"target": "t"}]}, "length": 2}
    assert single["params"]["weapon"] == {"one_of": ["p", "q", "rifle"]}
    assert single["params"]["targets"] == aims
    assert (dual["params"]["dual"], dual["params"]["weapons"], dual["params"]["targets"]) == (
        {"one_of": [True]},
        {"one_of": [["p", "q"], ["q", "p"]]},
        aims,
    )


def test_cells_far_off_are_not_listed_though_a_throw_reaches_them() -> None:
    table = duel({"strength": 1000, "grenades": [bomb()]}, rows="." * 60)
    [node] = found(table, "throw_grenade")
    cells = [each["x"] for each in node["params"]["cell"]["one_of"]]
    assert cells == list(range(MOST_CELLS + 1))
    far = deed(table, "throw_grenade", grenade="bomb", cell={"x": 59, "y": 0})
    assert refusal(table, far) is None


def test_whoever_throws_no_cell_far_reaches_its_own() -> None:
    table = duel({"strength": 1, "grenades": [bomb()]})
    [node] = found(table, "throw_grenade")
    assert node["params"]["cell"]["one_of"] == [{"x": 0, "y": 0}]


def test_after_the_shooting_phase_only_the_end_of_the_turn_is_left() -> None:
    table = duel({})
    ask(table, {"type": "aimed_shot", "combatant": "a", "weapon": "rifle", "target": "t"})
    assert nodes(table) == [
        {"type": "end_turn", "params": {}, "example": {"type": "end_turn", "combatant": "a"}}
    ]


def test_a_walk_lists_its_cells_with_their_prices() -> None:
    table = duel({"agility": 6}, rows=".█....\n......")
    [node] = found(table, "move")
    cells = [
        {"x": 0, "y": 1, "cost_mp": 4, "path": [{"x": 0, "y": 1}]},
        {"x": 1, "y": 1, "cost_mp": 6, "path": [{"x": 1, "y": 1}]},
    ]
    path = {"cells": cells, "unit": "cell", "budget_mp": 6}
    assert node["params"] == {"path": path}
