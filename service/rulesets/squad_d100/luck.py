"""What counts as luck: the first roll to hit of an attack that hits.

Whether a further one is made depends on what became of the target, so that it has no odds by
itself.
"""

from typing import Any, Final

import msgspec

from service.engine.kit.action_table import ForemostRoll
from service.engine.kit.outcomes import first_attack
from service.engine.ruleset.definition import Odds, Preview


def first_shot_odds(preview: Preview) -> tuple[Odds, ...]:
    """The odds of the first roll to hit."""
    shots: Any = preview.facts.get("shots", ())
    return msgspec.convert(shots[0]["odds"], tuple[Odds, ...]) if shots else ()


FIRST_SHOT: Final = ForemostRoll(odds=first_shot_odds, ending=first_attack)
"""The first roll to hit; suppression has none, since nobody aims its rolls."""

SUCCESSES: Final = frozenset({"critical_success", "hit"})
