"""Two enemies on a free map, ways to change that, and the actions asked for in tests."""

from collections.abc import Mapping
from typing import Any

from tests.kit.given_when_then import Given, given
from tests.kit.table import Table
from tests.rulesets.tactical_d20.examples import EXAMPLES, Tree
from tests.rulesets.tactical_d20.setups import RULESET

BLADE: Tree = {"id": "blade"}
GUN: Tree = {"id": "gun"}
BOMB: Tree = {
    "id": "bomb",
    "radius_ft": 10,
    "dc": 15,
    "damage": {"count": 0, "sides": 6, "bonus": 5},
}
PARTS = ("options", "map", "battle", "gravity", "hidden_terrain")


def duel(a: Tree | None = None, t: Tree | None = None, **more: Any) -> Given:
    """A's turn, T next to him to the east; `more` are other combatants and parts of a setup.

    The table rolls; red and blue have a seat each.
    """
    return given(RULESET, EXAMPLES.creation(stated(a, t, **more)))


def stated(a: Tree | None = None, t: Tree | None = None, **more: Any) -> Tree:
    """The setup of such a battle."""
    setup: Tree = {"battle": {}, **{name: more.pop(name) for name in PARTS if name in more}}
    people = {"a": at(0, 0) | (a or {}), "t": at(1, 0) | (t or {}), **more}
    return EXAMPLES.complete(setup | {"combatants": people})


def at(x: int, y: int, **more: Any) -> Tree:
    """A combatant that is there."""
    place = {"x": x, "y": y}
    if "elevation" in more:
        place["elevation"] = more.pop("elevation")
    return {"place": place, **more}


def cells(*marked: Tree, borders: tuple[Tree, ...] = (), **bounds: int) -> Tree:
    """A map by its cells and borders, without an edge unless bounds are stated."""
    edge = {"bounds": bounds} if bounds else {}
    return {"form": "cells", "cells": list(marked), "borders": list(borders), **edge}


def cell(x: int, y: int, **ground: Any) -> Tree:
    """A cell and what is on it."""
    return {"x": x, "y": y, **ground}


def border(axis: str, x: int, y: int, **ground: Any) -> Tree:
    """The west (`v`) or north (`h`) side of a cell and what is on it."""
    return {"axis": axis, "x": x, "y": y, **ground}


def do(kind: str, combatant: str = "a", **more: Any) -> Tree:
    """An action."""
    return {"type": kind, "combatant": combatant, **more}


def attack(weapon: str = "blade", target: str = "t", combatant: str = "a", **more: Any) -> Tree:
    """An attack."""
    return do("attack", combatant, weapon=weapon, target=target, **more)


def guess(x: int, y: int, weapon: str = "gun", combatant: str = "a", **more: Any) -> Tree:
    """An attack on a cell."""
    return do("attack_cell", combatant, weapon=weapon, cell={"x": x, "y": y}, **more)


def path(*steps: tuple[int, int], combatant: str = "a") -> Tree:
    """A walk."""
    return do("move", combatant, path=[{"x": x, "y": y} for x, y in steps])


def adjust(kind: str, combatant: str = "t", **more: Any) -> Tree:
    """A word of the game master about somebody."""
    return {"type": "adjust", "changes": [{"type": kind, "combatant": combatant, **more}]}


def answer(table: Table, combatant: str, choice: Mapping[str, Any]) -> Tree:
    """The answer of a combatant who is asked."""
    [decision] = [name for name, who in table.questions if who == combatant]
    return {"type": "answer", "decision_id": decision, "choice": choice}


def strikes(table: Table, combatant: str, weapon: str = "blade") -> Tree:
    """A combatant takes its opportunity."""
    return answer(table, combatant, {"type": "opportunity_attack", "weapon": weapon})


def only(effects: object, kind: str) -> list[Tree]:
    """The effects of one type, of an action that was allowed."""
    assert isinstance(effects, list), effects
    return [each for each in effects if each["type"] == kind]
