"""Rounds and turns, initiative, what a turn gives, and what lying down and getting up cost."""

from typing import Any

import pytest

from service.errors import Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import fighter, in_progress, seated
from tests.rulesets.tactical_d20.walks import adjust, battle, spent, walk

Tree = dict[str, Any]
START: Tree = {"type": "start_encounter"}


def end(combatant: str) -> Tree:
    return {"type": "end_turn", "combatant": combatant}


def condition(combatant: str, name: str, holds: bool = True) -> Tree:
    change = {"type": "condition", "combatant": combatant, "condition": name, "holds": holds}
    return adjust(change)


def regained(combatant: str, resource: str) -> Tree:
    return {**spent(combatant, resource), "now": 1, "cause": "turn_began"}


def why_not(table: Table, action: Tree, by: str = "gm") -> tuple[str, object]:
    with pytest.raises(Refused) as refused:
        table.ask(action, by)
    return refused.value.code, refused.value.params


def three(**more: Any) -> Table:
    """Three in this order, the first having the turn."""
    names = (("a", "red"), ("b", "blue"), ("c", "red"))
    return battle(*(fighter(name, side, 3 * n, 0) for n, (name, side) in enumerate(names)), **more)


# --- initiative -------------------------------------------------------------------------------


@pytest.mark.rule("TD-SD-1")
def test_initiative_is_rolled_by_number_and_ordered_by_total_then_bonus() -> None:
    bonuses = {"z": 2, "a": 1, "m": 3, "k": -5}
    people = [
        fighter(name, "red", 2 * n, 0, initiative=bonus)
        for n, (name, bonus) in enumerate(bonuses.items())
    ]
    table = seated({"combatants": people}, dice="supplied")
    event = table.ask(START, dice=(10, 12, 9, 20))
    assert [(draw.combatant, draw.face, draw.purpose) for draw in event.draws] == [
        ("z", 10, "initiative"),
        ("a", 12, "initiative"),
        ("m", 9, "initiative"),
        ("k", 20, "initiative"),
    ]
    effects = effects_of(event)
    assert effects[1] == {
        "type": "rolled",
        "rule": "TD-SD-1",
        "purpose": "initiative",
        "combatant": "z",
        "roll": {
            "sides": 20,
            "faces": [10],
            "total": 10,
            "draws": [{"stream": 0, "number": 1}],
        },
    }
    assert effects[5:] == [
        {
            "type": "order_set",
            "rule": "TD-SD-1",
            "entries": [
                {"combatant": "k", "score": 15},
                {"combatant": "a", "score": 13},
                {"combatant": "m", "score": 12},
                {"combatant": "z", "score": 12},
            ],
        },
        {"type": "round_began", "round": 1},
        {"type": "turn_began", "combatant": "k"},
    ]


@pytest.mark.rule("TD-SD-1")
def test_equal_totals_and_bonuses_go_by_entry() -> None:
    people = [fighter(name, "red", 2 * n, 0) for n, name in enumerate("cab")]
    table = seated({"combatants": people}, dice="supplied")
    table.ask(START, dice=(7, 7, 7))
    assert table.state.rule.order == ("c", "a", "b")


@pytest.mark.rule("TD-SD-1")
def test_a_fixed_order_is_that_of_entry_and_takes_no_dice() -> None:
    people = [fighter(name, "red", n, 0, initiative=5) for n, name in enumerate("zab")]
    table = seated({"combatants": people, "options": {"initiative": "fixed"}})
    assert table.ask(START).draws == ()
    assert table.state.rule.order == ("z", "a", "b")
    late = fighter("n", "red", 9, 0)
    assert table.ask({"type": "add_combatant", "combatant": late}).draws == ()
    assert table.state.rule.order == ("z", "a", "b", "n")


@pytest.mark.rule("TD-SD-1")
@pytest.mark.parametrize(
    ("bonus", "face", "order"),
    [(0, 10, "nab"), (0, 9, "anb"), (2, 7, "nab"), (-1, 4, "abn"), (1, 3, "anb")],
)
def test_who_joins_later_rolls_then_and_is_put_in_by_his_roll(
    bonus: int, face: int, order: str
) -> None:
    progress = {
        "round": 2,
        "order": [{"combatant": "a", "score": 9}, {"combatant": "b", "score": 4}],
        "turn": "b",
    }
    people = [fighter("a", "red", 0, 0), fighter("b", "blue", 3, 0)]
    table = seated({"combatants": people, "battle": progress}, dice="supplied")
    table.ask(START)
    newcomer = fighter("n", "red", 6, 0, initiative=bonus)
    event = table.ask({"type": "add_combatant", "combatant": newcomer}, dice=(face,))
    assert [each["type"] for each in effects_of(event)] == [
        "combatant_added",
        "rolled",
        "order_set",
    ]
    assert (table.state.rule.order, table.turn) == (tuple(order), "b")


