"""A blow of Ann's whose dice the table rolls."""

from typing import Any, Final

from tests.kit.rig import TableDice
from tests.kit.table import Table
from tests.rulesets.seeker_d100.setups import Tree, battle_of, fighter, reply, seated, weapon

BLOW: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "w_machete", "target": "t"}


def setup(options: Tree) -> Tree:
    """Ann's a next to Bob's t."""
    arms = [weapon("w_machete")]
    people = [fighter("a", "red", 0, 0, weapons=arms), fighter("t", "blue", 1, 0, weapons=arms)]
    return {"combatants": people, "battle": battle_of(*people), "options": options}


def battle(options: Tree | None = None, **parts: Any) -> Table:
    """That battle, started, with other parts of the setup; the table rolls."""
    table = seated({**setup(options or {}), **parts}, dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


TABLE_DICE: Final = TableDice(
    setup=setup,
    deeds=(
        ("ann", lambda table: BLOW),
        ("bob", lambda table: reply(table, "t", {"type": "pass"})),
    ),
    roll={"purpose": "attack", "count": 1, "sides": 100},
    asks={"side": "red"},
    faces=(99,),
    asked_again=("t",),
    purposes=(
        *("card", "attack", "dodge", "resist", "take_cover"),
        *("lethality", "damage", "digits", "break_free", "movement"),
    ),
)
