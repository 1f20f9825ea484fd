"""What the suites of `tests/kit` must know of version 2: what it has otherwise than version 1."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import Rig
from tests.rulesets.squad_d100.odds import ODDS
from tests.rulesets.squad_d100.rig import RIG as VERSION_1
from tests.rulesets.squad_d100.v2.examples import EXAMPLES
from tests.rulesets.squad_d100.v2.golden import GOLDEN

ZONED: Final = "armour by the table"
"""The odds of one scene are counted; all are those of version 1, where the others are, too."""

RIG: Final[Rig] = replace(
    VERSION_1,
    ruleset=RULESETS["squad-d100", "2"],
    examples=EXAMPLES,
    golden=GOLDEN,
    odds=replace(ODDS, scenes={ZONED: ODDS.scenes[ZONED]}),
)
