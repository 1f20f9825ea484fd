"""What counts as luck: attacks that hit, and saves of others against area effects that fail."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from service.engine.kit.outcomes import AREA, first_attack, odds_of_deed, of_type
from service.engine.ruleset.definition import Ending, Fact, Luck, Odds, Preview, RollsBeside
from service.rulesets.tactical_d20.previews.facts import Foreseen


def save_odds(preview: Preview) -> Mapping[str, tuple[Odds, ...]]:
    """The odds of the save of each whom an area effect reaches."""
    victims: Any = preview.facts.get("victims", ())
    foreseen = msgspec.convert(victims, tuple[Foreseen, ...])
    return {victim.target: victim.odds for victim in foreseen}


def save_endings(effects: Sequence[Fact]) -> Mapping[str, Ending]:
    """How the save of each ended."""
    return {
        str(victim["target"]): Ending(str(victim["outcome"]), "reflex", (victim,))
        for area in of_type(effects, AREA)
        for victim in area.get("victims", ())
    }


LUCK: Final = Luck(
    odds=odds_of_deed,
    ending=lambda _, effects: first_attack(effects),
    successes=frozenset({"hit", "critical"}),
    beside=RollsBeside(save_odds, save_endings, successes=frozenset({"failure"})),
)
