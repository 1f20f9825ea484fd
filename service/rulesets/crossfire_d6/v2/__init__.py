"""Version 2 of `crossfire-d6`: an action that waited for dice and stops says why.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.crossfire_d6 import RULESET as VERSION_1
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.v2.catalogue import CATALOGUE

VERSION: Final = "2"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    tells_stops=True,
)

__all__ = ["RULESET"]
