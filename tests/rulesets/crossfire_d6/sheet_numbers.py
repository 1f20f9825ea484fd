"""The numbers of a sheet that a table may hide, otherwise than they are in `battle`."""

from typing import Any

from msgspec import UNSET

from service.rulesets.crossfire_d6.state import (
    Hiding,
    RememberedStreak,
    Weapon,
)
from service.rulesets.crossfire_d6.terrain import Cell
from tests.kit.rig import SheetNumbers
from tests.kit.table import Table
from tests.rulesets.crossfire_d6.setups import fighter, in_progress, seated

RIFLE = Weapon(
    id="rifle", kind="ranged", attack_dice=4, damage_dice=2, range_increment_ft=60, ready=False
)
NUMBERS: dict[str, Any] = {
    "soak": 1,
    "speed_ft": 35,
    "agi_pool": 2,
    "int_pool": 3,
    "pin_resistance": 4,
    "melee_defence": 5,
    "ranged_defence": 6,
    "ignored_rules": ("CF-ALLY-1",),
    "weapons": (RIFLE,),
    "pin_count": 7,
    "previous_streak": RememberedStreak(origin=Cell(x=1, y=1), count=8),
    "hidden_from": (Hiding(combatant="a", offset=9),),
}
"""Every number of a sheet, and what holds numbers."""
NOTHING: dict[str, Any] = {
    "soak": 0,
    "speed_ft": 0,
    "agi_pool": 0,
    "int_pool": 0,
    "pin_resistance": 0,
    "melee_defence": 0,
    "ranged_defence": 0,
    "ignored_rules": (),
    "weapons": (),
    "pin_count": 0,
    "previous_streak": UNSET,
    "hidden_from": (),
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0),
        fighter("h", "blue", 8, 0, hidden=True),
    ]
    hidden = {"cells": [{"x": 2, "y": 2, "kind": "solid"}]}
    order = in_progress("h", "a", "t")
    setup = {"combatants": combatants, "battle": order, "hidden_terrain": hidden}
    return seated({**setup, "options": options})


NUMBERS_OF_SHEETS = SheetNumbers(battle=battle, changed=NUMBERS, blank=NOTHING)