def test_the_roll_of_somebody_hidden_is_known_to_his_side_alone() -> None:
    people = [fighter("a", "red", 0, 0), fighter("h", "green", 5, 0, hidden=True)]
    table = seated({"combatants": people})
    table.ask(START)
    shown: Any = table.shown(2, "eve")
    rolls = [each["combatant"] for each in shown["effects"] if each["type"] == "rolled"]
    assert rolls == ["a"]
    assert [draw["stream"] for draw in shown["draws"]] == [0]


def test_hidden_numbers_hide_the_total_but_not_the_face() -> None:
    people = [fighter("a", "red", 0, 0), fighter("t", "blue", 5, 0, initiative=7)]
    table = seated({"combatants": people, "options": {"enemy_numbers": "hidden"}})
    table.ask(START)
    shown: Any = table.shown(2, "ann")
    [order] = [each for each in shown["effects"] if each["type"] == "order_set"]
    assert {each["combatant"]: "score" in each for each in order["entries"]} == {
        "a": True,
        "t": False,
    }
    assert [each["combatant"] for each in shown["effects"] if each["type"] == "rolled"] == [
        "a",
        "t",
    ]


# --- turns ------------------------------------------------------------------------------------


def test_turns_go_round_in_order_and_each_gives_back_what_was_spent() -> None:
    table = three()
    table.ask(walk("a", (0, 1)))
    table.ask({"type": "drop_prone", "combatant": "a"})
    table.ask({"type": "stand_up", "combatant": "a"})
    assert effects_of(table.ask(end("a"), "ann")) == [
        {"type": "turn_ended", "combatant": "a", "cause": "ended"},
        {"type": "turn_began", "combatant": "b"},
    ]
    table.ask(end("b"), "bob")
    spend = {"type": "resource", "combatant": "a", "resource": "reaction", "value": 0}
    table.ask(adjust(spend))
    assert effects_of(table.ask(end("c"), "ann")) == [
        {"type": "turn_ended", "combatant": "c", "cause": "ended"},
        {"type": "round_began", "round": 2},
        {"type": "turn_began", "combatant": "a"},
        regained("a", "standard"),
        regained("a", "move"),
        regained("a", "swift"),
        regained("a", "reaction"),
    ]


def test_a_battle_in_progress_keeps_what_its_sheets_have_left() -> None:
    people = [
        fighter("a", "red", 0, 0, standard_left=0, reaction_left=0),
        fighter("b", "blue", 5, 0, reaction_left=0),
    ]
    table = seated({"combatants": people, "battle": in_progress("a", "b")})
    table.ask(START)
    left = table.combatant("a")
    assert (left.standard_left, left.move_left, left.swift_left, left.reaction_left) == (0, 1, 1, 0)
    assert effects_of(table.ask(end("a")))[-1] == regained("b", "reaction")


def test_a_battle_in_progress_without_a_turn_begins_with_the_first_of_its_order() -> None:
    people = [fighter(name, "red", 3 * n, 0) for n, name in enumerate("abc")]
    order = [{"combatant": name} for name in "bca"]
    table = seated({"combatants": people, "battle": {"round": 3, "order": order}})
    assert effects_of(table.ask(START)) == [
        {"type": "encounter_started"},
        {"type": "turn_began", "combatant": "b"},
    ]
    assert (table.state.rule.round, table.turn) == (3, "b")


@pytest.mark.parametrize("fallen", ["unconscious", "dead"])
def test_the_fallen_are_passed_over(fallen: str) -> None:
    table = three()
    table.ask(condition("b", fallen))
    assert effects_of(table.ask(end("a")))[1:] == [{"type": "turn_began", "combatant": "c"}]


def test_whoever_falls_in_his_turn_ends_it_with_that() -> None:
    table = three()
    assert effects_of(table.ask(condition("a", "unconscious")))[1:] == [
        {"type": "felled", "combatant": "a", "state": "unconscious", "cause": "gm"},
        {"type": "turn_ended", "combatant": "a", "cause": "felled"},
        {"type": "turn_began", "combatant": "b"},
    ]


def test_while_nobody_can_act_there_is_no_turn_and_then_a_new_round() -> None:
    table = three()
    for name in "abc":
        table.ask(condition(name, "unconscious"))
    assert table.turn is None
    assert effects_of(table.ask(condition("c", "unconscious", holds=False)))[2:] == [
        {"type": "round_began", "round": 2},
        {"type": "turn_began", "combatant": "c"},
    ]


