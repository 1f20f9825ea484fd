"""Version 2 of `tactical-d20`: no guess at a cell hits whoever is in total cover by ruling.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.tactical_d20 import RULESET as VERSION_1
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v2.catalogue import CATALOGUE
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses

VERSION: Final = "2"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    readings=Readings(guess=cover_from_guesses),
)

__all__ = ["RULESET"]
