"""Version 2 of `squad-d100`: the suppressed are judged as the catalogue says in three odd cases.

They are the arc of a suppressor who walks past a hidden watcher, reaction shots into the arc of
somebody unknown, and the duty of whoever stands in a wall. All else is version 1's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.rulesets.squad_d100 import RULESET as VERSION_1
from service.rulesets.squad_d100.readings import Readings
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.catalogue import CATALOGUE

VERSION: Final = "2"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_1,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, VERSION_1.create),
    readings=Readings(is_walker_followed=True, is_reaction_wasted=True, is_wall_left=True),
)

__all__ = ["RULESET"]
