"""Version 2 of `squad-d100`: the suppressed are judged as the catalogue says in three odd cases.

They are the arc of a suppressor who walks past a hidden watcher, reaction shots into the arc of
somebody unknown, and the duty of whoever stands in a wall. All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.ruleset import Ruleset
from service.rulesets.squad_d100 import RULESET as VERSION_1
from service.rulesets.squad_d100.inspections import inspections_by
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.catalogue import CATALOGUE
from service.rulesets.squad_d100.v2.decide import decide
from service.rulesets.squad_d100.v2.legal import legal_actions
from service.rulesets.squad_d100.v2.preview import preview
from service.rulesets.squad_d100.v2.rules.suppression import READING
from service.rulesets.squad_d100.v2.setup import VERSION, create

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=create,
    decide=decide,
    preview=preview,
    legal_actions=legal_actions,
    inspections=inspections_by(READING),
)

__all__ = ["RULESET"]
