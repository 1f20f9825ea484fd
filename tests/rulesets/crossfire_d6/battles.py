"""Random battles of this ruleset: setups from a number, and what is done in them at random."""

from collections.abc import Sequence
from random import Random
from typing import Any

from service.rulesets.crossfire_d6.state import BattleState
from tests.kit.rig import RandomBattles, Tree
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.setups import fighter, rifle

WIDTH, HEIGHT = 18, 12
GROUND = "." * 14 + "##ccsd"


def random_setup(number: int, *, with_secrets: bool = False) -> dict[str, Any]:
    """The setup of battle `number`: 6 to 10 combatants of two or three sides on a random map.

    `with_secrets` hides some of them, some ground, and lets the table hide numbers.
    """
    dice = Random(number)
    rows = ["".join(dice.choice(GROUND) for _ in range(WIDTH)) for _ in range(HEIGHT)]
    free = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if rows[y][x] in ".sd"]
    dice.shuffle(free)
    sides = ["red", "blue"] + (["green"] if dice.random() < 0.3 else [])
    combatants = [
        random_fighter(dice, f"f{index}", sides[index % len(sides)], free.pop(), with_secrets)
        for index in range(dice.randint(6, 10))
    ]
    setup = {
        "options": random_options(dice, with_secrets),
        "map": {"form": "ascii", "rows": rows},
        "combatants": combatants,
    }
    if with_secrets:
        setup["hidden_terrain"] = {
            "cells": [random_ground(dice, *free.pop()) for _ in range(6)],
            "borders": [
                {"axis": dice.choice("vh"), "x": x, "y": y, "kind": dice.choice(["solid", "cover"])}
                for x, y in [free.pop(), free.pop()]
            ],
        }
    return setup


def random_ground(dice: Random, x: int, y: int) -> dict[str, Any]:
    """A cell with something on it."""
    return {
        "x": x,
        "y": y,
        "kind": dice.choice(["solid", "cover", "free"]),
        "smoke": dice.random() < 0.3,
        "elevation_ft": dice.choice([0, 0, 5, 12]),
    }


def random_fighter(
    dice: Random, name: str, side: str, cell: tuple[int, int], with_secrets: bool
) -> dict[str, Any]:
    """A combatant with a rifle and a blade, and the odd trait."""
    rare = dice.random()
    gun = {
        "id": "rifle",
        "kind": dice.choice(["ranged", "ranged", "both"]),
        "attack_dice": dice.randint(2, 6),
        "damage_dice": dice.randint(1, 4),
        "range_increment_ft": dice.choice([10, 20, 40]),
    }
    blade = {"id": "blade", "kind": "melee", "attack_dice": 4, "damage_dice": 3}
    return fighter(
        name,
        side,
        *cell,
        health=dice.randint(6, 20),
        melee_defence=dice.randint(5, 18),
        ranged_defence=dice.randint(5, 18),
        agi_pool=dice.randint(0, 4),
        int_pool=dice.randint(0, 4),
        soak=dice.randint(0, 3),
        speed_ft=dice.choice([15, 20, 30]),
        facing=dice.choice(["N", "NE", "E", "SE", "S", "SW", "W", "NW"]),
        pin_resistance=dice.randint(0, 1),
        weapons=[gun, {**blade, "reach_ft": dice.choice([5, 10])}],
        conditions=dice.choice([[], [], ["prone"], ["unaware"], ["invisible"]]),
        ignored_rules=["CF-ALLY-1"] if rare < 0.1 else [],
        hidden=with_secrets and dice.random() < 0.3,
    )


