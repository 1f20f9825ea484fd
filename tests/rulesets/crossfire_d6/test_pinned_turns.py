"""CF-PIN through whole turns: who stays, who moves, who comes back, who hides."""

from typing import Any

import pytest

from service.rulesets.crossfire_d6 import RULESET
from tests.kit.given_when_then import Given, opened
from tests.kit.given_when_then import act as acted
from tests.rulesets.crossfire_d6.duels import at, do, duel, path
from tests.rulesets.crossfire_d6.examples import EXAMPLES, Tree

Cells = tuple[tuple[int, int], ...]

GUN: Tree = {"weapons": [{"id": "gun"}]}
SHOT: Tree = {"type": "ranged_attack", "combatant": "t", "weapon": "gun", "target": "a"}


def pinned(a: Tree | None = None, **options: Any) -> Given:
    """A at (0, 0), whose turn it is; T twenty cells to the east with a gun."""
    return duel({"int_pool": 1, **(a or {})}, {**GUN, **at(20, 20)}, options=options)


def dice_on(battle: Given, action: Tree = SHOT) -> int:
    """The dice of suppression that the enemy would gain for a shot at A now."""
    rows = battle.foretold(action)["facts"]["breakdown"]
    return sum(row["amount"] for row in rows if row["rule"] == "CF-PIN-1")


def after_turn(battle: Given, *walks: Cells) -> tuple[int, tuple[int, int], int]:
    """A walks and ends his turn: the count, its origin, and the dice T gains in his turn."""
    for cells in walks:
        assert isinstance(battle.when(path(*cells)).outcome, list)
    battle.when(do("end_turn"))
    dice = dice_on(battle)
    pool = battle.foretold(SHOT)["facts"]["pool"]
    effects = battle.when(SHOT, dice=(1,) * pool).outcome
    assert isinstance(effects, list)
    rows = effects[1]["detail"]["breakdown"]
    assert sum(row["amount"] for row in rows if row["rule"] == "CF-PIN-1") == dice
    battle.when(do("end_turn", "t"))
    a = battle.table.state.rule.combatants[0]
    return a.pin_count, (a.pin_origin.x, a.pin_origin.y), dice


EAST_1: Cells = ((1, 0),)
EAST_2: Cells = ((1, 0), (2, 0))
ON_2: Cells = ((2, 0),)
BACK: Cells = ((1, 0), (0, 0))


@pytest.mark.rule("CF-PIN-2")
def test_two_short_steps_are_a_move_from_where_it_began() -> None:
    battle = pinned()
    assert after_turn(battle) == (1, (0, 0), 1)
    assert after_turn(battle, EAST_1) == (2, (0, 0), 2)
    assert after_turn(battle, ON_2) == (0, (2, 0), 0)
    assert after_turn(battle) == (1, (2, 0), 1)


@pytest.mark.rule("CF-PIN-2")
def test_measured_from_the_last_turn_short_steps_are_staying_for_ever() -> None:
    battle = pinned(pin_measured_from="last_turn")
    assert after_turn(battle) == (1, (0, 0), 1)
    assert after_turn(battle, EAST_1) == (2, (1, 0), 2)
    assert after_turn(battle, ON_2) == (3, (2, 0), 3)
    assert after_turn(battle, ((1, 0), (0, 0))) == (0, (0, 0), 0)


@pytest.mark.rule("CF-PIN-4")
@pytest.mark.parametrize("measured", ["origin", "last_turn"])
def test_who_comes_back_in_the_next_turn_has_stayed_where_that_is_remembered(
    measured: str,
) -> None:
    battle = pinned(pin_return_memory=True, pin_measured_from=measured)
    assert after_turn(battle) == (1, (0, 0), 1)
    assert after_turn(battle) == (2, (0, 0), 2)
    assert after_turn(battle, EAST_2) == (0, (2, 0), 0)
    assert after_turn(battle, BACK) == (3, (0, 0), 3)
    assert after_turn(battle) == (4, (0, 0), 4)


