"""Version 2 of `seeker-d100`: thrown weapons and arrows are avoided by a plain check of dodge.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.ruleset import Ruleset
from service.rulesets.seeker_d100 import RULESET as VERSION_1
from service.rulesets.seeker_d100.consistency import contradictions_with
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.v2.catalogue import CATALOGUE
from service.rulesets.seeker_d100.v2.decide import decide
from service.rulesets.seeker_d100.v2.preview import preview
from service.rulesets.seeker_d100.v2.rules.dodge import SK_DODGE_4
from service.rulesets.seeker_d100.v2.setup import VERSION, create

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=create,
    decide=decide,
    preview=preview,
    contradictions=contradictions_with(SK_DODGE_4),
)

__all__ = ["RULESET"]
