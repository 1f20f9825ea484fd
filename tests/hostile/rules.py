"""The rulesets' worlds as the hostile play them, and how each attacks what it cannot see."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from service.engine.ruleset import Ruleset
from service.engine.vocabulary.values import DiceMode
from service.rulesets import RULESETS
from tests.hostile.battle import PLAYER_OF, Battle, Tree, combatant_in
from tests.rulesets.crossfire_d6 import test_two_worlds as crossfire
from tests.rulesets.crossfire_d6.battles import HEIGHT, WIDTH
from tests.rulesets.seeker_d100 import test_two_worlds as seeker
from tests.rulesets.seeker_d100.table import wall, weapon

BURST_M: Final = 10
FAR_M: Final = 15
FAR_AWAY: Final = {"start": {"x": 900, "y": 900}, "end": {"x": 901, "y": 900}, "armour": 1}
LUCK: Final = 30
"""How many places a thrower considers."""


class Rules(NamedTuple):
    """A ruleset's own worlds; `probe` is an attack at what its player cannot see."""

    ruleset: Ruleset[Any]
    world: Callable[[int, int], dict[str, Any]]
    probe: Callable[[Sequence[Battle], str, Random], Tree | None]
    quiet: frozenset[str]
    met: frozenset[str]
    ground: Tree
    """A change of hidden ground that nobody ever meets."""


def seeker_world(number: int, variant: int) -> dict[str, Any]:
    """Everybody has grenades; the hidden one who is not out knows of the danger, and stands apart.

    Some cover is known, so that whoever is in a burst is asked.
    """
    setup = seeker.world(number, variant)
    for each in setup["combatants"]:
        each["weapons"] = [*each["weapons"], weapon("w_grenade", id="thrown")]
        if each["id"] == "h":
            each["conditions"] = []
            each["place"] = {"x": -FAR_M if variant else 24 + FAR_M, "y": 8}
            each["health"] = each["health_max"] = 500
    covers = setup["map"]["cover"]
    setup["map"]["cover"] = covers or [wall(60)]
    setup["options"]["reactions"] = "prompt"
    setup["options"]["redraw_each_round"] = number % 3 == 0
    return setup


def crossfire_world(number: int, variant: int) -> dict[str, Any]:
    """A wall runs along the lower edge: whatever is secret inside it is met by nobody."""
    setup = crossfire.world(number, variant)
    ground = setup["map"]
    return setup | {"map": ground | {"rows": [*ground["rows"], "#" * WIDTH]}}


def without_ground(setup: Tree) -> Tree:
    """The setup without hidden ground, which is met long before it is told where a table rolls."""
    hidden = ("hidden_cover", "hidden_terrain")
    return {name: value for name, value in setup.items() if name not in hidden}


def worlds_of(rules: Rules, number: int, mode: DiceMode) -> tuple[Tree, Tree]:
    """The setups of the two worlds of a battle."""
    has_ground = mode == "sealed" and number % 2 == 1
    first, second = (rules.world(number, variant) for variant in (0, 3))
    return (first, second) if has_ground else (without_ground(first), without_ground(second))


def throw(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """A grenade, with luck to where nobody but somebody unseen is, and that in one world alone."""
    unseen = [combatant_in(battle, battle.unseen) for battle in battles]
    people = battles[0].view("gm")["combatants"]
    others = [each for each in people if each["side"] != "green"]
    for _ in range(LUCK):
        x, y = dice.randint(-FAR_M - BURST_M, 24 + FAR_M + BURST_M), dice.randint(0, 16)
        one, other = (is_caught(each, x, y) for each in unseen)
        is_quiet = not any(is_caught(each, x, y) for each in others)
        if (one is not other and is_quiet) or dice.random() < 0.05:
            point = {"x": x, "y": y}
            return {"type": "attack", "combatant": combatant, "weapon": "thrown", "point": point}
    return None


def is_caught(combatant: Tree, x: int, y: int) -> bool:
    """Whether a burst there reaches somebody."""
    place = combatant["place"]
    return bool((place["x"] - x) ** 2 + (place["y"] - y) ** 2 <= BURST_M**2)


def strike(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """Some attack or a hiding, whatever is legal."""
    kinds = {"ranged_attack", "melee_attack", "hide"}
    by = PLAYER_OF[combatant_in(battles[0], combatant)["side"]]
    sampled = battles[0].samples(combatant, 20, by)
    found = [each for each in sampled if each["type"] in kinds]
    return dice.choice(found) if found else None


RULES: Final = {
    "crossfire-d6": Rules(
        RULESETS["crossfire-d6", "1"],
        crossfire_world,
        strike,
        frozenset(crossfire.QUIET),
        frozenset({"met", "contact", "obstructed"}),
        {"cells": [{"x": 0, "y": HEIGHT, "kind": "solid", "dark": True}]},
    ),
    "seeker-d100": Rules(
        RULESETS["seeker-d100", "1"],
        seeker_world,
        throw,
        frozenset(seeker.QUIET),
        frozenset({"met", "contact"}),
        {"changes": [{"feature": "far", "terrain": FAR_AWAY}]},
    ),
}
