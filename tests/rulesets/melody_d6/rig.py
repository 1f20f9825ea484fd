"""What the suites of `tests/kit` must know of this ruleset."""

from typing import Final

from service.rulesets.melody_d6 import RULESET
from tests.kit.rig import Rig
from tests.rulesets.melody_d6.battles import BATTLES
from tests.rulesets.melody_d6.defaults import DEFAULTS
from tests.rulesets.melody_d6.examples import EXAMPLES
from tests.rulesets.melody_d6.foresight import require_foreseen
from tests.rulesets.melody_d6.golden import GOLDEN
from tests.rulesets.melody_d6.odds import ODDS
from tests.rulesets.melody_d6.reducer import REDUCER
from tests.rulesets.melody_d6.scenarios import BRAWL, DEEDS, shot_at_from_ambush
from tests.rulesets.melody_d6.setups import fighter
from tests.rulesets.melody_d6.sheet_numbers import NUMBERS_OF_SHEETS
from tests.rulesets.melody_d6.table_dice import TABLE_DICE
from tests.rulesets.melody_d6.unnamed_rules import UNNAMED
from tests.rulesets.melody_d6.withdrawal import WITHDRAWAL
from tests.rulesets.melody_d6.wording import WORDING
from tests.rulesets.melody_d6.worlds import ATTACKS, WORLDS

RIG: Final = Rig(
    ruleset=RULESET,
    examples=EXAMPLES,
    fighter=fighter,
    worlds=WORLDS,
    hostile=None,
    brawl=BRAWL,
    side_roll=shot_at_from_ambush(),
    table_dice=TABLE_DICE,
    unseen_question=None,
    canaries=None,
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
