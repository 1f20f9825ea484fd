"""Walks into what nobody knew of: an end before it, never a refusal, and then it is known."""

from typing import Any

import pytest

from service.errors import Refused
from tests.kit.table import Table, effects_of, tree_of
from tests.kit.two_worlds import adjusted, both, pair
from tests.rulesets.tactical_d20.setups import RULESET, fighter, in_progress
from tests.rulesets.tactical_d20.walks import (
    PASS,
    answer,
    battle,
    moved,
    opened,
    place,
    spent,
    swordsman,
    walk,
)

Tree = dict[str, Any]


def hidden_ground(*cells: Tree, borders: tuple[Tree, ...] = ()) -> Tree:
    return {"hidden_terrain": {"cells": list(cells), "borders": list(borders)}}


def met(event: Any) -> list[Tree]:
    """The effects behind the walk itself."""
    effects = effects_of(event)
    walks = [at for at, each in enumerate(effects) if each["type"] == "moved"]
    return effects[walks[-1] + 1 :]


def revealed(table: Table, combatant: str) -> Tree:
    shown = tree_of(table.combatant(combatant))
    return {"type": "revealed", "combatant": shown, "cause": "contact"}


def alone(**setup: Any) -> Table:
    return battle(fighter("a", "red", 0, 0), fighter("t", "blue", 20, 20), **setup)


@pytest.mark.parametrize(
    ("ground", "stopped"),
    [
        ({"cell": {"x": 2, "y": 0, "wall": True}}, 1),
        ({"cell": {"x": 2, "y": 0, "wall": True, "transparent": True}}, 1),
        ({"border": {"axis": "v", "x": 3, "y": 0, "wall": True}}, 2),
        ({"border": {"axis": "v", "x": 1, "y": 0, "wall": True}}, 0),
    ],
)
def test_a_walk_ends_before_a_hidden_wall_which_is_known_then(ground: Tree, stopped: int) -> None:
    cells = [ground["cell"]] if "cell" in ground else []
    borders = (ground["border"],) if "border" in ground else ()
    table = alone(**hidden_ground(*cells, borders=borders))
    event = table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann")
    path = [(x, 0) for x in range(1, stopped + 1)]
    assert effects_of(event)[:2] == [
        spent("a", "move"),
        moved("a", (0, 0), *path, cost=5 * stopped, cause="contact"),
    ]
    [change] = table.view("eve")["terrain"]
    for part, stated in ground.items():
        assert change[part].items() >= stated.items()
    assert [each["type"] for each in met(event)] == ["terrain_changed"]
    assert met(event)[0]["cause"] == "met"
    assert table.view()["secrets"] == []


def test_a_diagonal_step_past_a_hidden_wall_ends_the_walk_too() -> None:
    table = alone(**hidden_ground({"x": 1, "y": 0, "wall": True}))
    event = table.ask(walk("a", (1, 1)), "ann")
    assert effects_of(event)[1] == moved("a", (0, 0), cost=0, cause="contact")
    assert table.view()["secrets"] == []


@pytest.mark.parametrize(
    "ground",
    [
        {"cover": "normal"},
        {"concealment_pct": 20},
        {"opaque": True},
        {"light": "dark"},
    ],
)
def test_hidden_ground_that_is_no_wall_hinders_nobody_and_stays_hidden(ground: Tree) -> None:
    table = alone(**hidden_ground({"x": 1, "y": 0, **ground}))
    event = table.ask(walk("a", (1, 0), (2, 0)), "ann")
    assert effects_of(event)[1:] == [moved("a", (0, 0), (1, 0), (2, 0), cost=10)]
    assert len(table.view()["secrets"]) == 1


def test_a_wall_that_is_gone_in_secret_still_stands_for_whoever_does_not_know() -> None:
    wall = {"form": "cells", "cells": [{"x": 1, "y": 0, "wall": True}]}
    table = alone(map=wall, **hidden_ground({"x": 1, "y": 0}))
    with pytest.raises(Refused) as refused:
        table.ask(walk("a", (1, 0)), "ann")
    assert refused.value.code == "cell_impassable"
    table.ask(walk("a", (1, 0)))
    assert place(table, "a") == (1, 0)


