"""What the suites of `tests/kit` must know of version 3: what it has otherwise than version 2."""

from dataclasses import replace
from typing import Final

from service.engine.vocabulary import effects as fx
from service.rulesets import RULESETS
from service.rulesets.tactical_d20.v3 import effects as own
from service.rulesets.tactical_d20.v3.state import BattleState, Options
from tests.kit.rig import Rig
from tests.kit.table import GM
from tests.rulesets.tactical_d20.odds import ODDS
from tests.rulesets.tactical_d20.v2.rig import RIG as VERSION_2
from tests.rulesets.tactical_d20.v3.examples import EXAMPLES
from tests.rulesets.tactical_d20.v3.golden import GOLDEN

OPTIONS: Final = Options(fallen_give_cover=False)
CREATED: Final = own.EncounterCreated(
    ruleset="tactical-d20",
    version="3",
    dice=fx.DiceTerms(mode="supplied"),
    commitment="ab" * 32,
    seed="os",
    options=OPTIONS,
    sides=VERSION_2.reducer.rule.sides,
    creator=GM,
    reveal_by_days=1,
    gravity="zero",
)
BLANK: Final = BattleState(
    options=OPTIONS, gravity="zero", dice="supplied", sides=VERSION_2.reducer.rule.sides
)

RIG: Final[Rig] = replace(
    VERSION_2,
    ruleset=RULESETS["tactical-d20", "3"],
    examples=EXAMPLES,
    golden=GOLDEN,
    defaults={
        **VERSION_2.defaults,
        "Options": {
            **VERSION_2.defaults["Options"],
            "border_contact": "interior_only",
            "fallen_give_cover": True,
        },
    },
    unnamed_rules={
        **VERSION_2.unnamed_rules,
        "TD-WAIT-1": "definition: when what waited continues; `action_stopped` says why not",
        "TD-WAIT-3": "definition: what `pass_walk` means; the choice itself is shown",
    },
    wording=replace(
        VERSION_2.wording,
        rule_count=VERSION_2.wording.rule_count + 3,
        unsourced=(*VERSION_2.wording.unsourced, "TD-WAIT-1", "TD-WAIT-2", "TD-WAIT-3"),
    ),
    reducer=replace(VERSION_2.reducer, created=((CREATED, BLANK),)),
    odds=replace(ODDS, scenes={}),
)
