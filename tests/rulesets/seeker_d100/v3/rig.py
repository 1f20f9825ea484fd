"""What the suites of `tests/kit` must know of version 3: what it has otherwise than version 2."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import Rig
from tests.rulesets.seeker_d100.v2.rig import RIG as VERSION_2
from tests.rulesets.seeker_d100.v3.examples import EXAMPLES
from tests.rulesets.seeker_d100.v3.golden import GOLDEN

UNSOURCED: Final = VERSION_2.wording.unsourced
"""Those of version 2; the new rules stand behind SK-ORD-1 and before SK-STAND-2."""

RIG: Final[Rig] = replace(
    VERSION_2,
    ruleset=RULESETS["seeker-d100", "3"],
    examples=EXAMPLES,
    golden=GOLDEN,
    unnamed_rules={
        **VERSION_2.unnamed_rules,
        "SK-WAIT-1": "order of steps: when an attack that waited is judged; the rule that refuses "
        "it is named by `action_stopped`",
        "SK-WAIT-2": "order of steps: what is declared again, each under its own rule: "
        "SK-MOVE-4, SK-TURN-2",
        "SK-COVER-3": "definition: where the danger is; SK-COVER-1 is named by what comes of it",
    },
    wording=replace(
        VERSION_2.wording,
        rule_count=VERSION_2.wording.rule_count + 3,
        unsourced=(
            "SK-INIT-2",
            "SK-INIT-3",
            "SK-CHECK-3",
            "SK-CHECK-4",
            "SK-ORD-1",
            "SK-WAIT-1",
            "SK-WAIT-2",
            "SK-AIM-3",
            "SK-COVER-3",
            *UNSOURCED[UNSOURCED.index("SK-STAND-2") :],
        ),
    ),
)
