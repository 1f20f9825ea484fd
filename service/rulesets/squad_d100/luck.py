"""What counts as luck: the first roll to hit of an attack that hits.

Whether a further one is made depends on what became of the target, so that it has no odds by
itself.
"""

from typing import Final

from service.engine.kit.action_table import ForemostRoll
from service.engine.kit.outcomes import first_attack
from service.engine.ruleset.definition import Odds, Preview
from service.rulesets.squad_d100.previews.facts import Facts


def first_shot_odds(preview: Preview) -> tuple[Odds, ...]:
    """The odds of the first roll to hit."""
    facts = preview.facts
    return facts.shots[0].odds if isinstance(facts, Facts) and facts.shots else ()


FIRST_SHOT: Final = ForemostRoll(odds=first_shot_odds, ending=first_attack)
"""The first roll to hit; suppression has none, since nobody aims its rolls."""

SUCCESSES: Final = frozenset({"critical_success", "hit"})
