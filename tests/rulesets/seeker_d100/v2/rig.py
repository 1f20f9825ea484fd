"""What the suites of `tests/kit` must know of version 2: what it has otherwise than version 1."""

from dataclasses import replace
from typing import Final

from service.rulesets import RULESETS
from tests.kit.rig import ExactOdds, Rig, Tree
from tests.rulesets.seeker_d100.odds import AT_5, ODDS, duel, scene
from tests.rulesets.seeker_d100.rig import RIG as VERSION_1
from tests.rulesets.seeker_d100.setups import strike
from tests.rulesets.seeker_d100.v2.examples import EXAMPLES
from tests.rulesets.seeker_d100.v2.golden import GOLDEN

BOW: Final[Tree] = {"id": "bow", "skill": "ranged", "delivery": "arrow", "damage": {"sides": 6}}
ARCHER: Final[Tree] = {"weapons": [BOW], "skills": {"ranged": 70}}
DODGE: Final[Tree] = {"type": "dodge"}


def standing(natural: int, level: int) -> Tree:
    """A dodge of t's that was rolled before."""
    roll = {"kind": "dodge", "natural": natural, "level": level}
    return duel(ARCHER, {"standing_roll": roll, "actions_left": 0, **AT_5})


RIG: Final[Rig] = replace(
    VERSION_1,
    ruleset=RULESETS["seeker-d100", "2"],
    examples=EXAMPLES,
    golden=GOLDEN,
    wording=replace(VERSION_1.wording, rule_count=VERSION_1.wording.rule_count + 1),
    odds=ExactOdds(
        usual=ODDS.usual,
        scenes={
            "an arrow dodged": scene(
                strike("bow"), duel(ARCHER, {"skills": {"dodge": 33}, **AT_5}), DODGE
            ),
            "an arrow at a dodge that stands": scene(strike("bow"), standing(2, 2)),
            "an arrow at a dodge that failed": scene(strike("bow"), standing(90, 1)),
        },
    ),
)
