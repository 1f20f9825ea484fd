"""What the suites of `tests/kit` must know of this ruleset."""

from typing import Final

from service.rulesets.squad_d100 import RULESET
from tests.kit.rig import Rig
from tests.rulesets.squad_d100.battles import BATTLES
from tests.rulesets.squad_d100.defaults import DEFAULTS
from tests.rulesets.squad_d100.examples import EXAMPLES
from tests.rulesets.squad_d100.foresight import require_foreseen
from tests.rulesets.squad_d100.golden import GOLDEN
from tests.rulesets.squad_d100.odds import ODDS
from tests.rulesets.squad_d100.reducer import REDUCER
from tests.rulesets.squad_d100.scenarios import (
    BRAWL,
    DEEDS,
    UNSEEN_QUESTION,
    canaries,
    seen_walking,
)
from tests.rulesets.squad_d100.setups import fighter
from tests.rulesets.squad_d100.sheet_numbers import NUMBERS_OF_SHEETS
from tests.rulesets.squad_d100.table_dice import TABLE_DICE
from tests.rulesets.squad_d100.unnamed_rules import UNNAMED
from tests.rulesets.squad_d100.withdrawal import WITHDRAWAL
from tests.rulesets.squad_d100.wording import WORDING
from tests.rulesets.squad_d100.worlds import ATTACKS, HOSTILE, WORLDS

RIG: Final = Rig(
    ruleset=RULESET,
    examples=EXAMPLES,
    fighter=fighter,
    worlds=WORLDS,
    hostile=HOSTILE,
    brawl=BRAWL,
    side_roll=seen_walking(),
    table_dice=TABLE_DICE,
    unseen_question=UNSEEN_QUESTION,
    canaries=canaries(),
    deeds=DEEDS,
    golden=GOLDEN,
    attacks=ATTACKS,
    battles=BATTLES,
    odds=ODDS,
    require_foreseen=require_foreseen,
    unnamed_rules=UNNAMED,
    wording=WORDING,
    defaults=DEFAULTS,
    withdrawal=WITHDRAWAL,
    reducer=REDUCER,
    numbers=NUMBERS_OF_SHEETS,
)
