"""Small battles for tests: warriors of two sides on an empty table, each a separate unit."""

from typing import Any, Final

from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Asked, Given, given

Tree = dict[str, Any]

WIDE: Final[Tree] = {"width": 40000, "height": 40000, "features": []}
"""A large table without terrain."""

PASS: Final[Tree] = {"type": "pass"}

SEATS: Final = (
    {"id": "ann", "role": "player", "sides": ["a"]},
    {"id": "bob", "role": "player", "sides": ["b"]},
    {"id": "eve", "role": "observer"},
)


def warrior(name: str, x: int, y: int, **sheet: Any) -> Tree:
    """A warrior with every default; its side is the first letter of its id."""
    conditions = sheet.pop("conditions", ())
    place = {"x": x, "y": y}
    stated = {"id": name, "side": name[0], "unit": name.upper(), "place": place, **sheet}
    return {**stated, "conditions": list(conditions)}


def creation(*warriors: Tree, dice: str = "supplied", **setup: Any) -> Tree:
    """What a battle of these warriors is created with; sides are `a` and `b`."""
    setup.setdefault("map", WIDE)
    units = {each["unit"]: each["side"] for each in warriors}
    crowds = [each["unit"] for each in warriors]
    stated = [
        {"id": unit, "side": side, "kind": "squad" if crowds.count(unit) > 1 else "lone"}
        for unit, side in units.items()
    ]
    spent = setup.pop("activated", ())
    for unit in stated:
        if unit["id"] in spent:
            unit["activated"] = True
    return {
        "dice": dice,
        "sides": [{"id": "a"}, {"id": "b"}],
        "seats": [dict(seat) for seat in SEATS],
        "setup": {"units": stated, "combatants": list(warriors), **setup},
    }


def begun(*warriors: Tree, **setup: Any) -> Given:
    """A battle that has just begun with the turn of side `a`: nothing is rolled for that."""
    options = {"initiative": "fixed", **setup.pop("options", {})}
    return given(RULESET, creation(*warriors, options=options, **setup))


def in_turn(*warriors: Tree, side: str = "a", unit: str | None = None, **setup: Any) -> Given:
    """A battle in round 1, in the turn of a side, with the activation of a unit open or none."""
    battle: Tree = {"round": 1, "first_side": "a", "turn_side": side}
    if unit is not None:
        battle |= {"turn_unit": unit, "phase": setup.pop("phase", "movement")}
    return given(RULESET, creation(*warriors, battle=battle, **setup))


def conditions(battle: Given, name: str) -> tuple[str, ...]:
    """The conditions of a warrior."""
    held: tuple[str, ...] = battle.table.combatant(name).conditions
    return held


def guard(name: str, x: int, y: int, weapon: str = "rifle", **sheet: Any) -> Tree:
    """A warrior on guard with a ranged weapon."""
    held = ["on_guard", *sheet.pop("conditions", ())]
    return warrior(name, x, y, weapons=[weapon], conditions=held, **sheet)


def move(name: str, *path: tuple[int, int]) -> Tree:
    return {"type": "move", "combatant": name, "path": [{"x": x, "y": y} for x, y in path]}


def pending(battle: Given) -> Tree | None:
    """The question that is open, as the game master sees it."""
    groups = battle.table.view()["pending"]
    if not groups:
        return None
    [question] = groups[-1]["decisions"]
    found: Tree = question
    return found


def answer(battle: Given, choice: Tree, *, by: str = "gm", dice: tuple[int, ...] = ()) -> Asked:
    question = pending(battle)
    assert question is not None
    asked = {"type": "answer", "decision_id": question["id"], "choice": choice}
    return battle.when(asked, by=by, dice=dice)


def shot(name: str, target: str, at: tuple[int, int] | None = None, weapon: str = "rifle") -> Tree:
    choice: Tree = {"type": "guard_shoot", "combatant": name, "target": target, "weapon": weapon}
    if at is not None:
        choice["path_point"] = {"leg": at[0], "permille": at[1]}
    return choice


def place(battle: Given, name: str) -> tuple[int, int]:
    stands = battle.table.combatant(name).place
    return stands.x, stands.y


def effects_of(asked: Asked) -> list[Tree]:
    """What came of an action that was not refused."""
    assert isinstance(asked.outcome, list), asked.outcome
    return asked.outcome


def kinds(asked: Asked) -> list[str]:
    """The kinds of effects that came of an action."""
    return [each["type"] for each in effects_of(asked)]
