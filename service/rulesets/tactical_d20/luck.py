"""What counts as luck: attacks that hit, and saves of others against area effects that fail."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET

from service.engine.kit.action_table import ForemostRoll
from service.engine.kit.outcomes import AREA, first_attack, odds_shown, of_type
from service.engine.ruleset.definition import Ending, Fact, Odds, Preview, RollsBeside
from service.rulesets.tactical_d20.previews.facts import Facts


def save_odds(preview: Preview) -> Mapping[str, tuple[Odds, ...]]:
    """The odds of the save of each whom an area effect reaches."""
    facts = preview.facts
    if not isinstance(facts, Facts) or facts.victims is UNSET:
        return {}
    return {victim.target: victim.odds for victim in facts.victims}


def save_endings(effects: Sequence[Fact]) -> Mapping[str, Ending]:
    """How the save of each ended."""
    return {
        str(victim["target"]): Ending(str(victim["outcome"]), "reflex", (victim,))
        for area in of_type(effects, AREA)
        for victim in area.get("victims", ())
    }


FIRST_ATTACK: Final = ForemostRoll(odds=odds_shown, ending=first_attack)
"""The first attack of an event, against the odds that its preview shows."""

SUCCESSES: Final = frozenset({"hit", "critical"})

SAVES: Final = RollsBeside(save_odds, save_endings, successes=frozenset({"failure"}))
"""The saves against an area effect."""
