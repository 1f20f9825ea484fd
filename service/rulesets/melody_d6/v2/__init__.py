"""Version 2 of `melody-d6`: who is on its way no more is shot at where it stands.

All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.ruleset import Ruleset
from service.rulesets.melody_d6 import RULESET as VERSION_1
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2.catalogue import CATALOGUE
from service.rulesets.melody_d6.v2.decide import decide
from service.rulesets.melody_d6.v2.legal import legal_of_side
from service.rulesets.melody_d6.v2.preview import preview
from service.rulesets.melody_d6.v2.setup import VERSION, create

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=create,
    decide=decide,
    preview=preview,
    legal_of_side=legal_of_side,
)

__all__ = ["RULESET"]