@pytest.mark.rule("CF-PIN-4")
def test_a_streak_is_remembered_for_one_turn_and_for_its_own_cell() -> None:
    battle = pinned(pin_return_memory=True)
    after_turn(battle)
    assert after_turn(battle, EAST_2) == (0, (2, 0), 0)
    assert after_turn(battle) == (1, (2, 0), 1)
    assert after_turn(battle, BACK) == (0, (0, 0), 0)
    assert after_turn(battle, ((1, 1), (2, 1))) == (0, (2, 1), 0)


@pytest.mark.rule("CF-PIN-4")
def test_by_default_coming_back_in_a_later_turn_is_a_move() -> None:
    battle = pinned()
    after_turn(battle)
    after_turn(battle, EAST_2)
    assert after_turn(battle, BACK) == (0, (0, 0), 0)


@pytest.mark.rule("CF-PIN-4")
def test_away_and_back_within_a_turn_is_staying() -> None:
    battle = pinned(pin_return_memory=True)
    after_turn(battle)
    assert after_turn(battle, EAST_2, BACK) == (2, (0, 0), 2)


@pytest.mark.rule("CF-PIN-3")
@pytest.mark.parametrize(
    ("least", "diagonals", "cells", "after"),
    [
        (5, "equal", ((1, 0),), (0, (1, 0), 0)),
        (10, "equal", ((1, 1),), (1, (0, 0), 1)),
        (10, "equal", ((1, 1), (2, 2)), (0, (2, 2), 0)),
        (15, "equal", ((1, 1), (2, 2)), (1, (0, 0), 1)),
        (15, "alternating", ((1, 1), (2, 2)), (0, (2, 2), 0)),
        (20, "alternating", ((1, 1), (2, 2)), (1, (0, 0), 1)),
    ],
)
def test_how_far_one_has_to_move(
    least: int, diagonals: str, cells: Cells, after: tuple[int, tuple[int, int], int]
) -> None:
    battle = pinned(pin_min_move_ft=least, diagonal_rule=diagonals)
    assert after_turn(battle, cells) == after


@pytest.mark.rule("CF-PIN-3")
def test_the_displacement_of_a_large_one_is_that_of_its_north_west_cell() -> None:
    battle = pinned({"size": 3})
    assert after_turn(battle, EAST_1) == (1, (0, 0), 1)
    assert after_turn(battle, ON_2) == (0, (2, 0), 0)


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.parametrize(("cap", "dice"), [(None, 4), (4, 4), (3, 3), (0, 0)])
def test_how_many_dice_suppression_gives_at_most(cap: int | None, dice: int) -> None:
    options = {} if cap is None else {"pin_cap": cap}
    battle = pinned({"pin_count": 3}, **options)
    assert after_turn(battle) == (4, (0, 0), dice)


@pytest.mark.rule("CF-PIN-1")
@pytest.mark.rule("CF-PIN-6")
def test_with_a_cap_of_nothing_there_is_nothing_to_hide_from() -> None:
    battle = pinned({"pin_count": 3}, pin_cap=0)
    hide = do("hide", against="t")
    battle.when(hide).refused("nothing_to_hide", "CF-PIN-6", suppression=0)


@pytest.mark.rule("CF-PIN-5")
@pytest.mark.parametrize(("cap", "dice"), [(3, 2), (1, 1)])
def test_resistance_comes_before_the_cap(cap: int, dice: int) -> None:
    battle = pinned({"pin_count": 4, "pin_resistance": 3}, pin_cap=cap)
    assert after_turn(battle) == (5, (0, 0), dice)


