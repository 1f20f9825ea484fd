"""Version 2 of `squad-d100`: the suppressed are judged as the catalogue says in three odd cases.

They are the arc of a suppressor who walks past a hidden watcher, reaction shots into the arc of
somebody unknown, and the duty of whoever stands in a wall. All else is version 1's.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset import Ruleset
from service.rulesets.squad_d100 import RULESET as VERSION_1
from service.rulesets.squad_d100.decide import decide_by
from service.rulesets.squad_d100.inspections import inspections_by
from service.rulesets.squad_d100.legal import legal_by
from service.rulesets.squad_d100.preview import preview_by
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.catalogue import CATALOGUE
from service.rulesets.squad_d100.v2.rules.suppression import READING

VERSION: Final = "2"

decide: Final = partial(decide_by, READING)

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    decide=decide,
    preview=partial(preview_by, READING, decide),
    legal_actions=partial(legal_by, READING),
    inspections=inspections_by(READING),
)

__all__ = ["RULESET"]
