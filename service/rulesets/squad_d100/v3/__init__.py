"""Version 3 of `squad-d100`: an action that waited for dice and stops says why.

All else is version 2's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2 import RULESET as VERSION_2
from service.rulesets.squad_d100.v3.catalogue import CATALOGUE

VERSION: Final = "3"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_2,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_2.create),
    tells_stops=True,
)

__all__ = ["RULESET"]
