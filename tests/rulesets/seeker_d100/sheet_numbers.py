"""The numbers of a sheet that a table may hide, otherwise than they are in `battle`."""

from typing import Any

from service.rulesets.seeker_d100.rules.words import DamageDice
from service.rulesets.seeker_d100.state import Skills
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon
from tests.kit.rig import SheetNumbers
from tests.kit.table import Table
from tests.rulesets.seeker_d100.setups import battle_of, fighter, seated, wall

GUN = Weapon(id="gun", skill="ranged", damage=DamageDice(sides=4), ammo=3)
NUMBERS: dict[str, Any] = {
    "strength": 41,
    "dexterity": 42,
    "skills": Skills(dodge=43),
    "body_armour": BodyArmour(value=7),
    "weapons": (GUN,),
}
"""Every number of a sheet, and what holds numbers."""
NOTHING: dict[str, Any] = {
    "strength": 0,
    "dexterity": 0,
    "skills": Skills(),
    "body_armour": BodyArmour(value=0),
    "weapons": (),
}
"""What they read for those from whom they are hidden."""


def battle(**options: str) -> Table:
    """Red a, blue t whose numbers are to be hidden, and blue h whom only his side knows."""
    combatants = [
        fighter("h", "blue", 8, 0, hidden=True),
        fighter("a", "red", 0, 0),
        fighter("t", "blue", 4, 0, body_armour={"value": 1}),
    ]
    ground = {key: value for key, value in wall(2).items() if key != "id"}
    hidden = [{"feature": "secret", "terrain": ground}]
    setup = {"combatants": combatants, "battle": battle_of(*combatants), "hidden_cover": hidden}
    return seated({**setup, "options": options})


NUMBERS_OF_SHEETS = SheetNumbers(battle=battle, changed=NUMBERS, blank=NOTHING)
