"""Version 3 of `tactical-d20`: what has waited for answers is judged again when it continues.

Lines that run along a wall pass by it unless the table wishes otherwise, and the unconscious are no
cover where it wishes so. All else is version 2's.
"""

from dataclasses import replace
from typing import Final

from service.engine.ruleset.definition import Ruleset
from service.rulesets.tactical_d20 import state as before
from service.rulesets.tactical_d20.luck import SAVES, SUCCESSES
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.v2 import RULESET as VERSION_2
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses
from service.rulesets.tactical_d20.v3.action_table import ACTIONS, decide
from service.rulesets.tactical_d20.v3.actions import AnyAction
from service.rulesets.tactical_d20.v3.catalogue import CATALOGUE
from service.rulesets.tactical_d20.v3.effects import EncounterCreated, Event, OptionsSet
from service.rulesets.tactical_d20.v3.preview import preview
from service.rulesets.tactical_d20.v3.rules.waiting import require_left_in_place
from service.rulesets.tactical_d20.v3.setup import VERSION, Setup, create, initial
from service.rulesets.tactical_d20.v3.state import BattleState

RULESET: Final[Ruleset[before.BattleState]] = replace(
    VERSION_2,
    version=VERSION,
    catalogue=CATALOGUE,
    setup=Setup,
    action=AnyAction,
    event=Event,
    state=BattleState,
    create=create,
    initial=initial,
    decide=decide,
    preview=preview,
    binds=ACTIONS.binds,
    frees=ACTIONS.frees,
    luck=ACTIONS.luck(SUCCESSES, beside=SAVES),
    readings=Readings(
        guess=cover_from_guesses,
        walker=require_left_in_place,
        created=EncounterCreated,
        options_set=OptionsSet,
        is_walk_passed=True,
        is_judged_again=True,
    ),
    tells_stops=True,
)

__all__ = ["RULESET"]
