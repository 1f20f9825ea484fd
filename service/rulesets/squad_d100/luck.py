"""What counts as luck: the first roll to hit of an attack that hits.

Whether a further one is made depends on what became of the target, so that it has no odds by
itself.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from service.engine.kit.outcomes import of_type
from service.engine.ruleset import Fact, Luck, Odds, Preview
from service.engine.vocabulary.actions import Action
from service.rulesets.squad_d100.actions import Suppress

_ATTACK: Final = frozenset({"attack_resolved"})


def first_shot_odds(action: Action, preview: Preview) -> tuple[Odds, ...]:
    """The odds of the first roll to hit; none of suppression, whose rolls nobody aims."""
    shots: Any = preview.facts.get("shots", ())
    if not shots or isinstance(action, Suppress):
        return ()
    return msgspec.convert(shots[0]["odds"], tuple[Odds, ...])


def first_shot_outcome(_action: Action, effects: Sequence[Fact]) -> str | None:
    """How the first roll to hit ended."""
    return next((str(each.get("outcome")) for each in of_type(effects, _ATTACK)), None)


LUCK: Final = Luck(
    odds=first_shot_odds,
    outcome=first_shot_outcome,
    successes=frozenset({"critical_success", "hit"}),
)
