"""What the suites of `tests/kit` must know of version 2: what it has otherwise than version 1."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import ExactOdds, Rig, Tree
from tests.rulesets.tactical_d20.odds import GUESS, ODDS, UNSEEN, scene
from tests.rulesets.tactical_d20.rig import RIG as VERSION_1
from tests.rulesets.tactical_d20.v2.examples import EXAMPLES
from tests.rulesets.tactical_d20.v2.golden import GOLDEN


def behind(grade: str) -> Tree:
    """An unseen t whose cover from a the game master has stated."""
    return {**UNSEEN, "cover_overrides": [{"versus": "a", "grade": grade}]}


RIG: Final[Rig] = replace(
    VERSION_1,
    ruleset=RULESETS["tactical-d20", "2"],
    examples=EXAMPLES,
    golden=GOLDEN,
    wording=replace(VERSION_1.wording, rule_count=VERSION_1.wording.rule_count + 1),
    odds=ExactOdds(
        usual=ODDS.usual,
        scenes={
            "a guess at somebody in total cover": scene(GUESS, {}, behind("total")),
            "a guess at somebody in improved cover": scene(GUESS, {}, behind("improved")),
        },
    ),
)
