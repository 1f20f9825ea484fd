"""Battles of this ruleset that differ in secrets alone."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.hostile.battle import PLAYER_OF, Battle, combatant_in
from tests.kit.rig import Hostile, Tree, TwoWorlds
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.battles import HEIGHT, WIDTH, random_fighter, random_setup
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle

Action = Mapping[str, Any]


def world(number: int, variant: int) -> dict[str, Any]:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    dice = Random(1000 * number + variant)
    taken = {(each["place"]["x"], each["place"]["y"]) for each in known}
    rows = setup["map"]["rows"]
    cells = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    free = [cell for cell in cells if rows[cell[1]][cell[0]] == "." and cell not in taken]
    dice.shuffle(free)
    hidden = random_fighter(dice, "h", "green", free.pop(), False)
    more = [random_fighter(dice, f"x{n}", "green", free.pop(), False) for n in range(variant)]
    secrets = [
        {**hidden, "hidden": True, "name": f"the {variant}th"},
        *({**each, "hidden": True, "conditions": ["helpless"]} for each in more),
    ]
    setup["combatants"] = [*known, *secrets]
    setup["options"] |= {"initiative": "fixed", "attack_reveals": False}
    setup["hidden_terrain"] = {
        "cells": [
            {"x": x, "y": y, "kind": dice.choice(["solid", "cover"]), "smoke": True, "dark": True}
            for x, y in free[:variant]
        ]
    }
    return setup


def probes(table: Table, combatant: str) -> list[Tree]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    return [
        {"type": "ranged_attack", "combatant": combatant, "weapon": "rifle", "target": "h"},
        {"type": "melee_attack", "combatant": combatant, "weapon": "blade", "target": "x1"},
        {"type": "hide", "combatant": combatant, "against": "h"},
        {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": combatant},
        {"type": "set_facing", "combatant": "h", "facing": "N"},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "move", "combatant": combatant, "path": [{"x": place.x + 2, "y": place.y}]},
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    ]


def duel(*secrets: Action, **more: Any) -> dict[str, Any]:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    known = [
        fighter("a", "red", 0, 0, weapons=[rifle(), blade()]),
        fighter("t", "blue", 6, 0, weapons=[rifle(), blade()]),
    ]
    everyone: list[Action] = [*known, *secrets]
    order = in_progress(*(str(each["id"]) for each in everyone))
    return {"combatants": everyone, "battle": order, **more}


def plain_and_odd() -> tuple[Tree, Tree]:
    """The same battle with two sheets of t that look the same to an enemy."""
    options = {"enemy_numbers": "hidden", "enemy_health": "band", "initiative": "fixed"}
    plain = fighter("t", "blue", 6, 0, weapons=[rifle(), blade()], pin_count=2)
    odd = {
        **plain,
        "health": 17,
        "health_max": 17,
        "soak": 9,
        "speed_ft": 15,
        "agi_pool": 4,
        "int_pool": 5,
        "pin_resistance": 1,
        "melee_defence": 12,
        "ranged_defence": 180,
        "ignored_rules": ["CF-ALLY-1"],
        "weapons": [rifle(attack_dice=3, range_increment_ft=20), blade(reach_ft=10)],
    }
    shooter = fighter("a", "red", 0, 0, weapons=[rifle(attack_dice=2), blade()], pin_count=1)
    order = in_progress("a", "t")
    setups = [
        {"combatants": [shooter, target], "options": options, "battle": order}
        for target in (plain, odd)
    ]
    return setups[0], setups[1]


def hostile_world(number: int, variant: int) -> dict[str, Any]:
    """A wall runs along the lower edge: whatever is secret inside it is met by nobody."""
    setup = world(number, variant)
    ground = setup["map"]
    return setup | {"map": ground | {"rows": [*ground["rows"], "#" * WIDTH]}}


def probe(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """Some attack or a hiding, whatever is legal."""
    kinds = {"ranged_attack", "melee_attack", "hide"}
    by = PLAYER_OF[combatant_in(battles[0], combatant)["side"]]
    sampled = battles[0].samples(combatant, 20, by)
    found = [each for each in sampled if each["type"] in kinds]
    return dice.choice(found) if found else None


WORLDS = TwoWorlds(
    world=world,
    quiet=frozenset({"move", "change_posture", "set_facing", "go_prone", "stand_up"}),
    met=frozenset({"met", "contact", "obstructed"}),
    probes=probes,
    duel=duel,
    secret_ground={
        "type": "set_terrain",
        "cells": [{"x": 3, "y": 0, "kind": "cover"}],
        "secret": True,
    },
    secret_ruling={
        "type": "adjust",
        "changes": [{"type": "condition", "combatant": "h", "condition": "prone"}],
    },
    plain_and_odd=plain_and_odd,
)
HOSTILE = Hostile(
    world=hostile_world,
    probe=probe,
    unmet={
        "type": "set_terrain",
        "cells": [{"x": 0, "y": HEIGHT, "kind": "solid", "dark": True}],
        "secret": True,
    },
    asks_unseen=False,
)