def random_options(dice: Random, with_secrets: bool) -> dict[str, Any]:
    """Options, half of them otherwise than usual."""
    options: dict[str, Any] = {
        "diagonal_rule": dice.choice(["equal", "alternating"]),
        "cover_penalty_mode": dice.choice(["once", "separate"]),
        "cover_vs_melee": dice.random() < 0.3,
        "intervening_cover": dice.random() < 0.5,
        "crossfire_membership": dice.choice(["able", "fired"]),
        "crossfire_count": dice.choice(["participants", "all_shooters"]),
        "flanking_membership": dice.choice(["melee", "any"]),
        "pin_measured_from": dice.choice(["origin", "last_turn"]),
        "pin_return_memory": dice.random() < 0.5,
        "hide_scope": dice.choice(["aggressor", "all"]),
        "allow_reckless_fire": dice.random() < 0.5,
        "rear_is_unaware": dice.random() < 0.5,
        "pool_floor": dice.choice([0, 1]),
        "natural_crit_sixes": dice.choice([0, 1, 3]),
        "crit_rule": dice.choice(["double_dice", "max_damage"]),
        "actions_per_turn": dice.randint(1, 3),
        "initiative": dice.choice(["roll", "fixed"]),
    }
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


WORDS = {
    "combatant": ["f0", "f1", "f2", "nobody"],
    "target": ["f0", "f1", "f3", "nobody"],
    "against": ["f0", "f1", "f5", "nobody"],
    "weapon": ["rifle", "blade", "spoon"],
    "posture": ["open", "in_cover", "blocked"],
    "facing": ["N", "SW"],
    "seat": ["ann", "bob", "zoe"],
    "role": ["gm", "player", "observer"],
}
SHAPES: list[tuple[str, list[str]]] = [
    ("move", ["combatant", "path"]),
    ("move", ["combatant", "path", "posture", "facing"]),
    ("change_posture", ["combatant", "posture"]),
    ("set_facing", ["combatant", "facing"]),
    ("ranged_attack", ["combatant", "weapon", "target"]),
    ("ranged_attack", ["combatant", "weapon", "target", "reckless"]),
    ("melee_attack", ["combatant", "weapon", "target"]),
    ("hide", ["combatant", "against"]),
    ("go_prone", ["combatant"]),
    ("stand_up", ["combatant"]),
    ("end_turn", ["combatant"]),
    ("start_encounter", []),
    ("remove_combatant", ["combatant"]),
    ("assign_control", ["seat"]),
    ("add_seat", ["guest"]),
    ("change_seat", ["seat", "role"]),
    ("remove_seat", ["seat"]),
    ("configure", ["options", "map"]),
    ("add_combatant", ["newcomer"]),
    ("set_terrain", ["cells"]),
    ("set_terrain", ["cells", "secret"]),
    ("adjust", ["changes"]),
    ("note", ["text"]),
]


NAMES = {"newcomer": "combatant", "guest": "seat"}


def nonsense(table: Table, dice: Random) -> dict[str, Any]:
    """An action that can be read, mostly nonsense."""
    name, fields = dice.choice(SHAPES)
    action: dict[str, Any] = {"type": name}
    for field in fields:
        action[NAMES.get(field, field)] = random_value(dice, field)
    return action


def random_value(dice: Random, field: str) -> Any:
    x, y = dice.randint(-1, 18), dice.randint(-1, 12)
    values: dict[str, Any] = {
        "path": [{"x": x, "y": y}, {"x": x + 1, "y": y}][: dice.randint(1, 2)],
        "reckless": True,
        "secret": True,
        "options": {"crossfire_cap": 1},
        "map": {"form": "ascii", "rows": ["...", ".#."]},
        "newcomer": fighter(dice.choice(["f0", "g1", "g2"]), "red", x, y, weapons=[rifle()]),
        "cells": [{"x": x, "y": y, "kind": dice.choice(["solid", "cover", "free"])}],
        "changes": [random_change(dice, WORDS["combatant"])],
        "text": "hear, hear",
        "guest": {"id": dice.choice(WORDS["seat"]), "role": "player", "combatants": ["f1"]},
    }
    return values[field] if field in values else dice.choice(WORDS[field])


