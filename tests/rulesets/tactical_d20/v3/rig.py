"""What the suites of `tests/kit` must know of version 3: what it has otherwise than version 2."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import Rig
from tests.rulesets.tactical_d20.odds import ODDS
from tests.rulesets.tactical_d20.v2.rig import RIG as VERSION_2
from tests.rulesets.tactical_d20.v3.examples import EXAMPLES

RIG: Final[Rig] = replace(
    VERSION_2,
    ruleset=RULESETS["tactical-d20", "3"],
    examples=EXAMPLES,
    golden={},
    unnamed_rules={
        **VERSION_2.unnamed_rules,
        "TD-WAIT-1": "definition: when what waited continues; `action_stopped` says why not",
    },
    wording=replace(
        VERSION_2.wording,
        rule_count=VERSION_2.wording.rule_count + 2,
        unsourced=(*VERSION_2.wording.unsourced, "TD-WAIT-1", "TD-WAIT-2"),
    ),
    odds=replace(ODDS, scenes={}),
)
