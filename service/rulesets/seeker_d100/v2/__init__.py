"""Version 2 of `seeker-d100`: thrown weapons and arrows are avoided by a plain check of dodge.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.seeker_d100 import RULESET as VERSION_1
from service.rulesets.seeker_d100.consistency import contradictions_with
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.v2.catalogue import CATALOGUE
from service.rulesets.seeker_d100.v2.rules.dodge import READING, SK_DODGE_4

VERSION: Final = "2"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    readings=Readings(dodge=READING),
    contradictions=contradictions_with(SK_DODGE_4),
)

__all__ = ["RULESET"]
