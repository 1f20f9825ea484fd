"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.canaries import GHOST, GHOSTLY, LATE, LATECOMER, TIMES
from tests.kit.rig import Brawl, Canaries, Deeds, SideRoll, Tree, UnseenQuestion
from tests.rulesets.tactical_d20.setups import blade, bomb, fighter, in_progress, rifle


def rifleman(name: str, side: str, x: int, y: int, **more: object) -> Tree:
    """Somebody who can be hit, with a display name, so that every log has text in it."""
    sheet = {"health": 200, "health_max": 200, "weapons": [rifle()], "initiative": 2}
    return fighter(name, side, x, y, name=f"The one called {name}", **sheet, **more)


BRAWL: Final = Brawl(
    setup={
        "options": {"initiative": "fixed", "enemy_numbers": "hidden", "attack_reveals": False},
        "combatants": [
            rifleman("r1", "red", 0, 0),
            rifleman("r2", "red", 0, 3, hidden=True),
            rifleman("b1", "blue", 6, 0),
            rifleman("b2", "blue", 6, 3, hidden=True),
        ],
    },
    attack=lambda attacker, target: {
        "type": "attack",
        "combatant": attacker,
        "weapon": "rifle",
        "target": target,
    },
    dice=1,
    die_sides=20,
    choice=lambda kind: (
        {"type": kind} | ({"weapon": "blade"} if kind == "opportunity_attack" else {})
    ),
)


def burst() -> SideRoll:
    """Bob's t is in the area that he uses himself, next to Ann's a: he saves first."""
    area = bomb(damage={"count": 0, "sides": 6, "bonus": 1})
    people = [
        fighter("t", "blue", 1, 0, areas=[area]),
        fighter("a", "red", 0, 0),
    ]
    deed = {"type": "area_attack", "combatant": "t", "area": "bomb", "origin": {"x": 1, "y": 0}}
    return SideRoll(
        setup={"combatants": people, "battle": in_progress("t", "a")},
        deeds=(("bob", deed),),
        answer=("bob", {"type": "roll"}, (1,)),
        faces=(1,),
    )


def shot(place: int) -> Tree:
    """Ann's a shoots at t; somebody hidden with a pike is in this column."""
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle()]),
        fighter("t", "blue", 9, 0, weapons=[rifle()]),
        fighter("h", "blue", place, 0, hidden=True, weapons=[blade(reach_ft=10)]),
    ]
    return {"combatants": people, "battle": in_progress("a", "t", "h")}


UNSEEN_QUESTION: Final = UnseenQuestion(
    dice="sealed",
    worlds=(shot(2), shot(6)),
    step={"type": "drop_prone", "combatant": "a"},
    deed={"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"},
    unseen="h",
)


def canaries() -> Canaries:
    """Red and blue, who know of each other, and somebody whom nobody knows of."""
    gun = rifle(id="canary-gun", name="Canary's gun")
    people: list[Any] = [
        fighter("a", "red", 0, 0, weapons=[rifle()]),
        fighter(GHOST, "green", 0, 9, weapons=[gun], **GHOSTLY),
        fighter("t", "blue", 6, 0, weapons=[rifle()]),
    ]
    return Canaries(
        setup={
            "combatants": people,
            "battle": in_progress(*(each["id"] for each in people)),
            "options": TIMES,
            "map": {"form": "ascii", "rows": ["." * 12] * 12},
            "hidden_terrain": {"cells": [{"x": 9, "y": 9, "wall": True}]},
        },
        shot={"type": "attack", "combatant": GHOST, "weapon": "canary-gun", "target": "a"},
        newcomer=fighter(LATE, "green", 2, 9, **LATECOMER),
        ground={
            "type": "set_terrain",
            "cells": [{"x": 3, "y": 9, "cover": "normal"}],
            "secret": True,
        },
    )


GUARD: Final = {"combatant": "guard"}
HERE: Final = {"x": 1, "y": 5}
DEEDS: Final = Deeds(
    own="guard",
    theirs="raider",
    player={
        "move": {**GUARD, "path": [HERE]},
        "attack": GUARD | {"weapon": "bow", "target": "raider"},
        "attack_cell": GUARD | {"weapon": "bow", "cell": {"x": 3, "y": 5}},
        "area_attack": GUARD | {"area": "bomb", "origin": HERE},
        "drop_prone": GUARD,
        "stand_up": GUARD,
        "right_self": GUARD,
    },
    with_last=lambda battle, last: {"order": [*battle["order"], {"combatant": last}]},
    master={"set_terrain": {"cells": [{**HERE, "cover": "normal"}]}},
)
