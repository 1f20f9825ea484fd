"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.canaries import GHOST, GHOSTLY, LATE, LATECOMER, TIMES
from tests.kit.rig import Brawl, Canaries, Deeds, SideRoll, Tree, UnseenQuestion
from tests.rulesets.crossfire_d6.setups import fighter, in_progress, rifle


def rifleman(name: str, side: str, x: int, y: int, **more: object) -> Tree:
    """Somebody who can be hit, with a display name, so that every log has text in it."""
    sheet = {"health": 40, "health_max": 40, "ranged_defence": 12, "melee_defence": 12}
    pools = {"agi_pool": 3, "int_pool": 3, "weapons": [rifle()]}
    return fighter(name, side, x, y, name=f"The one called {name}", **sheet, **pools, **more)


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
        "type": "ranged_attack",
        "combatant": attacker,
        "weapon": "rifle",
        "target": target,
    },
    dice=5,
)


def hunt() -> SideRoll:
    """Bob's t hides from a, whose wits Ann must roll."""
    gun = rifle(attack_dice=2)
    people = [
        fighter("a", "red", 0, 0, weapons=[gun], int_pool=3),
        fighter("t", "blue", 4, 0, agi_pool=2, weapons=[gun], pin_count=1),
    ]
    return SideRoll(
        setup={"combatants": people, "battle": in_progress("a", "t")},
        deeds=(
            ("ann", {"type": "end_turn", "combatant": "a"}),
            ("bob", {"type": "hide", "combatant": "t", "against": "a"}),
        ),
        answer=("bob", {"type": "roll"}, (4, 4)),
        faces=(1, 1, 1),
    )


def hideout(wits: int) -> Tree:
    """Ann's a may hide without any agility from t, who has so much intelligence."""
    people = [
        fighter("a", "red", 0, 0, agi_pool=0, pin_count=1),
        fighter("t", "blue", 4, 0, int_pool=wits, weapons=[rifle()]),
    ]
    options = {"enemy_numbers": "hidden", "hide_tie_succeeds": False}
    return {"combatants": people, "options": options, "battle": in_progress("a", "t")}


UNSEEN_QUESTION: Final = UnseenQuestion(
    dice="supplied",
    worlds=(hideout(3), hideout(0)),
    step={"type": "set_facing", "combatant": "a", "facing": "S"},
    deed={"type": "hide", "combatant": "a", "against": "t"},
    unseen="t",
)


def canaries() -> Canaries:
    """Red and blue, who know of each other, and somebody whom nobody knows of."""
    gun = rifle(id="canary-gun", name="Canary's gun")
    people: list[Any] = [
        fighter("a", "red", 0, 0, weapons=[rifle()]),
        fighter(GHOST, "green", 0, 9, weapons=[gun], facing="N", **GHOSTLY),
        fighter("t", "blue", 6, 0, weapons=[rifle()]),
    ]
    return Canaries(
        setup={
            "combatants": people,
            "battle": in_progress(*(each["id"] for each in people)),
            "options": TIMES,
            "map": {"form": "ascii", "rows": ["." * 12] * 12},
            "hidden_terrain": {"cells": [{"x": 9, "y": 9, "kind": "solid"}]},
        },
        shot={"type": "ranged_attack", "combatant": GHOST, "weapon": "canary-gun", "target": "a"},
        newcomer=fighter(LATE, "green", 2, 9, **LATECOMER),
        ground={
            "type": "set_terrain",
            "cells": [{"x": 3, "y": 9, "kind": "cover"}],
            "secret": True,
        },
    )


HUNTER: Final = {"combatant": "hunter"}
SHOT: Final = HUNTER | {"weapon": "rifle", "target": "raider"}
DEEDS: Final = Deeds(
    own="hunter",
    theirs="raider",
    player={
        "move": {**HUNTER, "path": [{"x": 1, "y": 5}]},
        "change_posture": {**HUNTER, "posture": "open"},
        "set_facing": {**HUNTER, "facing": "N"},
        "ranged_attack": SHOT,
        "melee_attack": SHOT,
        "hide": {**HUNTER, "against": "raider"},
        "go_prone": HUNTER,
        "stand_up": HUNTER,
    },
    with_last=lambda battle, last: {"order": [*battle["order"], {"combatant": last}]},
    master={"set_terrain": {"cells": [{"x": 1, "y": 5, "kind": "cover"}]}},
)
