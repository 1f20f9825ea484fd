"""What a player may not take back: what may ask or roll for somebody whom he does not see."""

from typing import Any

from tests.kit.rig import Withdrawal
from tests.kit.table import Table
from tests.rulesets.tactical_d20.setups import bomb, fighter, rifle, seated

Tree = dict[str, Any]


def do(kind: str, **more: object) -> Tree:
    """An action of a."""
    return {"type": kind, "combatant": "a", **more}


BINDING: list[Tree] = [
    do("attack", weapon="rifle", target="t"),
    do("attack_cell", weapon="rifle", cell={"x": 5, "y": 0}),
    do("area_attack", area="bomb", origin={"x": 5, "y": 0}),
    do("move", path=[{"x": 1, "y": 0}]),
]
FREE: list[Tree] = [
    do("drop_prone"),
    do("stand_up"),
    do("right_self"),
    do("end_turn"),
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
]


def battle() -> Table:
    """Red a and blue t, five cells apart; nobody has begun."""
    arms = {"weapons": [rifle()], "areas": [bomb()]}
    a, t = fighter("a", "red", 0, 0, **arms), fighter("t", "blue", 5, 0, **arms)
    return seated({"combatants": [a, t]})


WITHDRAWAL = Withdrawal(battle=battle, binding=tuple(BINDING), free=tuple(FREE))
