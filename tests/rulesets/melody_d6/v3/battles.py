"""Small battles of version 3 as those of `skirmishes.py`: what waits, and what changes then."""

from typing import Any, Final

from service.rulesets import RULESETS
from tests.kit.given_when_then import Given, given
from tests.rulesets.melody_d6.skirmishes import Tree, creation, guard, move, warrior

FIRST, SECOND, THIRD = (RULESETS["melody-d6", version] for version in ("1", "2", "3"))


def in_turn(*warriors: Tree, unit: str | None = "A1", ruleset: Any = THIRD, **setup: Any) -> Given:
    """A battle in round 1, in the turn of side a, with the activation of a unit open or none."""
    battle: Tree = {"round": 1, "first_side": "a", "turn_side": "a"}
    if unit is not None:
        battle |= {"turn_unit": unit, "phase": setup.pop("phase", "movement")}
    return given(ruleset, creation(*warriors, battle=battle, **setup))


WALK: Final = move("a1", (16_000, 20_000))


def before_guards(*others: Tree, action: Tree = WALK, ruleset: Any = THIRD, **sheet: Any) -> Given:
    """a1 has set out past b1 and b2, who are on guard and asked; `others` are there, too."""
    battle = in_turn(
        warrior("a1", 10_000, 20_000, **sheet),
        warrior("a9", 3000, 3000),
        guard("b1", 12_000, 28_000),
        guard("b2", 14_000, 28_000),
        *others,
        ruleset=ruleset,
    )
    battle.when(action, by="ann")
    return battle


def hp(name: str, value: int) -> Tree:
    return {"type": "hp", "combatant": name, "value": value}


def condition(name: str, word: str, *, holds: bool = True) -> Tree:
    return {"type": "condition", "combatant": name, "condition": word, "holds": holds}


def put(name: str, x: int, y: int) -> Tree:
    return {"type": "place", "combatant": name, "place": {"x": x, "y": y}}


def stat(name: str, word: str, value: int) -> Tree:
    return {"type": "stat", "combatant": name, "stat": word, "value": value}


def resource(name: str, word: str, value: int) -> Tree:
    return {"type": "resource", "combatant": name, "resource": word, "value": value}


def hide(name: str) -> Tree:
    return {"type": "hide", "combatant": name}


def adjusted(battle: Given, *changes: Tree, dice: tuple[int, ...] = ()) -> list[Tree]:
    """The effects of changes by the game master, but for the changes themselves."""
    outcome = battle.when({"type": "adjust", "changes": list(changes)}, dice=dice).outcome
    assert isinstance(outcome, list), outcome
    return outcome


def stopped(effects: list[Tree]) -> list[tuple[str, str, str | None]]:
    """Whose action ended, with which code and rule."""
    return [
        (each["combatant"], each["code"], each.get("rule"))
        for each in effects
        if each["type"] == "action_stopped"
    ]