def random_change(dice: Random, ids: Sequence[str]) -> dict[str, Any]:
    """Something that the game master says of one of these, possible or not."""
    x, y = dice.randint(-1, 18), dice.randint(-1, 12)
    changes: list[dict[str, Any]] = [
        {"type": "hp", "value": dice.randint(-30, 30)},
        {"type": "place", "place": {"x": x, "y": y}},
        {"type": "condition", "condition": "helpless", "holds": dice.random() < 0.3},
        {"type": "condition", "condition": "dead", "holds": False},
        {"type": "resource", "resource": "actions", "value": 3},
        {"type": "stat", "stat": "speed_ft", "value": dice.randint(-1, 250)},
        {"type": "reveal"},
        {"type": "hide"},
        {"type": "position", "versus": "f1", "position": "blocked"},
        {"type": "position", "versus": "f1"},
        {"type": "pin", "count": 4},
        {"type": "pin", "count": 1, "origin": {"x": x, "y": y}},
        {"type": "facing", "facing": "E"},
        {"type": "posture", "posture": "in_cover"},
        {"type": "ready", "weapon": dice.choice(["rifle", "spoon"]), "ready": False},
    ]
    return {**dice.choice(changes), "combatant": dice.choice(ids)}


def require_sound(rule: BattleState) -> None:
    """Everybody is in the order once, and a turn belongs to somebody who can act."""
    everyone = [each.id for each in rule.combatants]
    assert sorted(rule.order) == sorted(everyone)
    assert [score.combatant for score in rule.scores] == list(rule.order)
    able = [c.id for c in rule.combatants if not {"helpless", "dead"} & set(c.conditions)]
    assert (rule.turn in able) if able else not rule.turn
    assert not any(len(set(c.conditions)) < len(c.conditions) for c in rule.combatants)


def require_explained(rule: BattleState, effects: list[Tree]) -> None:
    """Whom an effect felled cannot act."""
    felled = {each["combatant"] for each in effects if each["type"] == "felled"}
    for combatant in rule.combatants:
        assert combatant.id not in felled or {"helpless", "dead"} & set(combatant.conditions)


def varied_setup(number: int) -> dict[str, Any]:
    """A random battle with large ones, streaks, odd weapons and some who lie about."""
    setup = random_setup(number)
    dice = Random(number)
    places = [(x, y) for x in range(0, 24, 4) for y in range(0, 12, 4)]
    dice.shuffle(places)
    for each, (x, y) in zip(setup["combatants"], places, strict=False):
        each["place"] = {"x": x, "y": y}
        each["size"] = dice.choice([1, 1, 2, 3])
        each["pin_count"] = dice.randint(0, 3)
        each["posture"] = dice.choice(["open", "in_cover", "blocked"])
        each["conditions"] = dice.choice([[], [], ["prone"], ["helpless"], ["dead"]])
        each["weapons"][0]["ready"] = dice.random() < 0.8
        each["weapons"][1]["reach_ft"] = dice.choice([0, 5, 15])
        each["weapons"][1]["arc"] = dice.choice(["any", "any", "front", "rear", "left", "right"])
    setup["map"] = {"form": "cells", "borders": random_borders(dice, setup["combatants"])}
    return setup


def random_borders(dice: Random, combatants: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Walls and low walls, also next to those who stand about."""
    sides = {
        (dice.choice("vh"), each["place"]["x"] + dice.randint(-1, 4), each["place"]["y"] + step)
        for each in combatants
        for step in range(-1, 4)
    } | {("v", each["place"]["x"], each["place"]["y"]) for each in combatants}
    return [
        {"axis": axis, "x": x, "y": y, "kind": dice.choice(["solid", "cover", "cover"])}
        for axis, x, y in sorted(sides)
    ]


BATTLES = RandomBattles(
    setup=random_setup,
    varied=varied_setup,
    nonsense=nonsense,
    change=random_change,
    blows=(
        {"type": "hp", "value": 0},
        {"type": "condition", "condition": "helpless"},
        {"type": "condition", "condition": "prone"},
        {"type": "place", "place": {"x": 90, "y": 90}},
        {"type": "pin", "count": 4},
        {"type": "ready", "weapon": "rifle", "ready": False},
        {"type": "stat", "stat": "ranged_defence", "value": 9},
    ),
    spoiled={"weapon": "spoon"},
    require_sound=require_sound,
    require_explained=require_explained,
)
