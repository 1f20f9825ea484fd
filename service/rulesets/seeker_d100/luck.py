"""What counts as luck: attacks that strike, checks that succeed, answers that keep attacks off."""

from collections.abc import Sequence
from typing import Final

from service.engine.kit.outcomes import of_type
from service.engine.ruleset import Fact, Luck, Odds, Preview
from service.engine.vocabulary.actions import Action, Answer, ForcePass
from service.rulesets.seeker_d100.actions import AttackAction, BreakFree, Move

_ATTACK: Final = frozenset({"attack_resolved"})
_CHECK: Final = frozenset({"check_resolved"})
_AREA: Final = frozenset({"area_resolved"})


def foremost_odds(action: Action, preview: Preview) -> tuple[Odds, ...]:
    """The odds of an attack, a check, or of the attack that an answer is given to."""
    is_area_answer = isinstance(action, Answer | ForcePass) and "area" in preview.facts
    return () if is_area_answer else preview.odds


def foremost_outcome(action: Action, effects: Sequence[Fact]) -> str | None:
    """How it ended; an attack that strikes back is another roll."""
    if isinstance(action, BreakFree | Move):
        return next((str(each.get("outcome")) for each in of_type(effects, _CHECK)), None)
    for each in of_type(effects, _AREA):
        return str(each.get("outcome")) if isinstance(action, AttackAction) else None
    for each in of_type(effects, _ATTACK):
        if each.get("detail", {}).get("mode") != "counter":
            return str(each.get("outcome"))
    return None


LUCK: Final = Luck(
    odds=foremost_odds,
    outcome=foremost_outcome,
    successes=frozenset({"hit", "critical", "success"}),
    answered=frozenset({"miss", "fumble", "avoided", "stopped"}),
)
