"""What a player may not take back: actions that may roll for somebody whom he does not see."""

from typing import Any

from tests.kit.rig import Withdrawal
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.setups import fighter, seated

Tree = dict[str, Any]


def do(kind: str, **more: object) -> Tree:
    return {"type": kind, "combatant": "a", **more}


BINDING: list[Tree] = [
    do("ranged_attack", weapon="rifle", target="t"),
    do("melee_attack", weapon="blade", target="t"),
    do("hide", against="t"),
]
FREE: list[Tree] = [
    do("move", path=[{"x": 1, "y": 0}]),
    do("change_posture", posture="open"),
    do("set_facing", facing="N"),
    do("go_prone"),
    do("stand_up"),
    do("end_turn"),
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
]


def battle() -> Table:
    """Red a and blue t, five cells apart; nobody has begun."""
    return seated({"combatants": [fighter("a", "red", 0, 0), fighter("t", "blue", 5, 0)]})


WITHDRAWAL = Withdrawal(battle=battle, binding=tuple(BINDING), free=tuple(FREE))
