"""Random battles: setups from a number, played by nothing but sampled legal actions."""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.rulesets.crossfire_d6.table import Table, fighter

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
    rifle = {
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
        weapons=[rifle, {**blade, "reach_ft": dice.choice([5, 10])}],
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


def play(
    table: Table,
    number: int,
    events: int,
    *,
    by: Callable[[str], str] = lambda side: "gm",
    deed: Callable[[Table, dict[str, Any], str], object] | None = None,
) -> int:
    """Start the battle and play so many sampled actions, or until nobody can act.

    `by` says who acts for a side; `deed` takes each action, by default the table does.
    """
    dice = Random(number)
    table.ask({"type": "start_encounter"})
    for played in range(events):
        combatant = table.turn
        if combatant is None:
            return played
        who = by(table.combatant(combatant).side)
        action = dice.choice(table.samples(combatant, 6, who))
        if deed is None:
            table.ask(action, who)
        else:
            deed(table, action, who)
    return events
