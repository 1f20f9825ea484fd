"""A shot of Ann's whose dice the table rolls."""

from typing import Any, Final

from tests.kit.rig import TableDice
from tests.kit.table import Table
from tests.rulesets.tactical_d20.setups import Tree, blade, fighter, in_progress, rifle, seated

SHOT: Final[Tree] = {"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}


def setup(options: Tree, **sheet: Any) -> Tree:
    """Ann's a and Bob's t, who may have another sheet."""
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle(), blade()]),
        fighter("t", "blue", 4, 0, weapons=[rifle(), blade()], **sheet),
    ]
    return {"combatants": people, "battle": in_progress("a", "t"), "options": options}


def battle(options: Tree | None = None, **sheet: Any) -> Table:
    """That battle, started; the table rolls."""
    table = seated(setup(options or {}, **sheet), dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


TABLE_DICE: Final = TableDice(
    setup=setup,
    deeds=(("ann", lambda table: SHOT),),
    roll={"purpose": "attack", "count": 1, "sides": 20},
    asks={"seat": "ann"},
    faces=(1,),
    purposes=("initiative", "attack", "miss_chance", "damage", "reflex"),
)
