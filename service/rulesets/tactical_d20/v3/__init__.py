"""Version 3 of `tactical-d20`: what has waited for answers is judged again when it continues.

All else is version 2's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.state import BattleState
from service.rulesets.tactical_d20.v2 import RULESET as VERSION_2
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses
from service.rulesets.tactical_d20.v3.catalogue import CATALOGUE
from service.rulesets.tactical_d20.v3.rules.waiting import require_left_in_place

VERSION: Final = "3"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_2,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_2.create),
    readings=Readings(
        guess=cover_from_guesses,
        walker=require_left_in_place,
        is_judged_again=True,
    ),
    tells_stops=True,
    is_ahead=True,
)

__all__ = ["RULESET"]
