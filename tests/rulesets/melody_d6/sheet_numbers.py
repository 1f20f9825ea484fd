"""The numbers of a sheet that a table may hide, otherwise than they are in `battle`."""

from typing import Any

from msgspec import UNSET

from tests.kit.rig import SheetNumbers
from tests.kit.table import Table
from tests.rulesets.melody_d6.setups import battle_of, fighter, in_progress, seated

NUMBERS: dict[str, Any] = {
    "mobility": 5,
    "move": 7000,
    "accuracy": 6,
    "melee": 7,
    "toughness": 8,
    "armour": 3,
    "courage": 9,
    "sight": 30_000,
}
"""Every number of a sheet."""
NOTHING: dict[str, Any] = {
    "mobility": 4,
    "move": 6000,
    "accuracy": 4,
    "melee": 3,
    "toughness": 3,
    "armour": UNSET,
    "courage": 7,
    "sight": 24_000,
}
"""What they read for those from whom they are hidden: the defaults of a warrior."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    people = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0, **{**NOTHING, "armour": 2, "mobility": 3}),
        fighter("h", "blue", 8, 0, hidden=True),
    ]
    return seated(battle_of(people, battle=in_progress("a"), options=options))


NUMBERS_OF_SHEETS = SheetNumbers(battle=battle, changed=NUMBERS, blank=NOTHING)
