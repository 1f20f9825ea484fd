"""Small battles at random in which an action of Ann's a soon waits, and what is overruled then."""

from contextlib import suppress
from random import Random
from typing import Any, Final

from service.errors import Malformed, Refused
from tests.kit.table import Table
from tests.rulesets.tactical_d20.battles import random_ground
from tests.rulesets.tactical_d20.setups import blade, fighter, rifle
from tests.rulesets.tactical_d20.v3.setups import battle

Tree = dict[str, Any]

SIZE: Final = 6
"""Rows and columns of the ground on which they stand."""
BOUNDS: Final[Tree] = {"x": 0, "y": 0, "width": SIZE, "height": SIZE}


def scene(number: int, variant: int = 0, *, dice: Any = "sealed") -> Table:
    """Battle `number`; variants of it differ in secrets alone: the hidden h, and hidden ground.

    Nobody is asked who is hidden.
    """
    known, secret = Random(number), Random(f"{number}/{variant}")
    spots = [(x, y) for x in range(SIZE) for y in range(SIZE)]
    known.shuffle(spots)
    near = sorted(spots[1:], key=lambda spot: max(abs(spot[0] - 2), abs(spot[1] - 2)))
    taken = [(2, 2), *known.sample([spot for spot in near if spot != (2, 2)][:12], 5)]
    free = [spot for spot in spots if spot not in taken]
    walls = [{"x": x, "y": y, "wall": True} for x, y in (free.pop(), free.pop())]
    gun = rifle(range_increment_ft=known.choice([5, 10, 60]), max_increments=known.choice([1, 10]))
    people = [
        fighter("a", "red", 2, 2, weapons=[gun, blade()], speed_ft=known.choice([15, 30])),
        fighter("f", "red", *taken[1], weapons=[blade()]),
        fighter("g", "blue", *taken[2], weapons=[blade()]),
        fighter("t", "blue", *taken[3], weapons=[blade(reach_ft=10)]),
        fighter("u", "blue", *taken[4], weapons=[], conditions=["invisible"]),
    ]
    secret.shuffle(free)
    hidden = fighter("h", "green", *free.pop(), hidden=True, weapons=[rifle()])
    hidden["conditions"] = secret.choice([[], ["dead"], ["invisible"]])
    ground = [random_ground(secret, *free.pop()) for _ in range(3)]
    options = {
        "diagonal_rule": known.choice(["alternating", "equal"]),
        "enemy_numbers": known.choice(["shown", "hidden"]),
        "attack_reveals": known.random() < 0.5,
    }
    return battle(
        *people,
        hidden,
        dice=dice,
        options=options,
        map={"form": "cells", "cells": walls, "bounds": BOUNDS},
        hidden_terrain={"cells": ground},
    )


def deeds(dice: Random) -> list[Tree]:
    """Actions of a's that may wait, of one kind, in the order in which they are tried."""
    kind = dice.choice(["walk", "walk", "shot", "guess"])
    return [{"combatant": "a", **DEEDS[kind](dice)} for _ in range(30)]


def walk(dice: Random) -> Tree:
    """A walk of up to five steps, more or less in one direction."""
    x, y, east, south = 2, 2, dice.randint(-1, 1), dice.randint(-1, 1)
    path = []
    for _ in range(dice.randint(1, 5)):
        x += dice.choice([east, east, 0, 1, -1])
        y += dice.choice([south, south, 0, 1, -1])
        path.append({"x": x, "y": y})
    return {"type": "move", "path": path}


def shot(dice: Random) -> Tree:
    """A shot at somebody, perhaps from a corner that is named."""
    aim: Tree = {"type": "attack", "weapon": "rifle", "target": dice.choice("gt")}
    if dice.random() < 0.3:
        aim["cover_corner"] = {"x": 2 + dice.randint(0, 1), "y": 2 + dice.randint(0, 1)}
    return aim


def guess(dice: Random) -> Tree:
    """A shot at a cell."""
    cell = {"x": dice.randint(0, SIZE - 1), "y": dice.randint(0, SIZE - 1)}
    return {"type": "attack_cell", "weapon": "rifle", "cell": cell}


DEEDS: Final = {"walk": walk, "shot": shot, "guess": guess}


def change(dice: Random, names: str) -> Tree:
    """Something that is overruled of one of these."""
    who = dice.choice(names)
    far, near = (0, SIZE - 1), (1, 3)
    least, most = dice.choice([far, near])
    x, y = dice.randint(least, most), dice.randint(least, most)
    conditions = ["prone", "spinning", "invisible", "unconscious", "dead"]
    kinds: list[Tree] = [
        {"type": "hp", "value": dice.randint(-40, 30)},
        {"type": "place", "place": {"x": x, "y": y}},
        {"type": "place", "place": {"x": x, "y": y, "elevation": 10}},
        {"type": "condition", "condition": dice.choice(conditions), "holds": dice.random() < 0.7},
        {
            "type": "resource",
            "resource": dice.choice(["standard", "move", "swift", "reaction"]),
            "value": dice.randint(0, 1),
        },
        {"type": "stat", "stat": "speed_ft", "value": dice.choice([0, 5, 10, 20, 60])},
        {"type": "stat", "stat": "reach_ft", "value": dice.choice([0, 5, 15])},
        {"type": "hide"},
        {"type": "reveal"},
        {"type": "ready", "weapon": dice.choice(["rifle", "blade"]), "ready": dice.random() < 0.5},
        {"type": "cover_override", "versus": "a", "grade": dice.choice(["none", "total"])},
        {"type": "concealment_override", "versus": "a", "percent": dice.choice([0, 50])},
    ]
    if dice.random() < 0.05:
        return {"type": "gravity", "gravity": dice.choice(["zero", "normal"])}
    return {**dice.choice(kinds), "combatant": who}


def set_waiting(table: Table, dice: Random, by: str = "ann") -> bool:
    """Have an action of a's wait; False where none of those tried does."""
    for deed in deeds(dice):
        with suppress(Refused, Malformed):
            table.ask(deed, by)
            break
    return bool(table.state.rule.pending)


def reply(table: Table, dice: Random) -> Tree:
    """An answer to one of the open questions; mostly a pass."""
    decision, who = dice.choice(table.questions)
    strike = {"type": "opportunity_attack", "weapon": "blade"}
    options = table.state.rule.pending[-1].decisions[0].options
    passes = [{"type": each} for each in options if each.startswith("pass")]
    choice = strike if dice.random() < 0.3 else dice.choice([{"type": "pass"}, *passes])
    assert who is not None
    return {"type": "answer", "decision_id": decision, "choice": choice}
