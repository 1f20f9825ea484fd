"""Version 3 of `melody-d6`: what waited is judged again, and detection comes before a guard's shot.

All else is version 2's.
"""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import created_as
from service.engine.ruleset.definition import Ruleset
from service.engine.ruleset.roll_places import Retelling
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2 import RULESET as VERSION_2
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on
from service.rulesets.melody_d6.v3.catalogue import CATALOGUE
from service.rulesets.melody_d6.v3.options import create, settled
from service.rulesets.melody_d6.v3.rules.guard import is_asked_up_to_the_shot
from service.rulesets.melody_d6.v3.rules.waiting import refusal_now

VERSION: Final = "3"

RULESET: Final[Ruleset[BattleState]] = replace(
    VERSION_2,
    version=VERSION,
    catalogue=CATALOGUE,
    create=created_as(VERSION, create),
    readings=Readings(
        mover=is_met_while_it_goes_on,
        before_shot=is_asked_up_to_the_shot,
        options=settled,
        judge=refusal_now,
    ),
    retelling=Retelling(
        held=("rolled.roll",),
        waiting=("check_resolved.roll", "rolled.roll"),
        questions=("reroll",),
    ),
    tells_stops=True,
)

__all__ = ["RULESET"]