def test_a_walk_ends_before_a_hidden_enemy_who_is_known_then() -> None:
    table = alone()
    lurker = fighter("h", "green", 2, 0, hidden=True)
    table.ask({"type": "add_combatant", "combatant": lurker}, dice=())
    event = table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann")
    assert effects_of(event)[1:] == [
        moved("a", (0, 0), (1, 0), cost=5, cause="contact"),
        revealed(table, "h"),
    ]
    assert [each["id"] for each in table.view("eve")["combatants"]] == ["a", "t", "h"]


def lurking(**more: Any) -> Table:
    """a, a friend at (1, 0), and somebody hidden at (2, 0)."""
    lurker = fighter("h", "green", 2, 0, hidden=True, **more)
    return battle(fighter("a", "red", 0, 0), fighter("f", "red", 1, 0), lurker)


def test_a_walk_cut_short_ends_in_the_last_cell_in_which_one_may_end() -> None:
    table = lurking()
    event = table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann")
    assert effects_of(event)[1:] == [
        moved("a", (0, 0), cost=0, cause="contact"),
        revealed(table, "h"),
    ]


@pytest.mark.parametrize("fallen", ["unconscious", "dead"])
def test_hidden_bodies_are_stepped_over(fallen: str) -> None:
    table = lurking(conditions=[fallen])
    table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann")
    assert (place(table, "a"), table.combatant("h").hidden) == ((3, 0), True)


def test_nobody_ends_on_a_hidden_body_that_is_not_dead() -> None:
    table = lurking(conditions=["unconscious"])
    event = table.ask(walk("a", (0, 1), (1, 1), (2, 0)), "ann")
    assert effects_of(event)[1:] == [
        moved("a", (0, 0), (0, 1), (1, 1), cost=10, cause="contact"),
        revealed(table, "h"),
    ]


def before_a_wall(*bodies: Tree) -> Table:
    """a at (0, 0) with these on the way to a hidden wall at (4, 0), and eve, who looks on."""
    wall = hidden_ground({"x": 4, "y": 0, "wall": True})
    return battle(fighter("a", "red", 0, 0), fighter("t", "blue", 20, 20), *bodies, **wall)


def body(name: str, side: str, x: int, *, hidden: bool = True, **more: Any) -> Tree:
    conditions = {"conditions": ["unconscious"], **more}
    return fighter(name, side, x, 0, hidden=hidden, **conditions)


def test_a_hidden_body_that_keeps_a_walk_from_ending_before_a_wall_is_met_too() -> None:
    table = before_a_wall(body("h", "green", 2), body("i", "blue", 3))
    event = table.ask(walk("a", (1, 0), (2, 0), (3, 0), (4, 0)), "ann")
    assert effects_of(event)[1:4] == [
        moved("a", (0, 0), (1, 0), cost=5, cause="contact"),
        revealed(table, "h"),
        revealed(table, "i"),
    ]
    assert [each["type"] for each in effects_of(event)[4:]] == ["terrain_changed"]
    assert [each["id"] for each in table.view("eve")["combatants"]] == ["a", "t", "h", "i"]


@pytest.mark.parametrize("fallen", [{"x": 2}, {"x": 3, "conditions": ["dead"]}])
def test_hidden_bodies_that_keep_no_walk_from_ending_stay_hidden(fallen: Tree) -> None:
    table = before_a_wall(body("h", "green", **fallen))
    table.ask(walk("a", (1, 0), (2, 0), (3, 0), (4, 0)), "ann")
    assert (place(table, "a"), table.combatant("h").hidden) == ((3, 0), True)


@pytest.mark.parametrize(("side", "hidden"), [("blue", False), ("red", True)])
def test_where_a_known_body_lies_too_a_hidden_one_stays_hidden(side: str, hidden: bool) -> None:
    ogre = fighter("a", "red", 0, 0, size=2)
    known = body("f", side, 3, hidden=hidden)
    lurker = fighter("h", "green", 3, 1, hidden=True, conditions=["unconscious"])
    wall = hidden_ground({"x": 4, "y": 0, "wall": True})
    table = battle(ogre, known, lurker, **wall)
    table.ask(walk("a", (1, 0), (2, 0), (3, 0), (4, 0)), "ann")
    assert (place(table, "a"), table.combatant("h").hidden) == ((1, 0), True)


