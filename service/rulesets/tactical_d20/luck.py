"""What counts as luck: attacks that hit."""

from collections.abc import Sequence
from typing import Final

from service.engine.kit.outcomes import odds_of_deed, of_type
from service.engine.ruleset import Fact, Luck
from service.engine.vocabulary.actions import Action

_ATTACK: Final = frozenset({"attack_resolved"})


def attack_outcome(_action: Action, effects: Sequence[Fact]) -> str | None:
    """How the attack that was asked for ended; the save of an area is its victim's."""
    return next((str(each.get("outcome")) for each in of_type(effects, _ATTACK)), None)


LUCK: Final = Luck(
    odds=odds_of_deed,
    outcome=attack_outcome,
    successes=frozenset({"hit", "critical"}),
)