def test_the_turn_of_somebody_removed_passes_on() -> None:
    table = three()
    event = table.ask({"type": "remove_combatant", "combatant": "a"})
    assert effects_of(event) == [
        {"type": "turn_ended", "combatant": "a", "cause": "removed"},
        {"type": "combatant_removed", "combatant": "a", "cause": "gm"},
        {"type": "turn_began", "combatant": "b"},
    ]


def test_only_whoever_has_the_turn_ends_it() -> None:
    table = three()
    assert why_not(table, end("b"), "bob") == ("not_your_turn", {"combatant": "b", "turn": "a"})


def test_whose_turn_it_is_is_not_told_of_somebody_hidden() -> None:
    table = battle(fighter("h", "green", 0, 0, hidden=True), fighter("a", "red", 5, 0))
    assert why_not(table, end("a"), "ann") == ("not_your_turn", {"combatant": "a"})


# --- lying down and getting up ------------------------------------------------------------------


def gained(combatant: str, name: str, **more: Any) -> Tree:
    return {"type": "condition_gained", "combatant": combatant, "condition": name, **more}


def lost(combatant: str, name: str, **more: Any) -> Tree:
    return {"type": "condition_lost", "combatant": combatant, "condition": name, **more}


def drop(combatant: str) -> Tree:
    return {"type": "drop_prone", "combatant": combatant}


def rise(combatant: str) -> Tree:
    return {"type": "stand_up", "combatant": combatant}


def right(combatant: str) -> Tree:
    return {"type": "right_self", "combatant": combatant}


def test_lying_down_is_swift_and_getting_up_a_move_action() -> None:
    table = three()
    assert effects_of(table.ask(drop("a"), "ann")) == [spent("a", "swift"), gained("a", "prone")]
    assert effects_of(table.ask(rise("a"), "ann")) == [spent("a", "move"), lost("a", "prone")]
    assert why_not(table, drop("a")) == (
        "no_action_left",
        {"combatant": "a", "needed": "swift"},
    )


def test_nothing_changes_for_who_lies_or_stands_already_or_does_not_spin() -> None:
    table = three()
    assert why_not(table, rise("a")) == (
        "nothing_changes",
        {"combatant": "a", "condition": "prone"},
    )
    assert why_not(table, right("a")) == (
        "nothing_changes",
        {"combatant": "a", "condition": "spinning"},
    )
    table.ask(condition("a", "prone"))
    assert why_not(table, drop("a")) == (
        "nothing_changes",
        {"combatant": "a", "condition": "prone"},
    )


def test_actions_are_looked_at_before_what_would_change() -> None:
    table = three()
    none = [
        {"type": "resource", "combatant": "a", "resource": name, "value": 0}
        for name in ("standard", "move", "swift")
    ]
    table.ask(adjust(*none))
    for action, needed in ((drop("a"), "swift"), (rise("a"), "move"), (right("a"), "move")):
        assert why_not(table, action) == ("no_action_left", {"combatant": "a", "needed": needed})


@pytest.mark.rule("TD-PRONE-4")
def test_without_weight_nobody_lies_down_and_the_knocked_down_spin() -> None:
    table = three(gravity="zero")
    assert why_not(table, drop("a")) == ("no_gravity", {"gravity": "zero"})
    assert effects_of(table.ask(condition("a", "prone")))[1:] == [
        gained("a", "spinning", rule="TD-PRONE-4", cause="knocked_down_weightless")
    ]
    assert why_not(table, walk("a", (0, 1))) == ("spinning_cannot_move", {})
    assert effects_of(table.ask(right("a"), "ann")) == [
        spent("a", "move"),
        lost("a", "spinning", rule="TD-PRONE-4"),
    ]
    table.ask(walk("a", (0, 1)))


def test_whoever_lies_already_stays_so_and_is_told_that_nothing_changes() -> None:
    table = three()
    table.ask(condition("a", "prone"))
    table.ask(adjust({"type": "gravity", "gravity": "zero"}))
    assert why_not(table, drop("a"))[0] == "nothing_changes"
    assert effects_of(table.ask(rise("a")))[1:] == [lost("a", "prone")]


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize(
    ("steps", "conditions"), [((-1000,), ("dead",)), ((0, -1000), ("unconscious", "dead"))]
)
def test_a_death_keeps_what_led_to_it(steps: tuple[int, ...], conditions: tuple[str, ...]) -> None:
    table = three()
    for value in steps:
        table.ask(adjust({"type": "hp", "combatant": "a", "value": value}))
    assert table.combatant("a").conditions == conditions
