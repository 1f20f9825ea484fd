"""Battles of this ruleset that differ in secrets alone."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.hostile.battle import PLAYER_OF, Battle, combatant_in
from tests.kit.rig import Hostile, Tree, TwoWorlds
from tests.kit.table import Table
from tests.rulesets.tactical_d20.battles import (
    HEIGHT,
    WIDTH,
    cells_of,
    random_fighter,
    random_ground,
    random_setup,
)
from tests.rulesets.tactical_d20.setups import blade, bomb, fighter, in_progress, rifle

Action = Mapping[str, Any]


def world(number: int, variant: int) -> Tree:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    dice = Random(1000 * number + variant)
    taken = set[tuple[int, int]]()
    for each in known:
        taken |= cells_of((each["place"]["x"], each["place"]["y"]), each["size"])
    free = [spot for spot in free_cells(setup["map"]) if spot not in taken]
    dice.shuffle(free)
    hidden = random_fighter(dice, "h", "green", free.pop(), False)
    more = [random_fighter(dice, f"x{n}", "green", free.pop(), False) for n in range(variant)]
    secrets = [
        # Without a melee weapon nobody is asked about an opportunity, which holds the battle.
        {**hidden, "hidden": True, "name": f"the {variant}th", "weapons": [], "areas": []},
        *({**each, "hidden": True, "conditions": ["unconscious"]} for each in more),
    ]
    setup["combatants"] = [*known, *secrets]
    setup["options"] |= {"initiative": "fixed", "attack_reveals": False}
    setup["hidden_terrain"] = {"cells": [random_ground(dice, *spot) for spot in free[:variant]]}
    return setup


def free_cells(ground: Tree) -> list[tuple[int, int]]:
    """The cells of a random map that no wall holds."""
    cells = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    if "rows" in ground:
        return [(x, y) for x, y in cells if ground["rows"][y][x] != "#"]
    walls = {(each["x"], each["y"]) for each in ground["cells"] if "wall" in each}
    return [spot for spot in cells if spot not in walls]


def probes(table: Table, combatant: str) -> list[Tree]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    here = {"x": place.x, "y": place.y}
    shot = {"type": "attack", "combatant": combatant, "weapon": "rifle"}
    question = f"d{len(table.events)}.c1"
    own = {"radius_ft": 10, "dc": 10, "damage": {"count": 1, "sides": 6}}
    return [
        {**shot, "target": "h"},
        {**shot, "weapon": "blade", "target": "x1"},
        {"type": "attack", "combatant": "h", "weapon": "rifle", "target": combatant},
        {"type": "attack_cell", "combatant": combatant, "weapon": "rifle", "cell": here},
        {"type": "area_attack", "combatant": combatant, "origin": here, "area": "spoon"},
        {"type": "area_attack", "combatant": combatant, "origin": here, **own},
        {"type": "stand_up", "combatant": "h"},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "move", "combatant": combatant, "path": [{"x": place.x + 2, "y": place.y}]},
        {
            "type": "answer",
            "decision_id": question,
            "choice": {"type": "opportunity_attack", "weapon": "blade"},
        },
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    ]


ARMS: list[Tree] = [rifle(), blade()]


def duel(*secrets: Action, **more: Any) -> Tree:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    known = [
        fighter("a", "red", 0, 0, weapons=ARMS, areas=[bomb()]),
        fighter("t", "blue", 6, 0, weapons=ARMS, areas=[bomb()]),
    ]
    everyone: list[Action] = [*known, *secrets]
    order = in_progress(*(str(each["id"]) for each in everyone))
    return {"combatants": everyone, "battle": order, **more}


def plain_and_odd() -> tuple[Tree, Tree]:
    """The same battle with two sheets of t that look the same to an enemy."""
    options = {"enemy_numbers": "hidden", "enemy_health": "band", "initiative": "fixed"}
    plain = fighter("t", "blue", 6, 0, weapons=[rifle(), blade()], areas=[bomb()])
    odd = {
        **plain,
        "health": 17,
        "health_max": 17,
        "ac": {"eac": 3, "kac": 27},
        "reflex": 9,
        "initiative": 7,
        "speed_ft": 15,
        "reach_ft": 40,
        "senses": ["darkvision"],
        "blur_pct": 30,
        "weapons": [rifle(attack_bonus=9, range_increment_ft=20), blade(reach_ft=60)],
        "areas": [bomb(dc=20, radius_ft=30)],
        "cover_overrides": [{"versus": "a", "grade": "improved"}],
        "concealment_overrides": [{"versus": "a", "percent": 60}],
    }
    shooter = fighter("a", "red", 0, 0, weapons=ARMS, areas=[bomb()])
    order = in_progress("a", "t")
    first, second = (
        {"combatants": [shooter, target], "options": options, "battle": order}
        for target in (plain, odd)
    )
    return first, second


def hostile_world(number: int, variant: int) -> Tree:
    """A wall runs along the lower edge: whatever is secret inside it is met by nobody.

    The hidden one has a long pike, so that in one world alone somebody unseen is asked.
    """
    setup = world(number, variant)
    for each in setup["combatants"]:
        if each["id"] == "h":
            each["weapons"] = [rifle(), blade(reach_ft=30)]
            each["conditions"] = []
            each["health"] = each["health_max"] = 500
    ground = setup["map"]
    if "rows" in ground:
        return setup | {"map": ground | {"rows": [*ground["rows"], "#" * WIDTH]}}
    bounds = ground["bounds"] | {"height": HEIGHT + 1}
    wall = [{"x": x, "y": HEIGHT, "wall": True} for x in range(WIDTH)]
    return setup | {"map": ground | {"bounds": bounds, "cells": [*ground["cells"], *wall]}}


def probe(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """Some attack, a guess at a cell above all, whatever is legal."""
    by = PLAYER_OF[combatant_in(battles[0], combatant)["side"]]
    sampled = battles[0].samples(combatant, 20, by)
    guesses = [each for each in sampled if each["type"] == "attack_cell"]
    others = [each for each in sampled if each["type"] in ("attack", "area_attack")]
    found = guesses if guesses and dice.random() < 0.7 else others
    return dice.choice(found) if found else None


WORLDS = TwoWorlds(
    world=world,
    quiet=frozenset({"move", "drop_prone", "stand_up", "right_self"}),
    met=frozenset({"met", "contact", "obstructed"}),
    probes=probes,
    duel=duel,
    secret_ground={
        "type": "set_terrain",
        "cells": [{"x": 3, "y": 0, "cover": "normal"}],
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
        "cells": [{"x": 0, "y": HEIGHT, "wall": True, "light": "dark"}],
        "secret": True,
    },
    asks_unseen=True,
)
