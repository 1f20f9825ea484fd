"""Version 3 of `seeker-d100`: an attack that waited for answers is judged again when it continues.

All else is version 2's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.v2 import RULESET as VERSION_2
from service.rulesets.seeker_d100.v2.rules.dodge import READING as PLAIN_DODGES
from service.rulesets.seeker_d100.v3.catalogue import CATALOGUE
from service.rulesets.seeker_d100.v3.rules.wait import JUDGED_AGAIN

VERSION: Final = "3"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_2,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_2.create),
    readings=Readings(dodge=PLAIN_DODGES, waiting=JUDGED_AGAIN),
    tells_stops=True,
)

__all__ = ["RULESET"]
