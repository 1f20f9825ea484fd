"""Attacks: dice, breakdowns, damage, refusals in their order, and what is hidden."""

from typing import Any

import pytest

from tests.kit.given_when_then import rolled
from tests.kit.table import effects_of
from tests.rulesets.tactical_d20.blows import (
    BLADE,
    BLOW,
    GUN,
    NOTHING,
    SHOT,
    battle,
    cell_map,
    creature,
    hurt,
    kinds,
    outcome_of,
    refusal,
    spent,
    walls,
)
from tests.rulesets.tactical_d20.setups import Tree

CORNER: Tree = {"x": 0, "y": 0}
WALL = walls(*((2, y) for y in range(-3, 4)))
"""A wall across the line of fire, too long to shoot past."""


def test_a_hit_tells_both_breakdowns_and_hurts_by_its_dice() -> None:
    table = battle(creature("t", 1))
    effects = effects_of(table.ask(BLOW, dice=(6, 4)))
    assert effects == [
        spent(),
        {
            "type": "attack_resolved",
            "rule": "TD-SD-2",
            "target": "t",
            "outcome": "hit",
            "detail": {
                "attacker": "a",
                "item": "blade",
                "mode": "melee",
                "defence": "kac",
                "opportunity": False,
                "distance_ft": 5,
                "roll": rolled(20, 6),
                "base": 4,
                "breakdown": [],
                "pool": 4,
                "result": 10,
                "against": {"target": "t", "base": 10, "breakdown": [], "needed": 10},
                "cover": {**NOTHING, "corner": CORNER, "lines": [], "sources": []},
                "concealment": {"percent": 0, "lines": [], "sources": []},
                "flanking": {},
                "obstructed_by": [],
            },
        },
        hurt("t", 25, rolled(6, 4, number=2), bonus=1, item="blade"),
    ]


@pytest.mark.rule("TD-SD-4")
@pytest.mark.rule("TD-CONC-3")
@pytest.mark.parametrize(
    ("dice", "outcome"), [((17,), "miss"), ((18, 21, 3), "hit"), ((18, 20), "miss_concealment")]
)
def test_modifiers_stand_in_the_order_of_the_catalogue(dice: tuple[int, ...], outcome: str) -> None:
    """TD-EX-24."""
    ground = cell_map({"x": 2, "y": 0, "concealment_pct": 20}, {"x": 3, "y": 0, "cover": "normal"})
    gun = {**GUN, "attack_bonus": 6, "range_increment_ft": 15}
    table = battle(
        creature("t", 4, conditions=["prone"], ac={"eac": 14, "kac": 14}),
        attacker={"weapons": [gun]},
        map=ground,
    )
    effects = effects_of(table.ask(SHOT, dice=dice))
    detail = effects[1]["detail"]
    facts = {"distance_ft": 20, "increments": 2}
    assert detail["breakdown"] == [{"rule": "TD-SD-4", "amount": -2, "facts": facts}]
    against = [(line["rule"], line["amount"]) for line in detail["against"]["breakdown"]]
    assert against == [("TD-COVER-2", 4), ("TD-PRONE-2", 4)]
    assert (detail["pool"], detail["against"]["needed"]) == (4, 22)
    assert detail["concealment"]["percent"] == 20
    assert effects[1]["outcome"] == outcome
    assert detail.get("miss_chance") == (rolled(100, dice[1], number=2) if dice[1:] else None)


@pytest.mark.rule("TD-SD-2")
@pytest.mark.parametrize(
    ("natural", "kac", "outcome"),
    [
        (20, 24, "critical"),
        (20, 25, "hit"),
        (19, 23, "hit"),
        (19, 24, "miss"),
        (1, 0, "miss"),
        (2, 6, "hit"),
    ],
)
def test_the_ends_of_the_die_hit_and_miss_by_themselves(
    natural: int, kac: int, outcome: str
) -> None:
    table = battle(creature("t", 1, ac={"kac": kac}))
    damage = {"critical": (1, 2), "hit": (1,), "miss": ()}[outcome]
    assert outcome_of(table, BLOW, natural, *damage) == outcome


