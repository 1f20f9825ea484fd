"""What a player may not take back: what may roll or ask for somebody whom he does not see."""

from typing import Any, Final

from tests.kit.rig import Withdrawal
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import FREE, fighter, seated

Tree = dict[str, Any]
HERE: Final = {"x": 1, "y": 0}


def do(kind: str, **more: object) -> Tree:
    """An action of a."""
    return {"type": kind, "combatant": "a", **more}


BINDING: Final[tuple[Tree, ...]] = (
    do("move", path=[HERE]),
    do("toggle_door", cell=HERE),
    do("pick_up"),
    do("aimed_shot", weapon="rifle", target="t"),
    do("snap_shots", weapon="rifle", targets=[{"target": "t"}] * 2),
    do("burst", weapon="rifle", target="t"),
    do("suppress", weapon="rifle", target="t"),
    do("throw_grenade", grenade="bomb", cell=HERE),
    do("melee_attack", target="t"),
)
FREE_DEEDS: Final[tuple[Tree, ...]] = (
    do("kneel"),
    do("stand"),
    do("sprint"),
    do("end_movement"),
    do("reload", weapon="rifle"),
    do("end_turn"),
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
)


def battle() -> Table:
    """Red a and blue t, five cells apart; nobody has begun."""
    people = [fighter("a", "red", 0, 0), fighter("t", "blue", 5, 0)]
    return seated({"map": {"text": FREE}, "combatants": people})


WITHDRAWAL: Final = Withdrawal(battle=battle, binding=BINDING, free=FREE_DEEDS)
