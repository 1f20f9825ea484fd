"""Version 2 of `melody-d6`: who is on its way no more is shot at where it stands.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.melody_d6 import RULESET as VERSION_1
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2.catalogue import CATALOGUE
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on

VERSION: Final = "2"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    readings=Readings(mover=is_met_while_it_goes_on),
)

__all__ = ["RULESET"]
