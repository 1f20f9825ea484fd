"""What the suites of `tests/kit` must know of this ruleset."""

from typing import Final

from tests.kit.rig import Rig
from tests.rulesets.tactical_d20.battles import BATTLES
from tests.rulesets.tactical_d20.defaults import DEFAULTS
from tests.rulesets.tactical_d20.examples import EXAMPLES
from tests.rulesets.tactical_d20.foresight import require_foreseen
from tests.rulesets.tactical_d20.golden import GOLDEN
from tests.rulesets.tactical_d20.odds import ODDS
from tests.rulesets.tactical_d20.reducer import REDUCER
from tests.rulesets.tactical_d20.scenarios import (
    BRAWL,
    DEEDS,
    UNSEEN_QUESTION,
    burst,
    canaries,
)
from tests.rulesets.tactical_d20.setups import RULESET, fighter
from tests.rulesets.tactical_d20.sheet_numbers import NUMBERS_OF_SHEETS
from tests.rulesets.tactical_d20.table_dice import TABLE_DICE
from tests.rulesets.tactical_d20.unnamed_rules import UNNAMED
from tests.rulesets.tactical_d20.withdrawal import WITHDRAWAL
from tests.rulesets.tactical_d20.wording import WORDING
from tests.rulesets.tactical_d20.worlds import HOSTILE, WORLDS

RIG: Final = Rig(
    ruleset=RULESET,
    examples=EXAMPLES,
    fighter=fighter,
    worlds=WORLDS,
    hostile=HOSTILE,
    brawl=BRAWL,
    side_roll=burst(),
    table_dice=TABLE_DICE,
    unseen_question=UNSEEN_QUESTION,
    canaries=canaries(),
    deeds=DEEDS,
    golden=GOLDEN,
    attacks=frozenset({"attack", "attack_cell"}),
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