def test_a_dead_body_beside_a_living_one_keeps_nobody_from_ending_and_stays_hidden() -> None:
    ogre = fighter("a", "red", 0, 0, size=2)
    dead = fighter("d", "green", 3, 1, hidden=True, conditions=["dead"])
    wall = hidden_ground({"x": 4, "y": 0, "wall": True})
    table = battle(ogre, body("h", "green", 3), dead, **wall)
    table.ask(walk("a", (1, 0), (2, 0), (3, 0), (4, 0)), "ann")
    shown = [table.combatant(name).hidden for name in ("h", "d")]
    assert (place(table, "a"), shown) == ((1, 0), [False, True])


def test_a_walk_before_a_wall_looks_alike_whether_a_body_lies_behind_its_end_or_not() -> None:
    def world(x: int) -> Tree:
        people = [fighter("a", "red", 0, 0), fighter("t", "blue", 20, 20), body("h", "green", x)]
        wall = hidden_ground({"x": 4, "y": 0, "wall": True})
        return {"combatants": people, "battle": in_progress("a", "t"), **wall}

    one, other = pair(RULESET, world(2), world(9))
    both(one, other, walk("a", (1, 0), (2, 0), (3, 0), (4, 0)), "ann")


def test_one_ends_on_a_hidden_body_that_is_dead() -> None:
    table = lurking(conditions=["dead"])
    table.ask(walk("a", (0, 1), (1, 1), (2, 0)), "ann")
    assert (place(table, "a"), table.combatant("h").hidden) == ((2, 0), True)


def test_the_hidden_of_ones_own_side_are_known_to_it() -> None:
    table = battle(fighter("a", "red", 0, 0), fighter("h", "red", 1, 0, hidden=True))
    with pytest.raises(Refused) as refused:
        table.ask(walk("a", (1, 0)), "ann")
    assert refused.value.code == "cell_occupied"
    table.ask(walk("a", (1, 0), (2, 0)), "ann")
    assert (place(table, "a"), table.combatant("h").hidden) == ((2, 0), True)


def test_the_game_master_knows_and_is_refused_instead() -> None:
    table = lurking()
    with pytest.raises(Refused) as refused:
        table.ask(walk("a", (1, 0), (2, 0), (3, 0)))
    assert (refused.value.code, refused.value.params) == (
        "cell_occupied",
        {"step": 1, "x": 2, "y": 0},
    )


def test_the_steps_before_are_walked_and_offered_and_what_is_met_shows_itself_after_them() -> None:
    table = battle(
        swordsman("a", "red", 0, 0),
        swordsman("t", "blue", 1, 1),
        **hidden_ground({"x": 2, "y": 0, "wall": True}),
    )
    effects = effects_of(table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann"))
    assert opened(effects) == [("t", "a")]
    assert len(table.view()["secrets"]) == 1
    effects = effects_of(answer(table, "t", PASS))
    assert [each["type"] for each in effects] == ["decision_closed", "moved", "terrain_changed"]
    assert effects[1] == moved("a", (0, 0), (1, 0), cost=5, cause="contact")


def test_a_hidden_enemy_who_controls_the_space_is_asked_without_others_knowing() -> None:
    table = battle(
        swordsman("a", "red", 0, 0),
        swordsman("h", "green", 1, 1, hidden=True),
    )
    table.ask(walk("a", (-1, 0)), "ann")
    assert table.view("ann")["pending"] in ([], [{"decisions": []}])
    answer(table, "h", PASS)
    assert (place(table, "a"), table.combatant("h").hidden) == ((-1, 0), True)


def test_two_worlds_look_alike_until_something_is_met() -> None:
    def world(hidden: Tree) -> Tree:
        people = [fighter("a", "red", 0, 0), fighter("t", "blue", 20, 20)]
        return {
            "combatants": people,
            "battle": in_progress("a", "t"),
            "hidden_terrain": {"cells": [hidden]},
        }

    one, other = pair(
        RULESET,
        world({"x": 5, "y": 5, "wall": True}),
        world({"x": 1, "y": 1, "cover": "improved"}),
    )
    both(one, other, walk("a", (1, 0), (1, 1), (2, 2)), "ann")
    both(one, other, adjusted({"type": "condition", "combatant": "t", "condition": "prone"}))
