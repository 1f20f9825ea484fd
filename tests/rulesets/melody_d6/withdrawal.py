"""What a player may not take back: what may roll or ask, of whomever."""

from typing import Any, Final

from tests.kit.rig import Withdrawal
from tests.kit.table import Table
from tests.rulesets.melody_d6.setups import at, battle_of, fighter, in_progress, seated

Tree = dict[str, Any]


def do(kind: str, **more: object) -> Tree:
    """An action of a."""
    return {"type": kind, "combatant": "a", **more}


BINDING: Final[tuple[Tree, ...]] = (
    do("move", path=[at(1, 0)]),
    do("charge", target="t", path=[at(4, 0)]),
    do("unmask"),
    {"type": "mask", "combatants": ["a"]},
    {"type": "end_movement", "unit": "a"},
    do("shoot", target="t", weapon="rifle"),
    do("fight", target="t"),
    do("sing", melody="ember_march", point=at(1, 1)),
    {"type": "end_turn", "side": "red"},
    do("dampen_lasting", song="s2"),
    do("guard_shoot", target="t", weapon="rifle"),
    {"type": "answer", "decision_id": "d1.1", "choice": {"type": "pass"}},
)
FREE_DEEDS: Final[tuple[Tree, ...]] = (
    {"type": "activate_unit", "unit": "a"},
    do("guard"),
    {"type": "end_activation", "unit": "a"},
    do("stop_melody"),
)


def battle() -> Table:
    """Red a and blue t, five steps apart; nobody has begun."""
    people = [fighter("a", "red", 0, 0), fighter("t", "blue", 5, 0)]
    return seated(battle_of(people, battle=in_progress("a")))


WITHDRAWAL: Final = Withdrawal(battle=battle, binding=BINDING, free=FREE_DEEDS)