@pytest.mark.rule("TD-SD-2")
def test_a_critical_hit_has_twice_the_dice_and_twice_the_bonus() -> None:
    table = battle(creature("t", 1))
    effects = effects_of(table.ask(BLOW, dice=(20, 3, 5)))
    roll = rolled(6, 3, 5, number=2)
    assert effects[2] == hurt("t", 20, roll, bonus=2, item="blade", rules=["TD-SD-2"])


@pytest.mark.rule("TD-SD-2")
@pytest.mark.rule("TD-CONC-3")
def test_concealment_makes_a_miss_of_a_critical_hit() -> None:
    table = battle(creature("t", 1, blur_pct=30))
    assert outcome_of(table, BLOW, 20, 30) == "miss_concealment"


def test_a_weapon_is_rolled_against_the_armour_class_that_it_targets() -> None:
    laser = {**BLADE, "targets": "eac"}
    table = battle(creature("t", 1, ac={"eac": 8, "kac": 30}), attacker={"weapons": [laser]})
    effects = effects_of(table.ask(BLOW, dice=(4, 1)))
    detail = effects[1]["detail"]
    assert (effects[1]["outcome"], detail["defence"], detail["against"]["base"]) == (
        "hit",
        "eac",
        8,
    )


@pytest.mark.parametrize(("bonus", "left"), [(3, 27), (-3, 30)])
def test_damage_without_dice_draws_none_and_is_never_below_nothing(bonus: int, left: int) -> None:
    club = {**BLADE, "damage": {"count": 0, "sides": 6, "bonus": bonus}}
    table = battle(creature("t", 1), attacker={"weapons": [club]})
    event = table.ask(BLOW, dice=(19,))
    assert effects_of(event)[2] == hurt("t", left, None, bonus=bonus, item="blade")
    assert len(event.draws) == 1


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize(
    ("health", "most", "state"),
    [(6, 30, None), (5, 30, "unconscious"), (3, 3, "unconscious"), (2, 3, "dead"), (1, 3, "dead")],
)
def test_who_is_down_to_nothing_falls(health: int, most: int, state: str | None) -> None:
    table = battle(creature("t", 1, health=health, health_max=most))
    effects = effects_of(table.ask(BLOW, dice=(19, 4)))
    fallen = {"type": "felled", "rule": "TD-SD-3", "combatant": "t", "cause": "attack"}
    assert effects[3:] == ([] if state is None else [{**fallen, "state": state}])


REFUSALS: list[tuple[str, Tree, Tree, Tree]] = [
    ("unknown_combatant", {}, {}, {"target": "x"}),
    ("actor_incapacitated", {}, {}, {"combatant": "u"}),
    ("not_your_turn", {}, {}, {"combatant": "v"}),
    ("no_action_left", {"standard_left": 0}, {}, {"weapon": "x", "target": "a"}),
    ("unknown_weapon", {}, {}, {"weapon": "x", "target": "a"}),
    ("weapon_not_ready", {"weapons": [{**BLADE, "ready": False}]}, {}, {"target": "a"}),
    ("target_is_self", {}, {}, {"target": "a"}),
    ("target_dead", {}, {"conditions": ["dead"], "side": "red"}, {}),
    ("target_not_hostile", {}, {"side": "red", "place": {"x": 9, "y": 0}}, {}),
    ("out_of_reach", {}, {"place": {"x": 4, "y": 0}}, {"cover_corner": {"x": 9, "y": 9}}),
    ("out_of_reach", {"reach_ft": 0}, {}, {}),
    (
        "out_of_range",
        {"weapons": [{**GUN, "range_increment_ft": 5, "max_increments": 3}]},
        {"place": {"x": 4, "y": 0}},
        {"weapon": "gun"},
    ),
    (
        "total_cover",
        {},
        {"place": {"x": 4, "y": 0}, "conditions": ["invisible"]},
        {"weapon": "gun"},
    ),
    (
        "total_cover",
        {},
        {"cover_overrides": [{"versus": "a", "grade": "total"}]},
        {},
    ),
    ("target_unseen", {}, {"conditions": ["invisible"]}, {"cover_corner": {"x": 9, "y": 9}}),
    ("bad_corner", {}, {}, {"cover_corner": {"x": 2, "y": 0}}),
    ("bad_corner", {}, {}, {"concealment_corner": {"x": 0, "y": 0}}),
]


