"""What the suites of `tests/kit` must know of this ruleset."""

from typing import Final

from tests.kit.rig import Rig
from tests.rulesets.crossfire_d6.battles import BATTLES
from tests.rulesets.crossfire_d6.defaults import DEFAULTS
from tests.rulesets.crossfire_d6.examples import EXAMPLES
from tests.rulesets.crossfire_d6.foresight import require_foreseen
from tests.rulesets.crossfire_d6.golden import GOLDEN
from tests.rulesets.crossfire_d6.odds import ODDS
from tests.rulesets.crossfire_d6.reducer import REDUCER
from tests.rulesets.crossfire_d6.scenarios import BRAWL, DEEDS, UNSEEN_QUESTION, canaries, hunt
from tests.rulesets.crossfire_d6.setups import RULESET, fighter
from tests.rulesets.crossfire_d6.sheet_numbers import NUMBERS_OF_SHEETS
from tests.rulesets.crossfire_d6.table_dice import TABLE_DICE
from tests.rulesets.crossfire_d6.unnamed_rules import UNNAMED
from tests.rulesets.crossfire_d6.withdrawal import WITHDRAWAL
from tests.rulesets.crossfire_d6.wording import WORDING
from tests.rulesets.crossfire_d6.worlds import HOSTILE, WORLDS

RIG: Final = Rig(
    ruleset=RULESET,
    examples=EXAMPLES,
    fighter=fighter,
    worlds=WORLDS,
    hostile=HOSTILE,
    brawl=BRAWL,
    side_roll=hunt(),
    table_dice=TABLE_DICE,
    unseen_question=UNSEEN_QUESTION,
    canaries=canaries(),
    deeds=DEEDS,
    golden=GOLDEN,
    attacks=frozenset({"ranged_attack", "melee_attack"}),
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
