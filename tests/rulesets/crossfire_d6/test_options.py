"""What the options of an encounter change, each at its limit, asked of whole battles."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given
from tests.rulesets.crossfire_d6.duels import at, do, drawn, duel, path, shoot, strike
from tests.rulesets.crossfire_d6.examples import Tree

Row = tuple[Any, ...]

GUN: Tree = {"weapons": [{"id": "gun"}]}


def attacked(battle: Given, action: Tree) -> tuple[Row, ...]:
    """The rows of an attack that rolls only ones; its preview must have said the same."""
    told = battle.foretold(action)["facts"]
    outcome = battle.when(action, dice=(1,) * told["pool"]).outcome
    assert isinstance(outcome, list), outcome
    detail = next(each["detail"] for each in outcome if each["type"] == "attack_resolved")
    assert detail["breakdown"] == told["breakdown"]
    assert detail["pool"] == told["pool"]
    return tuple(
        (row["rule"], row["amount"], row["note"]) if "note" in row else (row["rule"], row["amount"])
        for row in detail["breakdown"]
    )


@pytest.mark.rule("CF-ELEV-2")
@pytest.mark.parametrize(("height", "rows"), [(4, ()), (5, (("CF-ELEV-2", 1),))])
def test_from_how_high_a_shooter_gains_a_die(height: int, rows: tuple[Row, ...]) -> None:
    options = {"ranged_elevation_min_ft": 5}
    assert attacked(duel(at(0, 0, elevation=height), options=options), shoot()) == rows


@pytest.mark.rule("CF-RANGE-2")
def test_a_weapon_that_states_no_maximum_reaches_so_many_increments() -> None:
    gun = {"weapons": [{"id": "gun", "range_increment_ft": 10}]}
    options = {"default_max_increments": 2}
    assert attacked(duel(gun, at(4, 0), options=options), shoot()) == (("CF-RANGE-1", -1),)
    far = duel(gun, at(5, 0), options=options).when(shoot())
    far.refused("out_of_range", "CF-RANGE-2", distance_ft=25, longest_ft=20)
    stated = {"weapons": [{"id": "gun", "range_increment_ft": 10, "max_range_ft": 25}]}
    assert attacked(duel(stated, at(5, 0), options=options), shoot()) == (("CF-RANGE-1", -2),)


@pytest.mark.rule("CF-PB-1")
@pytest.mark.parametrize(
    ("limit", "x", "rows"),
    [
        (0, 1, ()),
        (5, 1, (("CF-PB-1", -2),)),
        (5, 2, ()),
        (10, 2, (("CF-PB-1", -2),)),
        (10, 3, ()),
    ],
)
def test_how_near_point_blank_is(limit: int, x: int, rows: tuple[Row, ...]) -> None:
    assert attacked(duel(t=at(x, 0), options={"point_blank_ft": limit}), shoot()) == rows


@pytest.mark.rule("CF-ALLY-1")
@pytest.mark.parametrize(
    ("limit", "x", "rows"),
    [(0, 5, ()), (5, 5, (("CF-ALLY-1", -2),)), (5, 6, ()), (10, 6, (("CF-ALLY-1", -2),))],
)
def test_how_near_an_ally_is_in_danger(limit: int, x: int, rows: tuple[Row, ...]) -> None:
    ally = {"side": "red", **at(x, 1)}
    battle = duel(t=at(4, 0), ally=ally, options={"ally_near_ft": limit})
    assert attacked(battle, shoot()) == rows


@pytest.mark.rule("CF-ALLY-1")
@pytest.mark.parametrize(("condition", "rows"), [("helpless", (("CF-ALLY-1", -2),)), ("dead", ())])
def test_a_helpless_ally_is_in_danger_and_a_dead_one_is_not(
    condition: str, rows: tuple[Row, ...]
) -> None:
    ally = {"side": "red", "conditions": [condition], **at(4, 1)}
    assert attacked(duel(t=at(4, 0), ally=ally), shoot()) == rows


def crossed(*others: tuple[int, int], **options: Any) -> Given:
    """A five cells north of T, others of his side with guns round it."""
    friends = {
        f"f{index}": {"side": "red", **GUN, **at(x, y)} for index, (x, y) in enumerate(others)
    }
    return duel(at(5, 0), at(5, 5), options=options, **friends)


@pytest.mark.rule("CF-XFIRE-3")
@pytest.mark.parametrize(
    ("cap", "rows"),
    [(0, ()), (1, (("CF-XFIRE-2", 1),)), (2, (("CF-XFIRE-2", 2),)), (20, (("CF-XFIRE-2", 4),))],
)
def test_how_many_dice_crossfire_gives_at_most(cap: int, rows: tuple[Row, ...]) -> None:
    battle = crossed((5, 10), (0, 5), (10, 5), (9, 9), crossfire_cap=cap)
    assert attacked(battle, shoot()) == rows


@pytest.mark.rule("CF-XFIRE-2")
@pytest.mark.parametrize(("count", "dice"), [("participants", 1), ("all_shooters", 2)])
def test_whether_shooters_beside_a_crossfire_take_part(count: str, dice: int) -> None:
    battle = crossed((5, 10), (10, 5), crossfire_count=count)
    assert attacked(battle, shoot()) == (("CF-XFIRE-2", dice),)
    assert attacked(crossed((10, 5), crossfire_count=count), shoot()) == ()


@pytest.mark.rule("CF-XFIRE-4")
def test_a_shooter_who_fired_and_can_no_longer_see_the_target_takes_no_part() -> None:
    battle = crossed((5, 10), crossfire_membership="fired")
    shot_by_the_other = {"type": "ranged_attack", "combatant": "f0", "weapon": "gun", "target": "t"}
    battle.when(do("end_turn"))
    battle.when(do("end_turn", "t"))
    assert attacked(battle, shot_by_the_other) == (("CF-PIN-1", 1),)
    battle.when(do("end_turn", "f0"))
    wall = [{"x": x, "y": 8, "kind": "solid"} for x in range(3, 8)]
    battle.when({"type": "set_terrain", "cells": wall})
    assert attacked(battle, shoot()) == (("CF-PIN-1", 1),)


@pytest.mark.rule("CF-XFIRE-4")
def test_by_fire_one_takes_part_for_the_rest_of_the_round_only() -> None:
    battle = crossed((5, 10), crossfire_membership="fired")
    answer = {"type": "ranged_attack", "combatant": "f0", "weapon": "gun", "target": "t"}
    assert attacked(battle, shoot()) == ()
    battle.when(do("end_turn"))
    battle.when(do("end_turn", "t"))
    assert attacked(battle, answer) == (("CF-PIN-1", 1), ("CF-XFIRE-2", 1))
    battle.when(do("end_turn", "f0"))
    assert attacked(battle, shoot()) == (("CF-PIN-1", 1),)


@pytest.mark.rule("CF-FLANK-1")
@pytest.mark.parametrize(
    ("membership", "partner", "rows"),
    [
        ("melee", {}, (("CF-FLANK-1", 1),)),
        ("melee", {"weapons": []}, ()),
        ("melee", {"weapons": [{"id": "blade", "reach_ft": 0}]}, ()),
        ("melee", {"weapons": [{"id": "blade", "ready": False}]}, ()),
        ("melee", {"weapons": [{"id": "gun", "reach_ft": 5}]}, ()),
        ("melee", {"weapons": [{"id": "gun", "kind": "both"}]}, (("CF-FLANK-1", 1),)),
        ("any", {"weapons": []}, (("CF-FLANK-1", 1),)),
        ("any", {"weapons": [], "conditions": ["helpless"]}, ()),
        ("any", {"weapons": [], "conditions": ["dead"]}, ()),
        ("any", {"weapons": [], "side": "blue"}, ()),
    ],
)
def test_who_counts_as_a_partner_on_the_other_side(
    membership: str, partner: Tree, rows: tuple[Row, ...]
) -> None:
    stated = {"side": "red", **at(2, 0), **partner}
    battle = duel(t=at(1, 0), partner=stated, options={"flanking_membership": membership})
    assert attacked(battle, strike()) == rows


@pytest.mark.rule("CF-FLANK-1")
@pytest.mark.parametrize(("membership", "rows"), [("melee", ()), ("any", (("CF-FLANK-1", 1),))])
def test_a_partner_out_of_reach_flanks_by_option_only(
    membership: str, rows: tuple[Row, ...]
) -> None:
    far = {"side": "red", **at(6, 0)}
    battle = duel(t=at(1, 0), partner=far, options={"flanking_membership": membership})
    assert attacked(battle, strike()) == rows


@pytest.mark.rule("CF-FACE-5")
@pytest.mark.rule("CF-UNAWARE-1")
@pytest.mark.parametrize(
    ("facing", "conditions", "counts", "rows"),
    [
        ("E", [], False, ()),
        ("E", [], True, (("CF-UNAWARE-1", 2),)),
        ("NE", [], True, (("CF-UNAWARE-1", 2),)),
        ("N", [], True, ()),
        ("E", ["unaware"], True, (("CF-UNAWARE-1", 2),)),
        ("E", ["unaware"], False, (("CF-UNAWARE-1", 2),)),
    ],
)
def test_whether_a_blow_from_the_rear_is_unexpected(
    facing: str, conditions: list[str], counts: bool, rows: tuple[Row, ...]
) -> None:
    target = {"facing": facing, "conditions": conditions, **at(1, 0)}
    battle = duel(t=target, options={"rear_is_unaware": counts})
    assert attacked(battle, strike()) == rows
    again = tuple(row for row in rows if counts and facing != "N")
    assert attacked(battle, strike()) == again


@pytest.mark.rule("CF-UNAWARE-1")
def test_a_shot_from_the_rear_is_never_unexpected() -> None:
    target = {"facing": "E", "conditions": ["unaware"]}
    assert attacked(duel(t=target, options={"rear_is_unaware": True}), shoot()) == ()


@pytest.mark.rule("CF-COVER-2")
@pytest.mark.parametrize(("counts", "rows"), [(False, ()), (True, (("CF-COVER-2", -2),))])
def test_whether_cover_counts_in_melee(counts: bool, rows: tuple[Row, ...]) -> None:
    between = {"form": "cells", "borders": [{"axis": "v", "x": 1, "y": 0, "kind": "cover"}]}
    target = {"posture": "in_cover", **at(1, 0)}
    battle = duel(t=target, map=between, options={"cover_vs_melee": counts})
    assert attacked(battle, strike()) == rows


@pytest.mark.rule("CF-POS-9")
@pytest.mark.parametrize(
    ("border", "counts", "rows"),
    [
        ({"axis": "v", "x": 3, "y": 0}, False, ()),
        ({"axis": "v", "x": 3, "y": 0}, True, (("CF-COVER-2", -2),)),
        ({"axis": "v", "x": 2, "y": 0}, True, (("CF-COVER-2", -2),)),
        ({"axis": "v", "x": 1, "y": 0}, True, ()),
        ({"axis": "v", "x": 6, "y": 0}, True, ()),
        ({"axis": "h", "x": 3, "y": 0}, True, ()),
    ],
)
def test_whether_a_low_wall_in_between_counts(
    border: Tree, counts: bool, rows: tuple[Row, ...]
) -> None:
    board = {"form": "cells", "borders": [{**border, "kind": "cover"}]}
    battle = duel(t=at(6, 0), map=board, options={"intervening_cover": counts})
    assert attacked(battle, shoot()) == rows


@pytest.mark.rule("CF-SD-1")
@pytest.mark.parametrize("count", [1, 5])
def test_how_many_actions_a_turn_has(count: int) -> None:
    battle = duel(options={"actions_per_turn": count})
    for _ in range(count):
        assert attacked(battle, shoot()) == ()
    battle.when(shoot()).refused("no_actions_left", "CF-SD-1", combatant="a")


@pytest.mark.rule("CF-SD-3")
@pytest.mark.parametrize(
    ("sixes", "faces", "outcome"),
    [
        (0, (6, 6, 6, 6), "hit"),
        (1, (6, 1, 1, 1), "critical"),
        (3, (6, 6, 1, 1), "hit"),
        (3, (6, 6, 6, 1), "critical"),
        (5, (6, 6, 6, 6), "hit"),
    ],
)
def test_how_many_sixes_make_a_hit_critical(
    sixes: int, faces: tuple[int, ...], outcome: str
) -> None:
    options = {"natural_crit_sixes": sixes}
    damage = (1, 1) if outcome == "critical" else (1,)
    battle = duel(t={"ranged_defence": 9}, options=options)
    effects = battle.when(shoot(), dice=(*faces, *damage)).outcome
    assert isinstance(effects, list)
    assert effects[1]["outcome"] == outcome


@pytest.mark.rule("CF-SD-3")
def test_a_miss_full_of_sixes_is_no_critical() -> None:
    effects = duel().when(shoot(), dice=(6, 6, 6, 6)).outcome
    assert isinstance(effects, list)
    assert effects[1]["outcome"] == "miss"


@pytest.mark.rule("CF-HELP-1")
@pytest.mark.rule("CF-SD-4")
def test_a_blow_at_the_helpless_counts_every_die_as_six_without_any_roll() -> None:
    blade = {"weapons": [{"id": "blade", "damage_dice": 3}]}
    target = {"conditions": ["helpless"], "soak": 4, "health": 7, **at(1, 0)}
    battle = duel(blade, target, options={"crit_rule": "max_damage"})
    effects = battle.when(strike(), dice=()).outcome
    assert isinstance(effects, list)
    assert "rule" not in effects[1]
    assert (effects[1]["detail"]["rule"], effects[1]["outcome"]) == ("CF-HELP-1", "critical")
    assert (effects[2]["amount"], effects[2]["health"]) == (14, -7)
    assert (effects[3]["type"], effects[3]["state"]) == ("felled", "dead")


@pytest.mark.rule("CF-SD-2")
def test_without_a_floor_an_empty_pool_misses_even_no_defence() -> None:
    gun = {"weapons": [{"id": "gun", "attack_dice": 2}]}
    target = {"ranged_defence": 0, **at(1, 0)}
    battle = duel(gun, target, options={"pool_floor": 0})
    assert attacked(battle, shoot()) == (("CF-PB-1", -2),)
    told = battle.foretold(shoot())
    assert [(each["outcome"], each["percent_milli"]) for each in told["odds"]] == [
        ("miss", 100_000),
        ("hit", 0),
        ("critical", 0),
    ]


@pytest.mark.rule("CF-RANGE-3")
@pytest.mark.parametrize(("diagonals", "feet"), [("equal", 15), ("alternating", 20)])
def test_what_diagonals_of_a_walk_cost(diagonals: str, feet: int) -> None:
    walk = path((1, 1), (2, 2), (3, 3))
    options = {"diagonal_rule": diagonals}
    moved = duel({"speed_ft": feet}, at(9, 9), options=options).when(walk).outcome
    assert isinstance(moved, list)
    assert moved[1]["cost"] == feet
    slower = duel({"speed_ft": feet - 1}, at(9, 9), options=options)
    slower.when(walk).refused("path_too_long", length_ft=feet, longest_ft=feet - 1)


@pytest.mark.rule("CF-COVER-4")
@pytest.mark.parametrize(
    ("mode", "rows"),
    [
        (
            "once",
            (
                ("CF-COVER-2", 0, "penalty_ignored"),
                ("CF-ALLY-1", -2),
                ("CF-OBSC-1", 0, "cover_penalty_applied"),
            ),
        ),
        (
            "separate",
            (
                ("CF-COVER-2", 0, "penalty_ignored"),
                ("CF-ALLY-1", -2),
                ("CF-OBSC-1", -2),
                ("CF-SD-2", 1),
            ),
        ),
    ],
)
def test_a_trick_against_one_cover_penalty_leaves_the_next(
    mode: str, rows: tuple[Row, ...]
) -> None:
    board = drawn("...c.", ".....")
    battle = duel(
        {"ignored_rules": ["CF-COVER-2"]},
        {"posture": "in_cover", "conditions": ["invisible"], **at(4, 0)},
        ally={"side": "red", **at(4, 1)},
        map=board,
        options={"cover_penalty_mode": mode},
    )
    assert attacked(battle, shoot()) == rows
