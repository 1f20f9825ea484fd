"""Walks past enemies: who is asked before which step, and how a walk continues that has waited."""

from itertools import product
from random import Random
from typing import Any

import pytest

from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.tactical_d20.creatures import elevation_of, fighter_of
from service.rulesets.tactical_d20.deciding.opportunities import Watch
from service.rulesets.tactical_d20.ground import public_ground
from service.rulesets.tactical_d20.rules.control import does_control
from tests.kit.table import SEED, Table, effects_of
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.setups import blade, fighter
from tests.rulesets.tactical_d20.walks import (
    PASS,
    STRIKE,
    adjust,
    answer,
    battle,
    made,
    moved,
    opened,
    place,
    spent,
    swordsman,
    walk,
)

Tree = dict[str, Any]


def past(**more: Any) -> Table:
    """a walks from (0, 0) east along row 0; t is next to the cells 1 to 3 of it."""
    return battle(swordsman("a", "red", 0, 0), swordsman("t", "blue", 2, 1), **more)


EAST = walk("a", (1, 0), (2, 0), (3, 0), (4, 0))


def condition(combatant: str, name: str, holds: bool = True) -> Tree:
    change = {"type": "condition", "combatant": combatant, "condition": name, "holds": holds}
    return adjust(change)


def test_the_walk_waits_before_the_first_step_out_of_a_controlled_cell() -> None:
    table = past()
    effects = effects_of(table.ask(EAST, "ann"))
    assert effects[:2] == [
        spent("a", "move"),
        moved("a", (0, 0), (1, 0), cost=5, cause="opportunity"),
    ]
    [question] = effects[2:]
    assert question["decision"] == {
        "id": "d3.1",
        "kind": "opportunity",
        "opened_by": 3,
        "side": "blue",
        "combatant": "t",
        "options": ["opportunity_attack", "pass"],
        "default": "pass",
        "number": 1,
        "context": {"target": "a", "deed": "move", "place": {"x": 1, "y": 0}},
    }
    assert question["suspended"]["remainder"] == {"steps": 1, "diagonals": 0}


def test_nothing_is_walked_where_the_first_step_is_asked_about_already() -> None:
    table = battle(swordsman("a", "red", 1, 0), swordsman("t", "blue", 2, 1))
    effects = effects_of(table.ask(walk("a", (0, 0)), "ann"))
    assert [each["type"] for each in effects] == ["resource_changed", "decision_opened"]
    assert made(table) == {"steps": 0, "diagonals": 0}
    assert effects_of(answer(table, "t", PASS, "bob"))[1:] == [moved("a", (1, 0), (0, 0), cost=5)]


def test_whoever_has_passed_is_asked_again_before_the_next_such_step() -> None:
    table = past()
    table.ask(EAST, "ann")
    for steps in (1, 2):
        effects = effects_of(answer(table, "t", PASS, "bob"))
        assert [each["type"] for each in effects] == [
            "decision_closed",
            "moved",
            "decision_opened",
        ]
        assert effects[1] == moved("a", (steps, 0), (steps + 1, 0), cost=5, cause="opportunity")
        assert made(table) == {"steps": steps + 1, "diagonals": 0}
    assert effects_of(answer(table, "t", PASS, "bob"))[1:] == [moved("a", (3, 0), (4, 0), cost=5)]
    assert table.view()["pending"] == []
    assert audit(table, seed=SEED).clean


def test_legs_cost_together_what_the_whole_walk_costs() -> None:
    table = battle(swordsman("a", "red", 0, 0), swordsman("t", "blue", 3, 1))
    costs = [
        each["cost"]
        for event in (
            table.ask(walk("a", (1, 1), (2, 2), (3, 3), (4, 4)), "ann"),
            answer(table, "t", PASS),
        )
        for each in effects_of(event)
        if each["type"] == "moved"
    ]
    assert costs == [15, 15]
    assert place(table, "a") == (4, 4)


@pytest.mark.parametrize(
    "enemy",
    [
        fighter("t", "blue", 2, 1),
        swordsman("t", "blue", 2, 1, weapons=[blade(ready=False)]),
        swordsman("t", "blue", 2, 1, weapons=[blade(reach_ft=0)]),
        swordsman("t", "blue", 2, 1, conditions=["unconscious"]),
        swordsman("t", "blue", 2, 1, reaction_left=0),
        swordsman("t", "red", 2, 1),
        swordsman("t", "blue", 2, 2),
    ],
)
def test_nobody_is_asked_who_does_not_control_the_space_or_has_no_reaction(enemy: Tree) -> None:
    table = battle(swordsman("a", "red", 0, 0), enemy)
    assert effects_of(table.ask(EAST))[1:] == [
        moved("a", (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), cost=20)
    ]


