"""What counts as luck: the first roll to hit of an attack that hits.

Whether a further one is made depends on what became of the target, so that it has no odds by
itself.
"""

from typing import Any, Final

import msgspec

from service.engine.kit.outcomes import first_attack
from service.engine.ruleset.definition import Luck, Odds, Preview
from service.engine.vocabulary.actions import Action
from service.rulesets.squad_d100.actions import Suppress


def first_shot_odds(action: Action, preview: Preview) -> tuple[Odds, ...]:
    """The odds of the first roll to hit; none of suppression, whose rolls nobody aims."""
    shots: Any = preview.facts.get("shots", ())
    if not shots or isinstance(action, Suppress):
        return ()
    return msgspec.convert(shots[0]["odds"], tuple[Odds, ...])


LUCK: Final = Luck(
    odds=first_shot_odds,
    ending=first_attack,
    successes=frozenset({"critical_success", "hit"}),
)
