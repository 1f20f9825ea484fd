"""Version 2 of `tactical-d20`: no guess at a cell hits whoever is in total cover by ruling.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.ruleset import Ruleset
from service.rulesets.tactical_d20 import RULESET as VERSION_1
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v2.catalogue import CATALOGUE
from service.rulesets.tactical_d20.v2.decide import decide
from service.rulesets.tactical_d20.v2.preview import preview
from service.rulesets.tactical_d20.v2.setup import VERSION, create

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=create,
    decide=decide,
    preview=preview,
)

__all__ = ["RULESET"]