def test_a_wall_between_keeps_from_being_asked() -> None:
    wall = [{"axis": "h", "x": x, "y": 1, "wall": True} for x in range(-3, 8)]
    table = past(map={"form": "cells", "borders": wall})
    assert opened(effects_of(table.ask(EAST))) == []


def test_nobody_is_asked_about_a_walker_of_whom_his_side_does_not_know() -> None:
    table = past()
    table.ask(adjust({"type": "hide", "combatant": "a"}))
    assert effects_of(table.ask(EAST, "ann"))[1:] == [
        moved("a", (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), cost=20)
    ]


def test_several_are_asked_at_once_in_the_order_of_entry() -> None:
    table = battle(
        swordsman("a", "red", 0, 0),
        swordsman("z", "blue", 0, 1),
        swordsman("b", "green", 1, 1),
        swordsman("c", "blue", 5, 5),
    )
    assert opened(effects_of(table.ask(walk("a", (0, -1)), "ann"))) == [("z", "a"), ("b", "a")]
    assert [each["type"] for each in effects_of(answer(table, "b", PASS))] == ["decision_closed"]
    assert place(table, "a") == (0, 0)
    effects = effects_of(answer(table, "z", PASS, "bob"))
    assert effects[-1] == moved("a", (0, 0), (0, -1), cost=5)


def test_every_other_action_waits_for_the_answers() -> None:
    table = past()
    table.ask(EAST, "ann")
    for action, by in (
        (walk("a", (2, 0)), "ann"),
        ({"type": "end_turn", "combatant": "a"}, "ann"),
        ({"type": "stand_up", "combatant": "a"}, "ann"),
        ({"type": "remove_combatant", "combatant": "t"}, "gm"),
    ):
        with pytest.raises(Refused) as refused:
            table.ask(action, by)
        assert refused.value.code == "decision_pending"


def test_a_strike_spends_the_reaction_and_the_walk_goes_on() -> None:
    table = past(dice="supplied")
    table.ask(EAST, "ann")
    [decision] = [each for each, _ in table.questions]
    event = table.ask(
        {"type": "answer", "decision_id": decision, "choice": STRIKE}, "gm", dice=(1,)
    )
    effects = effects_of(event)
    assert [each["type"] for each in effects] == [
        "decision_closed",
        "resource_changed",
        "attack_resolved",
        "moved",
    ]
    assert effects[1] == spent("t", "reaction")
    assert effects[3] == moved("a", (1, 0), (2, 0), (3, 0), (4, 0), cost=15)


def test_whoever_falls_on_his_way_walks_no_further_and_his_turn_is_over() -> None:
    weak = swordsman("a", "red", 0, 0, health_max=1, ac={"kac": 0})
    deadly = swordsman(
        "t",
        "blue",
        2,
        1,
        weapons=[blade(attack_bonus=50, damage={"count": 0, "sides": 6, "bonus": 1})],
    )
    table = battle(weak, deadly, dice="supplied")
    table.ask(EAST)
    [decision] = [each for each, _ in table.questions]
    chosen = {"type": "answer", "decision_id": decision, "choice": STRIKE}
    effects = effects_of(table.ask(chosen, dice=(10,)))
    assert [each["type"] for each in effects] == [
        "decision_closed",
        "resource_changed",
        "attack_resolved",
        "hurt",
        "felled",
        "turn_ended",
        "turn_began",
        "resource_changed",
    ]
    assert effects[5] == {"type": "turn_ended", "combatant": "a", "cause": "felled"}
    assert (place(table, "a"), table.turn) == ((1, 0), "t")


# --- while it waits ---------------------------------------------------------------------------


def waiting() -> Table:
    table = past()
    table.ask(EAST, "ann")
    return table


def test_a_walk_whose_questions_are_all_void_goes_on_from_where_it_is() -> None:
    table = waiting()
    effects = effects_of(table.ask(condition("t", "unconscious")))
    assert [each["type"] for each in effects] == [
        "adjusted",
        "felled",
        "decision_closed",
        "moved",
    ]
    assert (effects[2]["how"], effects[3]) == (
        "void",
        moved("a", (1, 0), (2, 0), (3, 0), (4, 0), cost=15),
    )
    assert audit(table, seed=SEED).clean


def test_a_path_may_lead_through_a_cell_twice() -> None:
    table = battle(swordsman("a", "red", 0, 0), swordsman("t", "blue", 2, 1))
    table.ask(walk("a", (1, 0), (0, 0), (1, 0), (0, 0)), "ann")
    assert made(table) == {"steps": 1, "diagonals": 0}
    answer(table, "t", PASS)
    assert (made(table), place(table, "a")) == ({"steps": 3, "diagonals": 0}, (1, 0))
    answer(table, "t", PASS)
    assert (table.view()["pending"], place(table, "a")) == ([], (0, 0))


