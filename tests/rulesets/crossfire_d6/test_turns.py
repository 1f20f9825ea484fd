"""Rounds and turns, initiative, and what begins and ends with them."""

from typing import Any

import pytest

from service.errors import Refused
from tests.kit.table import PEOPLE, Table, effects_of
from tests.rulesets.crossfire_d6.setups import fighter, in_progress, rifle, seated

Tree = dict[str, Any]
START: Tree = {"type": "start_encounter"}


def end(combatant: str) -> Tree:
    return {"type": "end_turn", "combatant": combatant}


def condition(combatant: str, name: str, holds: bool = True) -> Tree:
    change = {"type": "condition", "combatant": combatant, "condition": name, "holds": holds}
    return {"type": "adjust", "changes": [change]}


def three(**more: Any) -> Table:
    """Three in this order, the first having the turn."""
    names = (("a", "red"), ("b", "blue"), ("c", "red"))
    fighters = [fighter(name, side, 3 * n, 0) for n, (name, side) in enumerate(names)]
    table = seated({"combatants": fighters, "battle": in_progress("a", "b", "c"), **more})
    table.ask(START)
    return table


def test_a_battle_in_progress_without_a_turn_begins_with_the_first_of_its_order() -> None:
    people = [fighter(name, "red", 3 * n, 0) for n, name in enumerate("abc")]
    order = [{"combatant": name} for name in "bca"]
    table = seated({"combatants": people, "battle": {"round": 3, "order": order}})
    assert effects_of(table.ask(START)) == [
        {"type": "encounter_started"},
        {"type": "turn_began", "combatant": "b"},
        {
            "type": "resource_changed",
            "combatant": "b",
            "resource": "actions",
            "now": 2,
            "rule": "CF-SD-1",
            "cause": "turn_began",
        },
    ]
    assert (table.state.rule.round, table.turn) == (3, "b")


@pytest.mark.rule("CF-SD-1")
def test_initiative_is_rolled_by_number_and_ordered_by_sum_then_pool() -> None:
    pools = {"z": 2, "a": 1, "m": 3, "k": 0}
    fighters = [
        fighter(name, "red", 2 * n, 0, int_pool=pool)
        for n, (name, pool) in enumerate(pools.items())
    ]
    table = seated({"combatants": fighters}, dice="supplied")
    event = table.ask(START, dice=(1, 5, 6, 2, 2, 2))
    assert [(draw.combatant, draw.face, draw.purpose) for draw in event.draws] == [
        ("z", 1, "initiative"),
        ("z", 5, "initiative"),
        ("a", 6, "initiative"),
        ("m", 2, "initiative"),
        ("m", 2, "initiative"),
        ("m", 2, "initiative"),
    ]
    effects: list[Any] = effects_of(event)
    order = effects[5]["entries"]
    assert [(each["combatant"], each["score"]) for each in order] == [
        ("m", 6),
        ("z", 6),
        ("a", 6),
        ("k", 0),
    ]
    assert [each["type"] for each in effects[6:]] == [
        "round_began",
        "turn_began",
        "resource_changed",
    ]
    assert table.turn == "m"


@pytest.mark.rule("CF-SD-1")
def test_a_fixed_order_is_that_of_entry_and_takes_no_dice() -> None:
    fighters = [fighter(name, "red", n, 0, int_pool=5) for n, name in enumerate("zab")]
    table = seated({"combatants": fighters, "options": {"initiative": "fixed"}})
    assert table.ask(START).draws == ()
    assert table.state.rule.order == ("z", "a", "b")


@pytest.mark.rule("CF-SD-1")
def test_who_joins_later_rolls_then_and_is_put_in_by_his_roll() -> None:
    order = {
        "round": 2,
        "order": [{"combatant": "a", "score": 9}, {"combatant": "b", "score": 4}],
        "turn": "b",
    }
    setup = {"combatants": [fighter("a", "red", 0, 0), fighter("b", "blue", 3, 0)], "battle": order}
    table = seated(setup, dice="supplied")
    table.ask(START)
    newcomer = fighter("n", "red", 6, 0, int_pool=2)
    event = table.ask({"type": "add_combatant", "combatant": newcomer}, dice=(3, 2))
    assert [each["type"] for each in effects_of(event)] == [
        "combatant_added",
        "rolled",
        "order_set",
    ]
    assert table.state.rule.order == ("a", "n", "b")
    assert table.turn == "b"


@pytest.mark.rule("CF-SD-1")
@pytest.mark.parametrize(
    ("pool", "faces", "order"),
    [
        (2, (6, 4), ["n", "a", "b"]),
        (2, (6, 3), ["n", "a", "b"]),
        (2, (6, 2), ["a", "n", "b"]),
        (1, (4,), ["a", "b", "n"]),
        (2, (3, 1), ["a", "n", "b"]),
        (0, (), ["a", "b", "n"]),
    ],
)
def test_who_joins_later_wins_ties_by_pool_and_loses_them_by_number(
    pool: int, faces: tuple[int, ...], order: list[str]
) -> None:
    battle = {
        "order": [{"combatant": "a", "score": 9}, {"combatant": "b", "score": 4}],
        "turn": "a",
    }
    fighters = [fighter(name, "red", n, 0, int_pool=1) for n, name in enumerate("ab")]
    table = seated({"combatants": fighters, "battle": battle}, dice="supplied")
    table.ask(START)
    newcomer = fighter("n", "red", 6, 0, int_pool=pool)
    table.ask({"type": "add_combatant", "combatant": newcomer}, dice=faces)
    assert list(table.state.rule.order) == order


