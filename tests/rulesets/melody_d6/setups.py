"""A battle of this ruleset in memory, asked for as a client would, seen as anybody would.

Places of the shared suites are small numbers: here they are steps from a corner of the table.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.engine.vocabulary.values import DiceMode
from service.rulesets.melody_d6 import RULESET
from tests.kit import table as kit
from tests.kit.table import Table

Tree = dict[str, Any]
"""A JSON object, as a client writes it."""

CORNER: Final = 2000
STEP: Final = 1000


def seated(setup: Mapping[str, Any], *, dice: DiceMode = "sealed") -> Table:
    """A battle of this ruleset, red against blue, in which Ann, Bob and Eve take part."""
    return kit.seated(RULESET, setup, dice=dice)


def at(x: int, y: int) -> Tree:
    """The point so many steps east and south of the corner."""
    return {"x": CORNER + STEP * x, "y": CORNER + STEP * y}


def fighter(combatant: str, side: str, x: int, y: int, **more: object) -> Tree:
    """A lone warrior as a client states it, of three wounds, with a rifle and a blade."""
    arms = {"weapons": ["rifle", "blade"], "health_max": 3}
    return {"id": combatant, "side": side, "unit": combatant, "place": at(x, y), **arms, **more}


def singing(*melodies: str, **more: object) -> Tree:
    """What makes a warrior a singer of these Melodies."""
    return {"singer": {"melodies": list(melodies), **more}}


def wall(name: str, x: int, y: int, kind: str = "low_wall", **more: object) -> Tree:
    """A feature of two steps by one, so many steps from the corner."""
    west, north = at(x, y).values()
    corners = [(west, north), (west + 2000, north), (west + 2000, north + 1000)]
    corners.append((west, north + 1000))
    return {
        "id": name,
        "kind": kind,
        "vertices": [{"x": x, "y": y} for x, y in corners],
        **more,
    }


def battle_of(people: Sequence[Mapping[str, Any]], **more: Any) -> Tree:
    """A setup of these, each of the unit that it names; a unit of several is a squad."""
    members: dict[str, list[Mapping[str, Any]]] = {}
    for each in people:
        members.setdefault(each["unit"], []).append(each)
    units = [
        {"id": unit, "side": of[0]["side"], "kind": "lone" if len(of) == 1 else "squad"}
        for unit, of in members.items()
    ]
    sides = [{"id": side} for side in ("red", "blue")]
    return {"sides": sides, "units": units, "combatants": list(people), **more}


def in_progress(unit: str | None = None, phase: str = "action", **more: object) -> Tree:
    """A battle in round 1, in red's turn, with this activation open."""
    open_unit = {} if unit is None else {"turn_unit": unit, "phase": phase}
    return {"round": 1, "first_side": "red", "turn_side": "red", **open_unit, **more}