@pytest.mark.parametrize(("code", "attacker", "target", "action"), REFUSALS)
@pytest.mark.rule("TD-TOTAL-1")
@pytest.mark.rule("TD-UNSEEN-1")
def test_the_first_thing_that_is_wrong_names_the_refusal(
    code: str, attacker: Tree, target: Tree, action: Tree
) -> None:
    bystanders = (
        creature("u", 0, 5, side="red", conditions=["unconscious"], health=0, health_max=30),
        creature("v", 0, 7, side="red"),
    )
    table = battle(
        {**creature("t", 1), **target}, *bystanders, attacker=attacker, map=cell_map(*WALL)
    )
    assert refusal(table, {**BLOW, **action}) == code


def test_a_named_corner_is_used_even_if_it_is_worse() -> None:
    table = battle(creature("t", 2, 2), map=cell_map(*walls((1, 0))))
    effects = effects_of(table.ask({**SHOT, "cover_corner": {"x": 1, "y": 0}}, dice=(1,)))
    assert effects[1]["detail"]["cover"]["corner"] == {"x": 1, "y": 0}
    assert effects[1]["detail"]["against"]["needed"] == 14


def test_the_attacker_may_name_the_corner_of_concealment_where_the_table_says_so() -> None:
    options = {"concealment_corner_chooser": "attacker"}
    smoke = cell_map({"x": 2, "y": 1, "concealment_pct": 20})
    table = battle(creature("t", 4), options=options, map=smoke)
    effects = effects_of(table.ask({**SHOT, "concealment_corner": {"x": 0, "y": 1}}, dice=(1,)))
    concealment = effects[1]["detail"]["concealment"]
    assert (concealment["percent"], concealment["corner"]) == (20, {"x": 0, "y": 1})


# --- what is hidden -------------------------------------------------------------------------------


def test_who_attacks_is_known_to_all_before_the_first_die() -> None:
    table = battle(creature("t", 4), attacker={"hidden": True})
    event = table.ask(SHOT, "gm", dice=(3,))
    assert kinds(effects_of(event)) == ["resource_changed", "revealed", "attack_resolved"]
    assert [draw.stream for draw in event.draws] == [0]
    shown: Any = table.shown(event.seq, "bob")
    assert kinds(shown["effects"]) == ["revealed", "attack_resolved"]
    assert shown["effects"][1]["detail"]["attacker"] == "a"


def test_without_that_others_learn_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False}
    table = battle(creature("t", 4), attacker={"hidden": True}, options=options)
    event = table.ask(SHOT, "gm", dice=(16, 3))
    assert [draw.stream for draw in event.draws] == [1, 1]
    shown: Any = table.shown(event.seq, "bob")
    attack = {"type": "attack_resolved", "rule": "TD-SD-2", "target": "t", "outcome": "hit"}
    wound = {name: value for name, value in hurt("t", 27, None).items() if name != "source"}
    assert shown["effects"] == [attack, {**wound, "amount": 3, "reports": []}]


def test_hidden_walls_that_close_the_line_obstruct_and_become_known() -> None:
    table = battle(creature("t", 4), hidden_terrain={"cells": WALL})
    event = table.ask(SHOT, "ann")
    near = [{"x": 2, "y": y, "wall": True, "transparent": False, "opaque": False} for y in (-1, 0)]
    assert effects_of(event) == [
        spent(),
        {
            "type": "terrain_changed",
            "cause": "met",
            "secret": False,
            "changes": [{"cell": cell} for cell in near],
        },
        {
            "type": "attack_resolved",
            "target": "t",
            "outcome": "obstructed",
            "detail": {
                "attacker": "a",
                "item": "gun",
                "mode": "ranged",
                "opportunity": False,
                "distance_ft": 20,
                "breakdown": [],
                "obstructed_by": [{"kind": "cell", "x": 2, "y": y} for y in (-1, 0)],
            },
        },
    ]
    assert event.draws == ()


