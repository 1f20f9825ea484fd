"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.canaries import GHOST, GHOSTLY, LATE, LATECOMER, TIMES
from tests.kit.rig import Brawl, Canaries, Deeds, SideRoll, Tree, UnseenQuestion
from tests.rulesets.squad_d100.setups import FREE, fighter, in_progress, rifle

WATCH: Final[Tree] = {"conditions": ["watch"]}
MAP: Final[Tree] = {"text": FREE}


def rifleman(name: str, side: str, x: int, y: int, **more: object) -> Tree:
    """Somebody who can be hit often, with a display name, so that every log has text in it."""
    sheet = {"health_max": 2000, "weapons": [rifle(magazine=1000)], "accuracy": 900}
    return fighter(name, side, x, y, name=f"The one called {name}", **{**sheet, **more})


BRAWL: Final = Brawl(
    setup={
        "options": {"turn_order": "sides", "enemy_numbers": "hidden", "attack_reveals": False},
        "map": MAP,
        "combatants": [
            rifleman("r1", "red", 0, 0),
            rifleman("r2", "red", 0, 3, hidden=True),
            rifleman("b1", "blue", 6, 0),
            rifleman("b2", "blue", 6, 3, hidden=True),
        ],
    },
    attack=lambda attacker, target: {
        "type": "aimed_shot",
        "combatant": attacker,
        "weapon": "rifle",
        "target": target,
    },
    dice=1,
    die_sides=100,
)


def seen_walking() -> SideRoll:
    """Bob's t walks past Ann's a, who is on watch and notices him."""
    people = [fighter("t", "blue", 6, 0), fighter("a", "red", 0, 0, **WATCH)]
    walk = {"type": "move", "combatant": "t", "path": [{"x": 5, "y": 0}]}
    return SideRoll(
        setup={"map": MAP, "combatants": people, "battle": in_progress("t", "a")},
        deeds=(("bob", walk),),
        answer=("ann", {"type": "roll"}, (1,)),
        faces=(99,),
    )


def watched(x: int, y: int) -> Tree:
    """Ann's a walks; somebody hidden who watches is in this cell."""
    people = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 11, 7),
        fighter("h", "blue", x, y, hidden=True, **WATCH),
    ]
    walls = "......█.....\n" * 8
    return {"map": {"text": walls}, "combatants": people, "battle": in_progress("a", "t", "h")}


UNSEEN_QUESTION: Final = UnseenQuestion(
    dice="supplied",
    worlds=(watched(5, 3), watched(8, 3)),
    step={"type": "sprint", "combatant": "a"},
    deed={"type": "move", "combatant": "a", "path": [{"x": 1, "y": 0}]},
    unseen="h",
)


def canaries() -> Canaries:
    """Red and blue, who know of each other, and somebody whom nobody knows of."""
    gun = rifle(id="canary-gun", name="Canary's gun")
    people: list[Any] = [
        fighter("a", "red", 0, 0),
        fighter(GHOST, "green", 0, 7, weapons=[gun], **GHOSTLY),
        fighter("t", "blue", 6, 0),
    ]
    return Canaries(
        setup={
            "combatants": people,
            "battle": in_progress(*(each["id"] for each in people)),
            "options": TIMES,
            "map": MAP,
        },
        shot={
            "type": "aimed_shot",
            "combatant": GHOST,
            "weapon": "canary-gun",
            "target": "a",
        },
        newcomer=fighter(LATE, "green", 2, 7, **LATECOMER),
        ground={
            "type": "adjust",
            "changes": [{"type": "posture", "combatant": GHOST, "posture": "kneeling"}],
        },
    )


GUARD: Final = {"combatant": "guard"}
HERE: Final = {"x": 1, "y": 1}
DEEDS: Final = Deeds(
    own="guard",
    theirs="raider",
    player={
        "move": {**GUARD, "path": [HERE]},
        "kneel": GUARD,
        "stand": GUARD,
        "toggle_door": {**GUARD, "cell": HERE},
        "pick_up": GUARD,
        "sprint": GUARD,
        "end_movement": GUARD,
        "aimed_shot": GUARD | {"weapon": "rifle", "target": "raider"},
        "snap_shots": GUARD | {"weapon": "rifle", "targets": [{"target": "raider"}] * 2},
        "burst": GUARD | {"weapon": "rifle", "target": "raider"},
        "suppress": GUARD | {"weapon": "rifle", "target": "raider"},
        "throw_grenade": {**GUARD, "grenade": "bomb", "cell": HERE},
        "melee_attack": GUARD | {"target": "raider"},
        "reload": GUARD | {"weapon": "rifle"},
    },
    with_last=lambda battle, last: {"order": [*battle["order"], {"combatant": last}]},
    master={"set_terrain": {"cells": [{**HERE, "terrain": "cover"}]}},
)
