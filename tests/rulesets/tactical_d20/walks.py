"""Walks as a client asks for them, and what an event shows of them."""

from typing import Any

from tests.kit.table import Table
from tests.rulesets.tactical_d20.setups import blade, fighter, in_progress, seated

Tree = dict[str, Any]

PASS: Tree = {"type": "pass"}
STRIKE: Tree = {"type": "opportunity_attack", "weapon": "blade"}


def battle(*combatants: Tree, dice: Any = "sealed", **more: Any) -> Table:
    """A battle in which the first has the turn."""
    order = in_progress(*(each["id"] for each in combatants))
    table = seated({"combatants": combatants, "battle": order, **more}, dice=dice)
    table.ask({"type": "start_encounter"})
    return table


def swordsman(combatant: str, side: str, x: int, y: int, **more: Any) -> Tree:
    """One with a blade, who controls the cells about him."""
    return fighter(combatant, side, x, y, **{"weapons": [blade()], **more})


def walk(combatant: str, *cells: tuple[int, int]) -> Tree:
    path = [{"x": x, "y": y} for x, y in cells]
    return {"type": "move", "combatant": combatant, "path": path}


def adjust(*changes: Tree) -> Tree:
    return {"type": "adjust", "changes": list(changes)}


def answer(table: Table, combatant: str, choice: Tree, by: str = "gm") -> Any:
    """Answer the open question to a combatant."""
    [decision] = [each for each, asked in table.questions if asked == combatant]
    return table.ask({"type": "answer", "decision_id": decision, "choice": choice}, by)


def spent(combatant: str, resource: str) -> Tree:
    return {
        "type": "resource_changed",
        "combatant": combatant,
        "resource": resource,
        "now": 0,
    }


def moved(
    combatant: str,
    start: tuple[int, int],
    *path: tuple[int, int],
    cost: int,
    cause: str | None = None,
) -> Tree:
    """A leg of a walk; `cause` says why it does not lead to the end of the path."""
    end = path[-1] if path else start
    return {
        "type": "moved",
        "combatant": combatant,
        "manner": "walk",
        "start": {"x": start[0], "y": start[1]},
        "path": [{"x": x, "y": y} for x, y in path],
        "end": {"x": end[0], "y": end[1]},
        "cost": cost,
        "complete": cause is None,
        **({} if cause is None else {"cause": cause}),
    }


def opened(effects: list[Tree]) -> list[tuple[str, str]]:
    """Who is asked, and about whom, in the order of asking."""
    questions = [each["decision"] for each in effects if each["type"] == "decision_opened"]
    return [(each["combatant"], each["context"]["target"]) for each in questions]


def place(table: Table, combatant: str) -> tuple[int, int]:
    where = table.combatant(combatant).place
    return where.x, where.y


def made(table: Table) -> Any:
    """How much of the walk that waits is done, as the game master sees it."""
    return table.view()["pending"][-1]["suspended"]["remainder"]
