"""What counts as luck: attacks that strike, checks that succeed, answers that keep attacks off."""

from collections.abc import Sequence
from typing import Final

from service.engine.kit.outcomes import AREA, ATTACK, CHECK, ending_of, of_type
from service.engine.ruleset.definition import Ending, Fact, Luck, Odds, Preview
from service.engine.vocabulary.actions import Action, Answer, ForcePass
from service.rulesets.seeker_d100.actions import AttackAction, BreakFree, Move


def foremost_odds(action: Action, preview: Preview) -> tuple[Odds, ...]:
    """The odds of an attack, a check, or of the attack that an answer is given to."""
    is_area_answer = isinstance(action, Answer | ForcePass) and "area" in preview.facts
    return () if is_area_answer else preview.odds


def foremost_ending(action: Action, effects: Sequence[Fact]) -> Ending | None:
    """How it ended; an attack that strikes back is another roll."""
    if isinstance(action, BreakFree | Move):
        return next(map(ending_of, of_type(effects, CHECK)), None)
    for each in of_type(effects, AREA):
        return ending_of(each) if isinstance(action, AttackAction) else None
    for each in of_type(effects, ATTACK):
        if each.get("detail", {}).get("mode") != "counter":
            return ending_of(each)
    return None


LUCK: Final = Luck(
    odds=foremost_odds,
    ending=foremost_ending,
    successes=frozenset({"hit", "critical", "success"}),
    answered=frozenset({"miss", "fumble", "avoided", "stopped"}),
)
