"""The numbers of a sheet that a table may hide, otherwise than they are in `battle`."""

from typing import Any

from msgspec import UNSET

from service.rulesets.squad_d100.weapons import DamageDice, Grenade, Weapon
from tests.kit.rig import SheetNumbers
from tests.kit.table import Table
from tests.rulesets.squad_d100.setups import FREE, fighter, in_progress, seated

DAMAGE = DamageDice(count=3, sides=4, bonus=5)
GUN = Weapon(
    id="gun",
    kind="pistol",
    automatic=True,
    ap_class=7,
    damage=DAMAGE,
    magazine=9,
    rounds=4,
    burning=True,
)
FLASK = Grenade(id="flask", damage=DAMAGE, ap_class=3, radius=2, burning=True, count=5)
NUMBERS: dict[str, Any] = {
    "strength": 51,
    "agility": 52,
    "accuracy": 53,
    "endurance": 54,
    "armour_class": 5,
    "melee_ap": 6,
    "heavy_wounds": 1,
    "light_wounds": 2,
    "weapons": (GUN,),
    "grenades": (FLASK,),
    "mp_left": 17,
}
"""Every number of a sheet, and what holds numbers."""
NOTHING: dict[str, Any] = {
    "strength": 0,
    "agility": 0,
    "accuracy": 0,
    "endurance": 0,
    "armour_class": 0,
    "melee_ap": 0,
    "heavy_wounds": 0,
    "light_wounds": 0,
    "weapons": (),
    "grenades": (),
    "mp_left": UNSET,
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0),
        fighter("h", "blue", 8, 0, hidden=True),
    ]
    order = in_progress("h", "a", "t")
    setup = {"map": {"text": FREE}, "combatants": combatants, "battle": order}
    return seated({**setup, "options": options})


NUMBERS_OF_SHEETS = SheetNumbers(battle=battle, changed=NUMBERS, blank=NOTHING)