@pytest.mark.rule("CF-SD-1")
def test_with_a_fixed_order_who_joins_later_acts_last_and_still_in_this_round() -> None:
    table = three(options={"initiative": "fixed"})
    for name in "ab":
        table.ask(end(name))
    newcomer = fighter("n", "blue", 12, 0, int_pool=3)
    assert table.ask({"type": "add_combatant", "combatant": newcomer}).draws == ()
    table.ask(end("c"))
    assert (table.turn, table.state.rule.round) == ("n", 1)
    table.ask(end("n"))
    assert (table.turn, table.state.rule.round) == ("a", 2)


def test_hidden_numbers_hide_how_many_dice_initiative_takes() -> None:
    fighters = [fighter("a", "red", 0, 0, int_pool=3), fighter("b", "blue", 3, 0, int_pool=2)]
    table = seated({"combatants": fighters, "options": {"enemy_numbers": "hidden"}})
    event = table.ask(START)
    assert [draw.stream for draw in event.draws] == [1, 1, 1, 2, 2]
    seen: Any = table.shown(event.seq, "ann")
    assert [draw["stream"] for draw in seen["draws"]] == [1, 1, 1]
    rolled = [each for each in seen["effects"] if each["type"] == "rolled"]
    assert [("roll" in each) for each in rolled] == [True, False]


def test_the_end_of_a_turn_says_all_that_follows() -> None:
    table = three()
    assert effects_of(table.ask(end("a"))) == [
        {"type": "turn_ended", "combatant": "a", "cause": "ended"},
        {
            "type": "stat_changed",
            "rule": "CF-PIN-2",
            "combatant": "a",
            "stat": "suppression",
            "now": 1,
            "place": {"x": 0, "y": 0},
        },
        {
            "type": "resource_changed",
            "combatant": "a",
            "resource": "actions",
            "now": 0,
            "cause": "turn_ended",
        },
        {"type": "turn_began", "combatant": "b"},
        {
            "type": "resource_changed",
            "rule": "CF-SD-1",
            "combatant": "b",
            "resource": "actions",
            "now": 2,
            "cause": "turn_began",
        },
    ]


def test_past_the_end_of_the_order_a_round_begins() -> None:
    table = three()
    table.ask(end("a"))
    table.ask(end("b"))
    effects = effects_of(table.ask(end("c")))
    assert {"type": "round_began", "round": 2} in effects
    assert (table.state.rule.round, table.turn) == (2, "a")


def test_who_can_not_act_is_passed_over() -> None:
    table = three()
    table.ask(condition("b", "helpless"))
    table.ask(end("a"))
    assert table.turn == "c"


def test_who_falls_in_his_own_turn_ends_it() -> None:
    table = three()
    effects = effects_of(table.ask(condition("a", "helpless")))
    assert {"type": "turn_ended", "combatant": "a", "cause": "felled"} in effects
    assert table.turn == "b"


def test_while_nobody_can_act_there_is_no_turn_and_then_a_new_round() -> None:
    table = three()
    for name in "abc":
        table.ask(condition(name, "helpless"))
    assert table.turn is None
    with pytest.raises(Refused, match="actor_incapacitated"):
        table.ask(end("a"))
    effects = effects_of(table.ask(condition("b", "helpless", holds=False)))
    assert {"type": "round_began", "round": 2} in effects
    assert table.turn == "b"


def test_the_turn_of_somebody_removed_goes_to_the_next() -> None:
    table = three()
    table.ask(end("a"))
    effects = effects_of(table.ask({"type": "remove_combatant", "combatant": "b"}))
    assert effects[:2] == [
        {"type": "turn_ended", "combatant": "b", "cause": "removed"},
        {"type": "combatant_removed", "combatant": "b", "cause": "gm"},
    ]
    assert (table.turn, table.state.rule.order) == ("c", ("a", "c"))


def test_the_last_of_the_order_removed_begins_a_round() -> None:
    table = three()
    table.ask(end("a"))
    table.ask(end("b"))
    table.ask({"type": "remove_combatant", "combatant": "c"})
    assert (table.turn, table.state.rule.round) == ("a", 2)


def test_a_battle_may_start_empty_and_begins_with_the_first_who_comes() -> None:
    table = seated({})
    assert [each["type"] for each in effects_of(table.ask(START))] == [
        "encounter_started",
        "order_set",
    ]
    table.ask({"type": "add_combatant", "combatant": fighter("a", "red", 0, 0)})
    assert (table.turn, table.state.rule.round) == ("a", 1)


