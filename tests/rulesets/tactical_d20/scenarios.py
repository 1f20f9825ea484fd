"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.canaries import GHOST, GHOSTLY, LATE, LATECOMER, TIMES
from tests.kit.rig import Brawl, Canaries, Deeds, SideRoll, Tree, UnseenQuestion
from tests.rulesets.tactical_d20.setups import blade, fighter, in_progress, rifle


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


def parting() -> SideRoll:
    """The game master's g walks away from two enemies: Ann's a strikes, then Bob's t passes."""
    people = [
        fighter("g", "green", 1, 0, weapons=[blade()]),
        fighter("a", "red", 0, 0, weapons=[blade()]),
        fighter("t", "blue", 2, 0, weapons=[blade()]),
    ]
    # The walk is event 5, behind creation, start and two changed seats.
    strike = {"type": "opportunity_attack", "weapon": "blade"}
    return SideRoll(
        setup={"combatants": people, "battle": in_progress("g", "a", "t")},
        deeds=(
            ("gm", {"type": "move", "combatant": "g", "path": [{"x": 1, "y": 1}]}),
            ("ann", {"type": "answer", "decision_id": "d5.1", "choice": strike}),
        ),
        answer=("bob", {"type": "pass"}, ()),
        faces=(1,),
    )


def shot(place: int) -> Tree:
    """Ann's b shoots at t; somebody hidden with a pike stands in this column."""
    people = [
        fighter("a", "red", 0, 9, weapons=[rifle()]),
        fighter("b", "red", 0, 0, weapons=[rifle()]),
        fighter("t", "blue", 9, 0, weapons=[rifle()]),
        fighter("h", "blue", place, 0, hidden=True, weapons=[blade(reach_ft=10)]),
    ]
    return {"combatants": people, "battle": in_progress("a", "b", "t", "h")}


UNSEEN_QUESTION: Final = UnseenQuestion(
    dice="sealed",
    worlds=(shot(2), shot(6)),
    step={"type": "move", "combatant": "a", "path": [{"x": 0, "y": 8}]},
    deed={"type": "attack", "combatant": "b", "weapon": "rifle", "target": "t"},
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


SCOUT: Final = {"combatant": "scout"}
HERE: Final = {"x": 1, "y": 5}
DEEDS: Final = Deeds(
    own="scout",
    theirs="guard",
    player={
        "move": {**SCOUT, "path": [HERE]},
        "attack": SCOUT | {"weapon": "rifle", "target": "guard"},
        "attack_cell": SCOUT | {"weapon": "rifle", "cell": {"x": 3, "y": 5}},
        "area_attack": SCOUT | {"area": "bomb", "origin": HERE},
        "drop_prone": SCOUT,
        "stand_up": SCOUT,
        "right_self": SCOUT,
    },
    with_last=lambda battle, last: {"order": [*battle["order"], {"combatant": last}]},
    master={"set_terrain": {"cells": [{**HERE, "cover": "normal"}]}},
)
"""The words of the creation that the OpenAPI document shows."""
