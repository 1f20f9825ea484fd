"""What the suites of `tests/kit` must know of version 2: what it has otherwise than version 1."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import ExactOdds, Rig
from tests.rulesets.melody_d6.rig import RIG as VERSION_1
from tests.rulesets.melody_d6.v2.examples import EXAMPLES
from tests.rulesets.melody_d6.v2.golden import GOLDEN

UNNAMED: Final = "definition: whom a shot meets on its way; told as a move that is lacking"

RIG: Final[Rig] = replace(
    VERSION_1,
    ruleset=RULESETS["melody-d6", "2"],
    examples=EXAMPLES,
    golden=GOLDEN,
    odds=ExactOdds(usual=VERSION_1.odds.usual, scenes={}),
    unnamed_rules={**VERSION_1.unnamed_rules, "ML-GUARD-13": UNNAMED},
    wording=replace(VERSION_1.wording, rule_count=VERSION_1.wording.rule_count + 1),
)