def test_the_game_master_knows_of_the_hidden_wall_before() -> None:
    table = battle(creature("t", 4), hidden_terrain={"cells": WALL})
    assert refusal(table, SHOT) == "total_cover"


def test_known_walls_on_the_nearest_line_do_not_keep_the_hidden_ones_hidden() -> None:
    seen = walls(*((2, y) for y in range(-3, 1)))
    unseen = walls(*((2, y) for y in range(1, 6)))
    table = battle(creature("t", 4), map=cell_map(*seen), hidden_terrain={"cells": unseen})
    effects = effects_of(table.ask(SHOT, "ann"))
    assert kinds(effects) == ["resource_changed", "terrain_changed", "attack_resolved"]
    assert effects[2]["outcome"] == "obstructed"
    changed = [change["cell"] for change in effects[1]["changes"]]
    assert {(cell["x"], cell["y"]) for cell in changed} <= {(2, y) for y in range(1, 6)}


def test_hidden_cover_and_smoke_do_not_count() -> None:
    hidden = [{"x": 3, "y": 0, "cover": "improved"}, {"x": 2, "y": 0, "concealment_pct": 100}]
    table = battle(creature("t", 4), hidden_terrain={"cells": hidden})
    effects = effects_of(table.ask(SHOT, dice=(6, 3)))
    assert effects[1]["outcome"] == "hit"
    assert effects[1]["detail"]["against"]["needed"] == 10
    assert effects[1]["detail"]["concealment"]["percent"] == 0


@pytest.mark.rule("TD-COVER-8")
def test_total_cover_that_the_player_may_not_know_of_obstructs_and_tells_nothing() -> None:
    target = creature("t", 4, cover_overrides=[{"versus": "a", "grade": "total"}])
    table = battle(target, options={"enemy_numbers": "hidden"})
    event = table.ask(SHOT, "ann")
    assert kinds(effects_of(event)) == ["resource_changed", "attack_resolved"]
    assert effects_of(event)[1]["outcome"] == "obstructed"
    assert event.draws == ()


@pytest.mark.rule("TD-SOFT-1")
@pytest.mark.parametrize(
    ("side", "reveals", "needed"), [("green", True, 10), ("red", True, 10), ("red", False, 14)]
)
def test_a_hidden_creature_covers_only_where_nobody_learns_of_it(
    side: str, reveals: bool, needed: int
) -> None:
    """Only its own side learns of an attack by a hidden attacker that does not reveal him."""
    table = battle(
        creature("t", 4),
        creature("s", 2, side=side, hidden=True),
        attacker={"hidden": True},
        options={"attack_reveals": reveals},
    )
    effects = effects_of(table.ask(SHOT, dice=(1,)))
    [resolved] = [each for each in effects if each["type"] == "attack_resolved"]
    assert resolved["detail"]["against"]["needed"] == needed


@pytest.mark.rule("TD-FLANK-2")
@pytest.mark.parametrize(("hidden", "partner"), [(False, {"partner": "p"}), (True, {})])
def test_a_hidden_creature_is_no_flanking_partner(hidden: bool, partner: Tree) -> None:
    table = battle(creature("t", 1), creature("p", 2, side="red", hidden=hidden))
    effects = effects_of(table.ask(BLOW, dice=(1,)))
    assert effects[1]["detail"]["flanking"] == partner


def test_the_game_master_may_have_a_hidden_creature_attacked_and_players_may_not() -> None:
    """Being hidden is no lack of a line of sight; who may know of both learns of the attack."""
    table = battle(creature("t", 1, hidden=True))
    assert refusal(table, BLOW, "ann") == "unknown_combatant"
    event = table.ask(BLOW, dice=(1,))
    assert [draw.stream for draw in event.draws] == [2]
    shown: Any = table.shown(event.seq, "ann")
    assert shown["effects"] == [spent()]
