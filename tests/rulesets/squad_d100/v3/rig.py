"""What the suites of `tests/kit` must know of version 3: what it has otherwise than version 2."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import Rig
from tests.rulesets.squad_d100.v2.rig import RIG as VERSION_2
from tests.rulesets.squad_d100.v3.examples import EXAMPLES
from tests.rulesets.squad_d100.v3.golden import GOLDEN

RIG: Final[Rig] = replace(
    VERSION_2,
    ruleset=RULESETS["squad-d100", "3"],
    examples=EXAMPLES,
    golden=GOLDEN,
    unnamed_rules={
        **VERSION_2.unnamed_rules,
        "SQ-WAIT-1": "definition: when what waits is judged; `action_stopped` names the rule that "
        "refuses it",
    },
    wording=replace(
        VERSION_2.wording,
        rule_count=VERSION_2.wording.rule_count + 1,
        unsourced=(*VERSION_2.wording.unsourced, "SQ-WAIT-1"),
    ),
)
