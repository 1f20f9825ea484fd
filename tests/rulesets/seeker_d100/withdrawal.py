"""What a player may not take back: what may ask or roll for somebody whom he does not see."""

from typing import Any

from tests.kit.rig import Withdrawal
from tests.kit.table import Table
from tests.rulesets.seeker_d100.setups import battle_of, do, fighter, seated, strike

Tree = dict[str, Any]

BINDING: list[Tree] = [
    strike(),
    do("called_shot", weapon="w_unarmed", target="t", part="head"),
    do("disarm", target="t", item="torch"),
    do("grapple", target="t"),
    do("break_free"),
]
DEEDS: list[Tree] = [
    do("aim"),
    do("dodge"),
    do("resist", weapon="w_unarmed"),
    do("release"),
    do("move", gait="jog", path=[{"x": 0, "y": 1}]),
    do("end_turn"),
]
FREE: list[Tree] = [
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
]


def battle(t: Tree | None = None, u: Tree | None = None, **options: object) -> Table:
    """Red a has the turn; blue t and u come after."""
    people = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 1, 0, **(t or {})),
        fighter("u", "blue", 2, 0, **(u or {})),
    ]
    setup = {"combatants": people, "battle": battle_of(*people), "options": options}
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    return table


WITHDRAWAL = Withdrawal(battle=battle, binding=tuple(BINDING), free=(*DEEDS, *FREE))
