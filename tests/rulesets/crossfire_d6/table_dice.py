"""A shot of Ann's whose dice the table rolls."""

from typing import Any, Final

from tests.kit.rig import TableDice, Tree
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle, seated

SHOT: Final[Tree] = {
    "type": "ranged_attack",
    "combatant": "a",
    "weapon": "rifle",
    "target": "t",
}


def setup(options: Tree, *, pinned: int = 0) -> Tree:
    """Ann's a and Bob's t, who may be pinned down by him."""
    sheet: Tree = {"ranged_defence": 7, "agi_pool": 2, "weapons": [rifle()], "pin_count": pinned}
    people = [
        fighter("a", "red", 0, 0, weapons=[rifle(attack_dice=2), blade()], int_pool=3),
        fighter("t", "blue", 4, 0, **sheet),
    ]
    return {"combatants": people, "battle": in_progress("a", "t"), "options": options}


def battle(pinned: int = 0, **options: Any) -> Table:
    """That battle, started; the table rolls."""
    table = seated(setup(options, pinned=pinned), dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


TABLE_DICE: Final = TableDice(
    setup=setup,
    deeds=(("ann", lambda table: SHOT),),
    roll={"purpose": "attack", "count": 2, "sides": 6},
    asks={"seat": "ann"},
    faces=(1, 1),
    purposes=("initiative", "attack", "damage", "hide"),
)