@pytest.mark.rule("CF-PIN-6")
@pytest.mark.parametrize(
    ("ties", "faces", "hidden"),
    [(True, (3, 3), True), (False, (3, 3), False), (False, (4, 3), True), (True, (3, 4), False)],
)
def test_who_wins_a_tie_at_hiding(ties: bool, faces: tuple[int, ...], hidden: bool) -> None:
    hider = {"agi_pool": 1, "pin_count": 2, **at(0, 0)}
    battle = duel(hider, {"int_pool": 1, **GUN}, options={"hide_tie_succeeds": ties})
    effects = battle.when(do("hide", against="t"), dice=faces).outcome
    assert isinstance(effects, list)
    assert effects[1]["outcome"] == ("success" if hidden else "failure")
    assert after_turn(battle) == (3, (0, 0), 1 if hidden else 3)


@pytest.mark.rule("CF-PIN-6")
@pytest.mark.parametrize(("scope", "others"), [("aggressor", 2), ("all", 0)])
def test_from_whom_one_hides(scope: str, others: int) -> None:
    enemies = {name: {"side": "blue", **GUN, **at(9, y)} for name, y in (("u", 0), ("v", 9))}
    hider = {"agi_pool": 1, "pin_count": 2}
    battle = duel(hider, at(9, 5), options={"hide_scope": scope}, **enemies)
    battle.when(do("hide", against="u"), dice=(1,))
    for combatant in ("a", "t"):
        battle.when(do("end_turn", combatant))
    dice = {}
    for name in enemies:
        dice[name] = dice_on(battle, {**SHOT, "combatant": name})
        battle.when(do("end_turn", name))
    assert dice == {"u": 1, "v": 1 + others}


@pytest.mark.rule("CF-PIN-2")
@pytest.mark.rule("CF-PIN-6")
def test_hiding_is_forgotten_with_the_streak_it_was_about() -> None:
    battle = duel({"agi_pool": 1, "pin_count": 2}, {**GUN, **at(9, 9)})
    battle.when(do("hide", against="t"), dice=(1,))
    assert after_turn(battle) == (3, (0, 0), 1)
    assert after_turn(battle, EAST_2) == (0, (2, 0), 0)
    assert after_turn(battle) == (1, (2, 0), 1)


@pytest.mark.rule("CF-PIN-1")
def test_a_change_of_posture_is_no_displacement() -> None:
    board = {"form": "cells", "cells": [{"x": 0, "y": 1, "kind": "cover"}]}
    battle = duel({"pin_count": 1}, {**GUN, **at(9, 9)}, map=board)
    battle.when(do("change_posture", posture="in_cover"))
    battle.when(do("change_posture", posture="open"))
    assert after_turn(battle) == (2, (0, 0), 2)


def origin_of(table: Any) -> tuple[int, int]:
    origin = table.state.rule.combatants[0].pin_origin
    return origin.x, origin.y


def placed(x: int, y: int) -> Tree:
    change = {"type": "place", "combatant": "a", "place": {"x": x, "y": y}}
    return {"type": "adjust", "changes": [change]}


def unstarted(**a: Any) -> Any:
    sheet = {"side": "red", "place": {"x": 0, "y": 0}, **a}
    return opened(RULESET, EXAMPLES.creation(EXAMPLES.complete({"combatants": {"a": sheet}})))


@pytest.mark.rule("CF-PIN-2")
def test_the_starting_cell_is_where_one_stands_when_the_battle_starts() -> None:
    table = unstarted()
    acted(table, placed(1, 0))
    acted(table, placed(2, 0))
    acted(table, {"type": "start_encounter"})
    assert origin_of(table) == (2, 0)
    acted(table, placed(3, 0))
    assert origin_of(table) == (2, 0)


@pytest.mark.rule("CF-PIN-2")
@pytest.mark.parametrize("stated", [{"pin_count": 1}, {"pin_origin": {"x": 5, "y": 5}}])
def test_an_origin_that_was_stated_stays_when_one_is_put_elsewhere(stated: Tree) -> None:
    table = unstarted(**stated)
    before = origin_of(table)
    acted(table, placed(1, 0))
    assert origin_of(table) == before
