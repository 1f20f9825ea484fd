"""What the suites of `tests/kit` must know of version 3: what it has otherwise than version 2."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from service.rulesets.melody_d6.v3.catalogue import STOPS
from tests.kit.rig import Rig
from tests.rulesets.melody_d6.v2.rig import RIG as VERSION_2
from tests.rulesets.melody_d6.v3.examples import EXAMPLES
from tests.rulesets.melody_d6.v3.golden import GOLDEN

UNNAMED: Final = "definition: when detection is asked in a window; ML-MASK-9 names it"

WORDING: Final = VERSION_2.wording

RIG: Final[Rig] = replace(
    VERSION_2,
    ruleset=RULESETS["melody-d6", "3"],
    examples=EXAMPLES,
    golden=GOLDEN,
    unnamed_rules={
        **{rule: why for rule, why in VERSION_2.unnamed_rules.items() if rule != "ML-SING-11"},
        "ML-GUARD-14": UNNAMED,
    },
    wording=replace(
        WORDING,
        rule_count=WORDING.rule_count + 2,
        words=WORDING.words | {term.id for term in STOPS},
        unsourced=tuple(
            each
            for rule in WORDING.unsourced
            for each in (("ML-WAIT-1", rule) if rule == "ML-SHOOT-1" else (rule,))
        ),
    ),
)
