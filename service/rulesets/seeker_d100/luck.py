"""What counts as luck: attacks that strike, checks that succeed, answers that keep attacks off."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from service.engine.kit.action_table import ForemostRoll
from service.engine.kit.outcomes import AREA, ATTACK, CHECK, ending_of, odds_shown, of_type
from service.engine.ruleset.definition import Ending, Fact, Odds, Preview
from service.rulesets.seeker_d100.facts import Facts


def first_check(effects: Sequence[Fact]) -> Ending | None:
    """How the first check ended."""
    return next(map(ending_of, of_type(effects, CHECK)), None)


def asked_attack(effects: Sequence[Fact]) -> Ending | None:
    """How an attack ended; one that strikes back is another roll."""
    return next(map(ending_of, of_type(effects, AREA)), None) or _first_attack(effects)


def odds_of_answered(preview: Preview) -> tuple[Odds, ...]:
    """The odds of the attack that an answer is given to; none of one at an area."""
    facts = preview.facts
    is_of_area = isinstance(facts, Facts) and facts.area is not UNSET
    return () if is_of_area else preview.odds


def answered_attack(effects: Sequence[Fact]) -> Ending | None:
    """How the attack ended that an answer is given to; None for one at an area."""
    return None if any(of_type(effects, AREA)) else _first_attack(effects)


def _first_attack(effects: Sequence[Fact]) -> Ending | None:
    for each in of_type(effects, ATTACK):
        if each.get("detail", {}).get("mode") != "counter":
            return ending_of(each)
    return None


CHECK_ROLL: Final = ForemostRoll(odds=odds_shown, ending=first_check)

ATTACK_ROLL: Final = ForemostRoll(odds=odds_shown, ending=asked_attack)

ANSWERED_ROLL: Final = ForemostRoll(odds=odds_of_answered, ending=answered_attack)

SUCCESSES: Final = frozenset({"hit", "critical", "success"})

ANSWERED: Final = frozenset({"miss", "fumble", "avoided", "stopped"})
"""What is a success for whoever gives an answer."""
