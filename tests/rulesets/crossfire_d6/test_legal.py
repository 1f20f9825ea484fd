"""What is listed as allowed is accepted, and what is not listed is refused."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from service.errors import Refused
from tests.kit.given_when_then import preview
from tests.kit.random_battles import play
from tests.kit.table import Table, tree_of
from tests.rulesets.crossfire_d6.battles import random_setup, varied_setup
from tests.rulesets.crossfire_d6.duels import at, duel
from tests.rulesets.crossfire_d6.examples import Tree
from tests.rulesets.crossfire_d6.setups import seated

POSTURES = ["open", "in_cover", "blocked"]


def refusal(table: Table, action: Tree) -> str | None:
    """Why `decide` refuses an action of the game master, None if it does not."""
    try:
        preview(table, action)
    except Refused as refused:
        return refused.code
    return None


def moment(number: int) -> Table:
    """A battle of which some was played, and somebody has the turn."""
    table = seated(varied_setup(number) if number % 2 else random_setup(number))
    play(table, number, number % 7)
    return table


def nodes(table: Table) -> dict[str, Any]:
    """The domains of everything that whose turn it is may do, by type."""
    assert table.turn is not None
    return {node["type"]: node for node in tree_of(table.legal(table.turn))}


def listed_attacks(table: Table, kind: str) -> set[tuple[str, str]]:
    node = nodes(table).get(kind)
    if node is None:
        return set()
    return {
        (choice["value"], target)
        for choice in node["params"]["weapon"]["one_of"]
        for target in choice["params"]["target"]["one_of"]
    }


MOMENTS = range(40)


def asked(table: Table, kind: str, **more: object) -> Tree:
    return {"type": kind, "combatant": table.turn, **more}


@pytest.mark.parametrize("number", MOMENTS)
def test_every_listed_shot_may_be_reckless_where_the_table_allows_it(number: int) -> None:
    table = moment(number)
    shots = listed_attacks(table, "ranged_attack") if table.turn else set()
    reckless = {
        (weapon, target)
        for weapon, target in shots
        if refusal(
            table, asked(table, "ranged_attack", weapon=weapon, target=target, reckless=True)
        )
        is None
    }
    assert reckless == (shots if table.state.rule.options.allow_reckless_fire else set())


@pytest.mark.parametrize("number", MOMENTS)
def test_of_all_cells_and_postures_exactly_the_listed_end_a_walk(number: int) -> None:
    table = moment(number)
    node = nodes(table).get("move") if table.turn else None
    if table.turn is None or node is None:
        return
    listed = {(cell["x"], cell["y"]): cell for cell in node["params"]["path"]["cells"]}
    for cell in listed.values():
        for posture in POSTURES:
            action = asked(table, "move", path=cell["path"], posture=posture)
            is_listed = posture in cell["params"]["posture"]["one_of"]
            assert refusal(table, action) == (None if is_listed else "no_cover_here")
    for walk in random_walks(table, number):
        end = walk[-1]["x"], walk[-1]["y"]
        action = asked(table, "move", path=walk)
        if refusal(table, action) is not None:
            continue
        here = table.combatant(table.turn).place
        assert end in listed or end == (here.x, here.y)
        if end in listed:
            assert tree_of(table.preview(action).facts)["cost_ft"] >= listed[end]["cost_ft"]


def random_walks(table: Table, number: int) -> Iterator[list[dict[str, int]]]:
    dice = Random(number)
    here = table.combatant(table.turn or "").place
    for _ in range(60):
        x, y, walk = here.x, here.y, []
        drift = dice.choice((-1, 0, 1)), dice.choice((-1, 0, 1))
        for _ in range(dice.randint(1, 6)):
            dx, dy = drift if dice.random() < 0.7 else (dice.randint(-1, 1), dice.randint(-1, 1))
            x, y = x + dx, y + dy
            walk.append({"x": x, "y": y})
        yield walk


@pytest.mark.parametrize("number", MOMENTS)
def test_every_listed_attack_rolls_the_pool_that_its_preview_tells(number: int) -> None:
    table = moment(number)
    for kind in ("ranged_attack", "melee_attack"):
        for weapon, target in sorted(listed_attacks(table, kind) if table.turn else ()):
            before = len(table.events)
            action = asked(table, kind, weapon=weapon, target=target)
            told = table.preview(action)
            event = table.ask(action)
            resolved: Any = next(e for e in event.effects if hasattr(e, "detail"))
            drawn = [draw for draw in event.draws if draw.purpose == "attack"]
            assert len(drawn) == tree_of(told.facts).get("pool", 0)
            odds = {each.outcome: int(each.num) for each in told.odds}
            assert odds[resolved.outcome] > 0
            table.ask({"type": "rewind", "to": before})


@pytest.mark.parametrize("x", [10_000, 9_999, -10_000])
def test_no_walk_is_listed_past_the_last_row_and_column(x: int) -> None:
    table = duel(at(x, x), at(0, 0)).table
    [walk] = [node for node in tree_of(table.legal("a")) if node["type"] == "move"]
    cells: list[Any] = walk["params"]["path"]["cells"]
    ends = [(cell["x"], cell["y"]) for cell in cells]
    assert ends
    assert max(abs(axis) for end in ends for axis in end) <= 10_000
    for cell in cells:
        assert preview(table, {"type": "move", "combatant": "a", "path": cell["path"]})["legal"]


def test_a_walk_lists_its_cells_with_their_unit() -> None:
    table = duel(at(10_000, 10_000) | {"speed_ft": 5}, at(0, 0)).table
    posture = {"one_of": ["open"], "optional": True}
    ends = [(9_999, 9_999), (10_000, 9_999), (9_999, 10_000)]
    cells = [
        {"x": x, "y": y, "cost_ft": 5, "path": [{"x": x, "y": y}], "params": {"posture": posture}}
        for x, y in ends
    ]
    path = {"cells": cells, "unit": "cell_5ft", "budget_ft": 5, "metric": "equal"}
    facings = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert nodes(table)["move"] == {
        "type": "move",
        "params": {"path": path, "facing": {"one_of": facings, "optional": True}},
        "example": {"type": "move", "combatant": "a", "path": [{"x": 9_999, "y": 9_999}]},
    }
