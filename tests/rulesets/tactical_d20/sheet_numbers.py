"""The numbers of a sheet that a table may hide, otherwise than they are in `battle`."""

from typing import Any

from service.rulesets.tactical_d20.state import (
    ArmourClass,
    ConcealmentOverride,
    CoverOverride,
)
from service.rulesets.tactical_d20.weapons import Area, DamageDice, Weapon
from tests.kit.rig import SheetNumbers
from tests.kit.table import Table
from tests.rulesets.tactical_d20.setups import fighter, in_progress, seated

DAMAGE = DamageDice(count=3, sides=4, bonus=5)
GUN = Weapon(
    id="gun",
    kind="ranged",
    attack_bonus=11,
    targets="eac",
    damage=DAMAGE,
    range_increment_ft=35,
    max_increments=4,
)
CLOUD = Area(id="cloud", radius_ft=25, dc=19, damage=DAMAGE, spread=True)
NUMBERS: dict[str, Any] = {
    "reach_ft": 15,
    "ac": ArmourClass(eac=21, kac=22),
    "reflex": 3,
    "initiative": 4,
    "speed_ft": 35,
    "senses": ("darkvision",),
    "blur_pct": 30,
    "weapons": (GUN,),
    "areas": (CLOUD,),
    "cover_overrides": (CoverOverride(versus="a", grade="improved"),),
    "concealment_overrides": (ConcealmentOverride(versus="a", percent=60),),
}
"""Every number of a sheet, and what holds numbers."""
NOTHING: dict[str, Any] = {
    "reach_ft": 0,
    "ac": ArmourClass(eac=0, kac=0),
    "reflex": 0,
    "initiative": 0,
    "speed_ft": 0,
    "senses": (),
    "blur_pct": 0,
    "weapons": (),
    "areas": (),
    "cover_overrides": (),
    "concealment_overrides": (),
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0),
        fighter("h", "blue", 8, 0, hidden=True),
    ]
    hidden = {"cells": [{"x": 2, "y": 2, "wall": True}]}
    order = in_progress("h", "a", "t")
    setup = {"combatants": combatants, "battle": order, "hidden_terrain": hidden}
    return seated({**setup, "options": options})


NUMBERS_OF_SHEETS = SheetNumbers(battle=battle, changed=NUMBERS, blank=NOTHING)
