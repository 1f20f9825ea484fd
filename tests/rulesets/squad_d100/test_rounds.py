"""Rounds and turns next to the worked examples: their order, who joins, who is left out."""

from typing import Any

import pytest

from service.rulesets.squad_d100 import RULESET
from tests.kit.given_when_then import Given, opened
from tests.kit.table import tree_of
from tests.rulesets.squad_d100.duels import (
    adjust,
    aimed,
    at,
    code,
    do,
    done,
    end,
    fight,
    only,
    path,
    stated,
    who,
)
from tests.rulesets.squad_d100.examples import EXAMPLES, Tree
from tests.rulesets.squad_d100.setups import in_progress, seated

START: Tree = {"type": "start_encounter"}


def fresh(**more: Any) -> Given:
    """A battle that has not begun."""
    return Given(opened(RULESET, EXAMPLES.creation(stated(battle=None, **more))))


def round_of(battle: Given) -> list[str]:
    """Whose turns the present round has, played by ending each."""
    table, turns = battle.table, []
    number = table.state.rule.round
    while table.state.rule.round == number:
        assert table.turn is not None
        turns.append(table.turn)
        done(battle.when(end(table.turn)))
    return turns


PEOPLE = {
    "a": at(0, 0, side="blue", agility=20),
    "b": at(0, 1, side="red", agility=40),
    "c": at(0, 2, side="blue", agility=40),
    "d": at(0, 3, side="red", agility=30, heavy_wounds=3),
}


@pytest.mark.rule("SQ-MOVE-1")
def test_the_most_agile_begin_and_ties_go_by_number() -> None:
    battle = fresh(**PEOPLE)
    done(battle.when(START))
    assert round_of(battle) == ["b", "c", "a", "d"]


def test_wounds_change_the_order_of_the_next_round_alone() -> None:
    battle = fresh(**PEOPLE)
    done(battle.when(START))
    done(battle.when(end("b")))
    done(battle.when(adjust("stat", "b", stat="heavy_wounds", value=2)))
    assert round_of(battle) == ["c", "a", "d"]
    assert round_of(battle) == ["c", "b", "a", "d"]


@pytest.mark.parametrize(
    ("side_order", "turns"),
    [
        ([], ["a", "c", "b", "d"]),
        (["red", "blue"], ["b", "d", "a", "c"]),
        (["red"], ["b", "d", "a", "c"]),
    ],
)
def test_sides_take_turns_in_the_order_of_the_table(
    side_order: list[str], turns: list[str]
) -> None:
    battle = fresh(**PEOPLE, options={"turn_order": "sides", "side_order": side_order})
    done(battle.when(START))
    assert round_of(battle) == turns
    assert round_of(battle) == turns


def test_the_side_that_appeared_first_stays_the_first_without_its_first_fighter() -> None:
    battle = fresh(**PEOPLE, options={"turn_order": "sides"})
    done(battle.when(START))
    done(battle.when(adjust("hp", "a", value=0)))
    assert round_of(battle) == ["c", "b", "d"]
    assert round_of(battle) == ["c", "b", "d"]


def test_a_prepared_round_leaves_out_who_was_down_in_it() -> None:
    people = PEOPLE | {"a": PEOPLE["a"] | {"sits_out": True}, "d": PEOPLE["d"] | {"health": 0}}
    battle = fight(**people, battle={"order": ["b", "c", "a", "d"], "turn": "b"})
    done(battle.when(adjust("hp", "d", value=5)))
    assert round_of(battle) == ["b", "c"]
    assert round_of(battle) == ["b", "c", "a", "d"]


def test_whoever_goes_down_has_no_turn_any_more_and_whoever_is_raised_one_in_the_next_round() -> (
    None
):
    battle = fresh(**PEOPLE)
    done(battle.when(START))
    done(battle.when(adjust("hp", "a", value=0)))
    done(battle.when(adjust("hp", "a", value=5)))
    assert round_of(battle) == ["b", "c", "d"]
    assert round_of(battle) == ["b", "c", "a", "d"]


def test_whoever_goes_down_in_his_own_turn_ends_it() -> None:
    battle = fresh(**PEOPLE)
    done(battle.when(START))
    done(battle.when(adjust("hp", "b", value=0)))
    assert battle.table.turn == "c"
    assert round_of(battle) == ["c", "a", "d"]


