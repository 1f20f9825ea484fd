"""Walks that nobody hinders: what they cost, and why they are refused."""

from typing import Any

import pytest

from service.errors import Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import fighter
from tests.rulesets.tactical_d20.walks import adjust, battle, moved, spent, swordsman, walk


def why_not(table: Table, action: dict[str, Any], by: str = "gm") -> tuple[str, object]:
    with pytest.raises(Refused) as refused:
        table.ask(action, by)
    return refused.value.code, refused.value.params


def test_a_walk_costs_the_move_action_and_another_one_the_standard_action() -> None:
    table = battle(fighter("a", "red", 0, 0), fighter("t", "blue", 9, 9))
    first = table.ask(walk("a", (1, 1), (2, 1)), "ann")
    assert effects_of(first) == [
        spent("a", "move"),
        moved("a", (0, 0), (1, 1), (2, 1), cost=10),
    ]
    second = table.ask(walk("a", (2, 0)), "ann")
    assert effects_of(second) == [spent("a", "standard"), moved("a", (2, 1), (2, 0), cost=5)]
    assert why_not(table, walk("a", (3, 0))) == (
        "no_action_left",
        {"combatant": "a", "needed": "move"},
    )


def test_the_height_at_which_one_stands_is_kept() -> None:
    table = battle(fighter("a", "red", 0, 0, elevation=10))
    table.ask(walk("a", (1, 0)))
    assert table.view()["combatants"][0]["place"] == {"x": 1, "y": 0, "elevation": 10}


def test_who_is_out_comes_before_whose_turn_it_is_and_that_before_what_is_left() -> None:
    table = battle(fighter("a", "red", 0, 0), fighter("t", "blue", 9, 9))
    none = [
        {"type": "resource", "combatant": who, "resource": what, "value": 0}
        for who in "at"
        for what in ("standard", "move")
    ]
    table.ask(adjust(*none))
    assert why_not(table, walk("x", (9, 8)))[0] == "unknown_combatant"
    assert why_not(table, walk("t", (9, 8))) == (
        "not_your_turn",
        {"combatant": "t", "turn": "a"},
    )
    table.ask(adjust({"type": "condition", "combatant": "t", "condition": "unconscious"}))
    assert why_not(table, walk("t", (9, 8))) == (
        "actor_incapacitated",
        {"combatant": "t", "conditions": ["unconscious"]},
    )
    assert why_not(table, walk("a", (5, 5)))[0] == "no_action_left"


def test_bodies_hinder_nobody_passing_and_the_dead_nobody_at_all() -> None:
    setup = [
        swordsman("a", "red", 0, 0),
        fighter("u", "blue", 1, 0, conditions=["unconscious"]),
        fighter("d", "blue", 2, 0, conditions=["dead"]),
        fighter("f", "red", 3, 0),
    ]
    table = battle(*setup)
    assert why_not(table, walk("a", (1, 0))) == ("cell_occupied", {"step": 0, "x": 1, "y": 0})
    assert why_not(table, walk("a", (1, 0), (2, 0), (3, 0))) == (
        "cell_occupied",
        {"step": 2, "x": 3, "y": 0},
    )
    assert effects_of(table.ask(walk("a", (1, 0), (2, 0)), "ann"))[1:] == [
        moved("a", (0, 0), (1, 0), (2, 0), cost=10)
    ]
    table.ask(walk("a", (3, 0), (4, 0)), "ann")


@pytest.mark.parametrize("wall", [{"x": 1, "y": 0}, {"x": 0, "y": 0}])
def test_a_wall_laid_where_somebody_stands_harms_nobody_and_lets_him_out(wall: Any) -> None:
    table = battle(fighter("a", "red", 0, 0, size=2))
    event = table.ask({"type": "set_terrain", "cells": [{**wall, "wall": True}]})
    assert [each["type"] for each in effects_of(event)] == ["terrain_changed"]
    table.ask(walk("a", (0, 1)))
    assert table.view()["combatants"][0]["place"] == {"x": 0, "y": 1}
