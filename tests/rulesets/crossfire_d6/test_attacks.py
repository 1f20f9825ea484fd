"""What follows from an attack: damage, falling, allies struck, surprise lost, odds foretold."""

from typing import Any

import pytest

from tests.kit.given_when_then import rolled
from tests.kit.table import Table, effects_of, tree_of
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle, seated

Tree = dict[str, Any]
SHOT: Tree = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
BLOW: Tree = {"type": "melee_attack", "combatant": "a", "weapon": "blade", "target": "t"}


def battle(target: Tree, *more: Tree, weapons: list[Tree] | None = None, **setup: Any) -> Table:
    """Red a shoots with two dice of attack and two of damage; the table supplies the faces."""
    armed = weapons or [rifle(attack_dice=2), blade(attack_dice=2)]
    combatants = [fighter("a", "red", 0, 0, weapons=armed), target, *more]
    order = in_progress(*(each["id"] for each in combatants))
    table = seated({"combatants": combatants, "battle": order, **setup}, dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


def target(x: int = 4, **more: Any) -> Tree:
    return fighter("t", "blue", x, 0, **{"ranged_defence": 7, "melee_defence": 7, **more})


def test_a_hit_hurts_by_its_dice_less_the_soak() -> None:
    table = battle(target(soak=3))
    effects = effects_of(table.ask(SHOT, dice=(3, 4, 5, 5)))
    assert effects == [
        {"type": "resource_changed", "combatant": "a", "resource": "actions", "now": 1},
        {
            "type": "attack_resolved",
            "target": "t",
            "outcome": "hit",
            "detail": {
                "attacker": "a",
                "item": "rifle",
                "mode": "ranged",
                "roll": rolled(6, 3, 4),
                "base": 2,
                "breakdown": [],
                "pool": 2,
                "against": {"target": "t", "needed": 7},
                "distance_ft": 20,
                "attacked_from": "side",
                "position": "open",
                "line": [{"x": 0, "y": 0}, {"x": 4, "y": 0}],
                "obscured": False,
                "critical": False,
                "reckless": False,
                "rule": "CF-SD-3",
            },
        },
        {
            "type": "hurt",
            "rule": "CF-SD-4",
            "combatant": "t",
            "amount": 7,
            "health": 23,
            "band": "hurt",
            "breakdown": [{"rule": "CF-SD-4", "amount": -3}],
            "cause": "attack",
            "source": {
                "combatant": "a",
                "item": "rifle",
                "roll": rolled(6, 5, 5, number=3),
            },
        },
    ]


def test_damage_that_the_soak_takes_whole_is_shown_as_none() -> None:
    table = battle(target(soak=20))
    effects = effects_of(table.ask(SHOT, dice=(3, 4, 5, 5)))
    assert (effects[2]["amount"], effects[2]["band"]) == (0, "unhurt")


@pytest.mark.parametrize(
    ("health", "band", "state"),
    [(11, "badly_hurt", None), (10, "down", "helpless"), (5, "down", "dead")],
)
@pytest.mark.rule("CF-SD-4")
def test_who_is_down_to_nothing_falls(health: int, band: str, state: str | None) -> None:
    table = battle(target(health=health))
    effects = effects_of(table.ask(SHOT, dice=(3, 4, 5, 5)))
    assert effects[2]["band"] == band
    fallen = [each["state"] for each in effects if each["type"] == "felled"]
    assert fallen == ([] if state is None else [state])


@pytest.mark.rule("CF-SD-4")
def test_who_is_helpless_already_may_only_die() -> None:
    table = battle(target(x=1, health=30, conditions=["helpless"], soak=10))
    effects = effects_of(table.ask(BLOW, dice=(6, 6, 6, 6)))
    assert [each["type"] for each in effects] == ["resource_changed", "attack_resolved", "hurt"]
    table = battle(target(x=1, health=-20, health_max=30, conditions=["helpless"]))
    effects = effects_of(table.ask(BLOW, dice=(6, 6, 6, 6)))
    assert effects[-1]["type"] == "felled"
    assert effects[-1]["state"] == "dead"


@pytest.mark.rule("CF-SD-3")
@pytest.mark.rule("CF-SD-4")
def test_enough_sixes_double_the_dice_of_damage_or_make_them_all_sixes() -> None:
    options = {"natural_crit_sixes": 2}
    table = battle(target(), options=options)
    doubled = effects_of(table.ask(SHOT, dice=(6, 6, 1, 2, 3, 4)))
    assert (doubled[1]["outcome"], doubled[2]["amount"]) == ("critical", 10)
    table = battle(target(), options=options | {"crit_rule": "max_damage"})
    highest: list[Any] = effects_of(table.ask(SHOT, dice=(6, 6)))
    assert (highest[2]["amount"], "roll" in highest[2]["source"]) == (12, False)


@pytest.mark.rule("CF-UNAWARE-1")
@pytest.mark.parametrize("faces", [(1, 1), (3, 4, 1, 1)])
def test_the_first_attack_ends_surprise_hit_or_miss(faces: tuple[int, ...]) -> None:
    table = battle(target(conditions=["unaware"]))
    effects = effects_of(table.ask(SHOT, dice=faces))
    assert effects[-1] == {
        "type": "condition_lost",
        "rule": "CF-UNAWARE-1",
        "combatant": "t",
        "condition": "unaware",
        "cause": "attack",
    }


RECKLESS = {"allow_reckless_fire": True, "ally_near_ft": 10}


def allies() -> tuple[Tree, Tree]:
    """Two at the same distance from the target; the one who entered first is in danger."""
    return (
        fighter("z", "red", 5, 1, ranged_defence=5, soak=1, facing="E"),
        fighter("b", "red", 5, -1, ranged_defence=2),
    )


@pytest.mark.rule("CF-ALLY-3")
def test_a_reckless_miss_strikes_the_nearest_ally_it_reaches() -> None:
    table = battle(target(), *allies(), options=RECKLESS)
    effects: list[Any] = effects_of(table.ask(SHOT | {"reckless": True}, dice=(2, 3, 4, 4)))
    assert [each["type"] for each in effects] == [
        "resource_changed",
        "attack_resolved",
        "attack_resolved",
        "hurt",
    ]
    assert effects[1]["detail"]["breakdown"] == [
        {
            "rule": "CF-ALLY-1",
            "amount": 0,
            "note": "reckless_fire",
            "combatants": ["z"],
            "facts": {"distance_ft": 5},
            "rules": ["CF-ALLY-3"],
        }
    ]
    assert effects[2] == {
        "type": "attack_resolved",
        "rule": "CF-ALLY-3",
        "target": "z",
        "outcome": "hit",
        "detail": {
            "attacker": "a",
            "item": "rifle",
            "mode": "ranged",
            "breakdown": [],
            "against": {"target": "z", "needed": 5},
            "distance_ft": 25,
            "attacked_from": "rear",
            "obscured": False,
            "critical": False,
            "reckless": True,
        },
    }
    assert effects[1]["detail"]["attacked_from"] == "side"
    assert (effects[3]["combatant"], effects[3]["amount"]) == ("z", 7)


@pytest.mark.rule("CF-ALLY-3")
@pytest.mark.parametrize(("faces", "struck"), [((1, 3), []), ((3, 4, 1, 1), [])])
def test_a_reckless_shot_that_reaches_nobody_or_its_target_spares_the_ally(
    faces: tuple[int, ...], struck: list[Tree]
) -> None:
    table = battle(target(), *allies(), options=RECKLESS)
    effects = effects_of(table.ask(SHOT | {"reckless": True}, dice=faces))
    assert [each for each in effects if each.get("rule") == "CF-ALLY-3"] == struck


@pytest.mark.rule("CF-PIN-6")
def test_with_scope_all_one_hides_from_every_enemy_at_once() -> None:
    hider = fighter("h", "red", 0, 0, agi_pool=1, pin_count=2)
    enemies = [fighter("t", "blue", 5, 0), fighter("u", "green", 9, 0)]
    setup = {
        "combatants": [hider, *enemies],
        "battle": in_progress("h", "t", "u"),
        "options": {"hide_scope": "all", "hide_tie_succeeds": False},
    }
    table = seated(setup, dice="supplied")
    table.ask({"type": "start_encounter"})
    effects = effects_of(table.ask({"type": "hide", "combatant": "h", "against": "t"}, dice=(1,)))
    links = [each["other"] for each in effects if each["type"] == "link_changed"]
    assert links == ["t", "u"]


def test_a_preview_tells_the_exact_odds() -> None:
    table = battle(target(), options={"natural_crit_sixes": 2})
    told = table.preview(SHOT)
    odds = [(each.outcome, each.num, each.den, each.percent_milli) for each in told.odds]
    assert odds == [
        ("miss", "5", "12", 41_666),
        ("hit", "5", "9", 55_555),
        ("critical", "1", "36", 2_777),
    ]
    assert told.opens == ()


def test_a_preview_of_a_blow_that_needs_no_roll_is_certain() -> None:
    table = battle(target(x=1, conditions=["helpless"]))
    told = table.preview(BLOW)
    assert [(each.outcome, each.percent_milli) for each in told.odds] == [
        ("miss", 0),
        ("hit", 0),
        ("critical", 100_000),
    ]
    assert "pool" not in tree_of(told.facts)


def test_a_preview_of_hiding_and_of_a_walk() -> None:
    hider = fighter("t", "blue", 4, 0, agi_pool=1, pin_count=2)
    table = battle(hider)
    table.ask({"type": "end_turn", "combatant": "a"})
    told = table.preview({"type": "hide", "combatant": "t", "against": "a"})
    assert tree_of(told.facts) == {"suppression": 2, "pool": 1, "against_pool": 0}
    assert [(each.outcome, each.num, each.den) for each in told.odds] == [
        ("success", "1", "1"),
        ("failure", "0", "1"),
    ]
    path = [{"x": 5, "y": 1}, {"x": 6, "y": 1}]
    walked = table.preview({"type": "move", "combatant": "t", "path": path})
    assert tree_of(walked.facts) == {
        "cost_ft": 10,
        "budget_ft": 30,
        "end": {"x": 6, "y": 1},
        "posture": "open",
    }


def test_third_sides_whose_numbers_are_hidden_leave_the_pool_unknown() -> None:
    other = fighter("g", "green", 8, 0, weapons=[rifle()])
    table = battle(target(), other, options={"enemy_numbers": "hidden"})
    told = table.preview(SHOT, "ann")
    assert told.unknown == ("needed", "suppression", "shooters")
    assert tree_of(told.facts)["breakdown"] == []
    assert "pool" not in tree_of(told.facts)
    assert table.preview(SHOT).unknown == ()


@pytest.mark.rule("CF-COVER-2")
def test_cover_counts_against_blows_where_the_table_says_so() -> None:
    board = {
        "form": "cells",
        "cells": [],
        "borders": [{"axis": "v", "x": 1, "y": 0, "kind": "cover"}],
    }
    behind = target(x=1, posture="in_cover")
    for is_counted, dice in ((False, 2), (True, 1)):
        table = battle(behind, map=board, options={"cover_vs_melee": is_counted})
        effects: list[Any] = effects_of(table.ask(BLOW, dice=(1,) * dice))
        assert effects[1]["detail"]["pool"] == dice
        assert ("position" in effects[1]["detail"]) == is_counted
