"""A shot of Ann's whose dice the table rolls."""

from typing import Any, Final

from tests.kit.rig import TableDice
from tests.kit.table import Table
from tests.rulesets.melody_d6.setups import Tree, battle_of, fighter, in_progress, seated

SHOT: Final[Tree] = {"type": "shoot", "combatant": "a", "weapon": "rifle", "target": "t"}


def setup(options: Tree, **sheet: Any) -> Tree:
    """Ann's a and Bob's t, who may have another sheet; no activation is open."""
    people = [fighter("a", "red", 0, 0), fighter("t", "blue", 6, 0, **sheet)]
    return battle_of(people, battle=in_progress(), options=options)


def battle(options: Tree | None = None, **sheet: Any) -> Table:
    """That battle, started; the table rolls."""
    table = seated(setup(options or {}, **sheet), dice="supplied")
    table.ask({"type": "start_encounter"})
    return table


TABLE_DICE: Final = TableDice(
    setup=setup,
    deeds=(
        ("ann", lambda table: {"type": "activate_unit", "unit": "a"}),
        ("ann", lambda table: {"type": "end_movement", "unit": "a"}),
        ("ann", lambda table: SHOT),
    ),
    roll={"purpose": "attack", "count": 1, "sides": 6},
    asks={"seat": "ann"},
    faces=(2,),
    purposes=(
        *("initiative", "song", "dampening", "mistake", "template", "resistance"),
        *("attack", "defence", "wound", "save", "mobility", "panic", "rally", "detection"),
    ),
)
