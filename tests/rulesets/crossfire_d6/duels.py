"""Two enemies two cells apart, ways to change that, and the actions asked for in tests."""

from typing import Any

from service.rulesets.crossfire_d6 import RULESET
from tests.kit.given_when_then import Given, given
from tests.rulesets.crossfire_d6.examples import EXAMPLES, Tree

GUN: Tree = {"id": "gun"}
BLADE: Tree = {"id": "blade"}
A: Tree = {"side": "red", "place": {"x": 0, "y": 0}, "weapons": [GUN, BLADE]}
PARTS = ("options", "map", "battle")
T: Tree = {"side": "blue", "place": {"x": 2, "y": 0}}


def duel(a: Tree | None = None, t: Tree | None = None, **more: Any) -> Given:
    """A's turn, T two cells east of him; `more` are other combatants and parts of a setup."""
    setup: Tree = {name: more.pop(name) for name in PARTS if name in more}
    setup["combatants"] = {"a": A | (a or {}), "t": T | (t or {}), **more}
    return given(RULESET, EXAMPLES.creation(EXAMPLES.complete(setup)))


def at(x: int, y: int, **more: int) -> Tree:
    """A combatant that is there."""
    return {"place": {"x": x, "y": y, **more}}


def drawn(*rows: str) -> Tree:
    """A map whose first cell is (0, 0)."""
    return {"form": "ascii", "rows": list(rows)}


def path(*cells: tuple[int, int], combatant: str = "a", **more: str) -> Tree:
    """A walk."""
    walked = [{"x": x, "y": y} for x, y in cells]
    return {"type": "move", "combatant": combatant, "path": walked, **more}


def shoot(target: str = "t", weapon: str = "gun", **more: bool) -> Tree:
    """A shot by A."""
    return do("ranged_attack", weapon=weapon, target=target) | more


def strike(target: str = "t", weapon: str = "blade") -> Tree:
    """A blow by A."""
    return do("melee_attack", weapon=weapon, target=target)


def do(kind: str, combatant: str = "a", **more: str) -> Tree:
    """Any other action."""
    return {"type": kind, "combatant": combatant, **more}
