"""A shot of Ann's whose dice the table rolls."""

from typing import Any, Final

from tests.kit.rig import TableDice
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import FREE, Tree, fighter, in_progress, seated

SHOT: Final[Tree] = {"type": "aimed_shot", "combatant": "a", "weapon": "rifle", "target": "t"}


def setup(options: Tree, **sheet: Any) -> Tree:
    """Ann's a and Bob's t, who may have another sheet."""
    people = [fighter("a", "red", 0, 0), fighter("t", "blue", 4, 0, **sheet)]
    battle = in_progress("a", "t")
    return {"map": {"text": FREE}, "combatants": people, "battle": battle, "options": options}


def battle(options: Tree | None = None, **sheet: Any) -> Table:
    """That battle, started; the table rolls."""
    table = seated(setup(options or {}, **sheet), dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


TABLE_DICE: Final = TableDice(
    setup=setup,
    deeds=(("ann", lambda table: SHOT),),
    roll={"purpose": "attack", "count": 1, "sides": 100},
    asks={"seat": "ann"},
    faces=(99,),
    purposes=(
        *("attack", "suppression", "throw", "scatter"),
        *("damage", "explosion", "vigilance"),
    ),
)
