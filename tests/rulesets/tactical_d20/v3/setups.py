"""Battles of version 3, and what becomes of actions that wait in them."""

from typing import Any

from service.rulesets import RULESETS
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import in_progress, seated
from tests.rulesets.tactical_d20.walks import adjust

Tree = dict[str, Any]

SECOND, THIRD = (RULESETS["tactical-d20", version] for version in ("2", "3"))


def battle(*combatants: Tree, dice: Any = "sealed", ruleset: Any = THIRD, **more: Any) -> Table:
    """A battle of version 3 in which the first has the turn."""
    order = in_progress(*(each["id"] for each in combatants))
    setup = {"combatants": combatants, "battle": order, **more}
    table = seated(setup, dice=dice, ruleset=ruleset)
    table.ask({"type": "start_encounter"})
    return table


def put(combatant: str, x: int, y: int, **more: int) -> Tree:
    """A change of the game master: somebody is there."""
    return {"type": "place", "combatant": combatant, "place": {"x": x, "y": y, **more}}


def stat(combatant: str, name: str, value: int) -> Tree:
    """A change of the game master: a number of a sheet."""
    return {"type": "stat", "combatant": combatant, "stat": name, "value": value}


def condition(combatant: str, name: str, *, holds: bool = True) -> Tree:
    """A change of the game master: a condition holds."""
    return {"type": "condition", "combatant": combatant, "condition": name, "holds": holds}


def ruled(table: Table, *changes: Tree, dice: tuple[int, ...] = ()) -> list[Tree]:
    """What follows from changes of the game master."""
    return effects_of(table.ask(adjust(*changes), dice=dice))


def all_passed(table: Table) -> list[Tree]:
    """What comes of it that everybody who is asked now passes: the effects of the last pass."""
    effects: list[Tree] = []
    for decision, _ in table.questions:
        effects = effects_of(table.ask({"type": "force_pass", "decision_id": decision}))
    return effects


def stopped(combatant: str, code: str, rule: str | None = None) -> Tree:
    """An action that goes no further."""
    told = {"type": "action_stopped", "combatant": combatant, "code": code}
    return told if rule is None else {**told, "rule": rule}


def stops(effects: list[Tree]) -> list[Tree]:
    """The stops among effects."""
    return [each for each in effects if each["type"] == "action_stopped"]