def test_whoever_joins_has_the_first_turn_in_the_next_round() -> None:
    battle = fresh(**PEOPLE)
    done(battle.when(START))
    newcomer = {"id": "e", "kind": "alien", "side": "red", "place": {"x": 5, "y": 5}}
    done(battle.when({"type": "add_combatant", "combatant": {**newcomer, "agility": 99}}))
    assert round_of(battle) == ["b", "c", "a", "d"]
    assert round_of(battle) == ["e", "b", "c", "a", "d"]


@pytest.mark.rule("SQ-MAP-4")
def test_whoever_joins_without_a_cell_takes_the_first_reserved_one_that_is_free() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0), map=["0.0.0..0...."])
    newcomer = {"id": "e", "kind": "alien", "side": "red"}
    done(battle.when({"type": "add_combatant", "combatant": newcomer}))
    assert who(battle, "e")["place"] == {"x": 2, "y": 0}
    done(battle.when({"type": "add_combatant", "combatant": {**newcomer, "id": "f"}}))
    assert who(battle, "f")["place"] == {"x": 7, "y": 0}
    full = battle.when({"type": "add_combatant", "combatant": {**newcomer, "id": "g"}})
    assert code(full) == "no_reserved_cell"


@pytest.mark.rule("SQ-TURN-1")
def test_points_left_are_lost_with_the_phase() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0))
    done(battle.when(path((1, 0))))
    done(battle.when(do("end_movement")))
    assert (who(battle, "s")["phase"], who(battle, "s")["mp_left"]) == ("shooting", 0)
    assert code(battle.when(aimed(), dice=(99,))) is None


@pytest.mark.rule("SQ-MOVE-1")
def test_wounds_within_a_turn_change_the_sprint_and_not_the_points() -> None:
    battle = fight(s=at(0, 0), t=at(4, 4), map=[".~.........."] + ["............"] * 7)
    done(battle.when(path((1, 0))))
    assert who(battle, "s")["mp_left"] == 26
    done(battle.when(do("sprint")))
    # AGI 25, END 9: 26 + 9 + 12.
    assert who(battle, "s")["mp_left"] == 47


@pytest.mark.rule("SQ-SPRINT-1")
def test_a_sprint_may_be_declared_after_steps_and_poses() -> None:
    battle = fight(s=at(0, 0, agility=8), t=at(4, 4))
    for action in (path((1, 0)), do("kneel"), do("sprint"), do("stand")):
        assert code(battle.when(action)) is None
    # 8 - 4 - 4, then 10 + 4, then 8 for standing up.
    assert who(battle, "s")["mp_left"] == 6


def test_a_removed_turn_holder_hands_the_turn_on() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0), u=at(5, 0))
    done(battle.when({"type": "remove_combatant", "combatant": "s"}))
    assert battle.table.turn == "t"


@pytest.mark.rule("SQ-MAP-2")
def test_the_turn_of_a_unit_goes_with_its_map() -> None:
    roster = [{"glyph": "G", "side": "red"}, {"glyph": "R", "side": "blue"}]
    battle = in_progress("mercenary_0_0", "robot_2_0")
    table = seated({"map": {"text": "G.R", "roster": roster}, "battle": battle})
    laid = table.ask({"type": "configure", "map": {"text": ".GR", "roster": roster}})
    assert tree_of(laid.effects)[1:4] == [
        {"type": "turn_ended", "combatant": "mercenary_0_0", "cause": "removed"},
        {"type": "combatant_removed", "combatant": "mercenary_0_0", "cause": "gm"},
        {"type": "combatant_removed", "combatant": "robot_2_0", "cause": "gm"},
    ]
    table.ask(START)
    rule = table.state.rule
    assert (rule.turn, rule.order) == ("mercenary_1_0", ("mercenary_1_0", "robot_2_0"))


def test_nobody_able_to_act_is_nobodys_turn() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0, health=0))
    done(battle.when(adjust("hp", "s", value=0)))
    assert battle.table.turn is None
    done(battle.when(adjust("hp", "t", value=9)))
    assert battle.table.turn == "t"


def test_a_round_begins_with_the_order_that_everybody_sees() -> None:
    battle = fight(s=at(0, 0), t=at(4, 0))
    done(battle.when(end()))
    began = battle.when(end("t"))
    [order] = only(began, "order_set")
    assert [each["combatant"] for each in order["entries"]] == ["s", "t"]