@pytest.mark.parametrize("fallen", ["unconscious", "dead"])
def test_the_walk_of_whoever_falls_meanwhile_is_over_and_so_is_the_turn(fallen: str) -> None:
    table = waiting()
    effects = effects_of(table.ask(condition("a", fallen)))
    assert [each["type"] for each in effects] == [
        "adjusted",
        "felled",
        "decision_closed",
        "turn_ended",
        "turn_began",
    ]
    assert (place(table, "a"), table.turn) == ((1, 0), "t")


def test_whoever_is_put_elsewhere_meanwhile_walks_no_further() -> None:
    for x, y in ((1, 2), (9, 9)):
        table = waiting()
        table.ask(adjust({"type": "place", "combatant": "a", "place": {"x": x, "y": y}}))
        if (x, y) == (1, 2):
            answer(table, "t", PASS, "bob")
        assert (place(table, "a"), table.view()["pending"]) == ((x, y), [])


def test_a_walk_goes_on_when_its_enemy_is_put_out_of_reach() -> None:
    table = waiting()
    [question] = table.questions
    away = adjust({"type": "place", "combatant": "t", "place": {"x": 9, "y": 9}})
    effects = effects_of(table.ask(away))
    assert effects[-2:] == [
        {"type": "decision_closed", "decision_id": question[0], "how": "void"},
        moved("a", (1, 0), (2, 0), (3, 0), (4, 0), cost=15),
    ]
    assert (table.view()["pending"], audit(table, seed=SEED).clean) == ([], True)


@pytest.mark.parametrize("stopped", ["prone", "spinning"])
def test_whoever_is_knocked_down_meanwhile_walks_no_further(stopped: str) -> None:
    table = waiting()
    table.ask(condition("a", stopped))
    answer(table, "t", PASS)
    assert (place(table, "a"), table.view()["pending"], table.turn) == ((1, 0), [], "a")


def test_the_one_step_of_whoever_lies_may_wait_for_answers() -> None:
    table = battle(swordsman("a", "red", 1, 0, conditions=["prone"]), swordsman("t", "blue", 2, 1))
    table.ask(walk("a", (0, 0)), "ann")
    answer(table, "t", PASS)
    assert place(table, "a") == (0, 0)


def test_whoever_is_put_in_the_way_meanwhile_ends_the_walk_before_himself() -> None:
    bystander = fighter("b", "blue", 9, 9)
    table = battle(swordsman("a", "red", 0, 0), swordsman("t", "blue", 1, 1), bystander)
    table.ask(walk("a", (-1, 0), (-2, 0), (-3, 0)), "ann")
    table.ask(adjust({"type": "place", "combatant": "b", "place": {"x": -3, "y": 0}}))
    assert effects_of(answer(table, "t", PASS))[1:] == [
        moved("a", (0, 0), (-1, 0), (-2, 0), cost=10, cause="blocked")
    ]


def test_how_far_a_walk_has_come_is_the_game_masters() -> None:
    table = waiting()
    for viewer in ("ann", "bob", "eve"):
        [group] = table.view(viewer)["pending"]
        assert "suspended" not in group


@pytest.mark.rule("TD-GEO-3")
@pytest.mark.parametrize("seed", range(20))
def test_exactly_those_who_control_the_space_on_the_way_are_asked(seed: int) -> None:
    dice = Random(seed)
    size = dice.randint(1, 4)
    walker = fighter("a", "red", 0, 0, size=size, elevation=dice.choice([0, 15]))
    enemies = [
        swordsman(
            f"t{n}",
            "blue",
            dice.choice((-8, 8)) + dice.randint(-3, 3),
            10 * n,
            size=dice.randint(1, 4),
            reach_ft=dice.choice([0, 5, 10, 30]),
        )
        for n in range(-2, 3)
    ]
    table = battle(
        walker, *enemies, options={"diagonal_rule": dice.choice(["alternating", "equal"])}
    )
    rule = table.state.rule
    a, *others = rule.combatants
    watch = Watch(table.state, a)
    for x, y in product(range(-16, 17), range(-26, 27, 3)):
        controlling = tuple(
            each
            for each in others
            if does_control(
                public_ground(table.state),
                fighter_of(rule, each),
                Space(x, y, size),
                elevation_of(a),
                rule.options.diagonal_rule,
            )
        )
        assert watch.enemies_at((x, y)) == controlling
