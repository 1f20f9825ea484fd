"""What the suites of `tests/kit` must know of version 2: what it has otherwise than version 1."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import Rig
from tests.rulesets.crossfire_d6.odds import ODDS
from tests.rulesets.crossfire_d6.rig import RIG as VERSION_1
from tests.rulesets.crossfire_d6.v2.examples import EXAMPLES
from tests.rulesets.crossfire_d6.v2.golden import GOLDEN

COUNTED: Final = next(iter(ODDS.scenes))
"""The odds of one scene are counted; all are those of version 1, where the others are, too."""

RIG: Final[Rig] = replace(
    VERSION_1,
    ruleset=RULESETS["crossfire-d6", "2"],
    examples=EXAMPLES,
    golden=GOLDEN,
    odds=replace(ODDS, scenes={COUNTED: ODDS.scenes[COUNTED]}),
    unnamed_rules={
        **VERSION_1.unnamed_rules,
        "CF-WAIT-1": "definition: when what waits is judged; `action_stopped` names the rule that "
        "refuses it",
    },
    wording=replace(
        VERSION_1.wording,
        rule_count=VERSION_1.wording.rule_count + 1,
        unsourced=(*VERSION_1.wording.unsourced, "CF-WAIT-1"),
    ),
)