@pytest.mark.rule("CF-UNAWARE-1")
def test_whoever_has_the_turn_expects_attacks() -> None:
    table = three()
    table.ask(condition("b", "unaware"))
    effects = effects_of(table.ask(end("a")))
    assert effects[-1] == {
        "type": "condition_lost",
        "rule": "CF-UNAWARE-1",
        "combatant": "b",
        "condition": "unaware",
        "cause": "turn_began",
    }


@pytest.mark.rule("CF-PIN-4")
def test_a_remembered_streak_is_told_restored_and_forgotten() -> None:
    walker = fighter("a", "red", 0, 0, pin_count=2)
    options = {"pin_return_memory": True}
    setup = {"combatants": [walker], "battle": in_progress("a"), "options": options}
    table = seated(setup)
    table.ask(START)

    def suppression(*cells: tuple[int, int]) -> list[Any]:
        path = [{"x": x, "y": y} for x, y in cells]
        if path:
            table.ask({"type": "move", "combatant": "a", "path": path})
        effects = effects_of(table.ask(end("a")))
        told = [each for each in effects if each["type"] == "stat_changed"]
        return [(each["stat"], each["now"], each.get("place")) for each in told]

    origin, away = {"x": 0, "y": 0}, {"x": 2, "y": 0}
    assert suppression((1, 0), (2, 0)) == [
        ("suppression", 0, away),
        ("remembered_suppression", 2, origin),
    ]
    assert suppression((1, 0), (0, 0)) == [
        ("suppression", 3, origin),
        ("remembered_suppression", 0, away),
    ]
    assert suppression() == [("suppression", 4, origin), ("remembered_suppression", 0, None)]


@pytest.mark.rule("CF-PIN-2")
def test_hiding_is_forgotten_when_one_moves_away() -> None:
    hider = fighter("a", "red", 0, 0, pin_count=2, hidden_from=[{"combatant": "b", "offset": 2}])
    setup = {"combatants": [hider, fighter("b", "blue", 9, 9)], "battle": in_progress("a", "b")}
    table = seated(setup)
    table.ask(START)
    path = [{"x": 1, "y": 0}, {"x": 2, "y": 0}]
    table.ask({"type": "move", "combatant": "a", "path": path})
    assert {
        "type": "link_changed",
        "rule": "CF-PIN-2",
        "link": "hidden_from",
        "combatant": "a",
        "other": "b",
        "tied": False,
    } in effects_of(table.ask(end("a")))
    assert table.combatant("a").hidden_from == ()


@pytest.mark.rule("CF-XFIRE-4")
def test_with_membership_by_fire_only_who_shot_in_this_round_takes_part() -> None:
    shooter = {"weapons": [rifle()]}
    setup = {
        "combatants": [
            fighter("a", "red", 5, 0, **shooter),
            fighter("b", "red", 5, 10, **shooter),
            fighter("t", "blue", 5, 5),
        ],
        "options": {"crossfire_membership": "fired"},
        "battle": in_progress("a", "b", "t"),
    }
    table = seated(setup)
    table.ask(START)

    def crossfire(combatant: str) -> int:
        shot = {"type": "ranged_attack", "combatant": combatant, "weapon": "rifle", "target": "t"}
        effects: list[Any] = effects_of(table.ask(shot))
        lines = effects[1]["detail"]["breakdown"]
        return sum(line["amount"] for line in lines if line["rule"] == "CF-XFIRE-2")

    first = crossfire("a")
    table.ask(end("a"))
    second = crossfire("b")
    for combatant in ("b", "t"):
        table.ask(end(combatant))
    assert (first, second, crossfire("a")) == (0, 1, 0)


def test_a_player_whose_table_rolls_the_dice_is_asked_for_them() -> None:
    shooter = fighter("a", "red", 0, 0, weapons=[rifle(attack_dice=2)])
    target = fighter("t", "blue", 4, 0, ranged_defence=7)
    setup = {"combatants": [shooter, target], "battle": in_progress("a", "t")}
    table = seated(setup, dice="supplied")
    table.ask(START)
    shot = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
    assert table.preview(shot, "ann").opens == ("roll",)
    opened = effects_of(table.ask(shot, "ann"))
    assert [each["type"] for each in opened] == ["decision_opened"]
    assert table.legal("a", "ann") == ()
    damage = effects_of(table.ask(rolled("d3.1"), "ann", (6, 6)))
    assert [each["type"] for each in damage] == ["decision_closed", "decision_opened"]
    event = table.ask(rolled("d4.1"), "ann", (5, 4))
    assert [each["type"] for each in effects_of(event)] == [
        "decision_closed",
        "resource_changed",
        "attack_resolved",
        "hurt",
    ]
    assert table.combatant("t").health == 21
    assert PEOPLE["ann"] == event.by


def rolled(decision: str) -> Tree:
    return {"type": "answer", "decision_id": decision, "choice": {"type": "roll"}}
