"""How rolls ended, as the effects of an event tell it."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.engine.ruleset import Fact, Odds, Preview
from service.engine.vocabulary.actions import Action, Answer, ForcePass

RESOLVED: Final = frozenset({"attack_resolved", "check_resolved"})
"""Effects that tell how a roll ended."""


def of_type(effects: Sequence[Fact], kinds: frozenset[str]) -> Iterator[Fact]:
    """The effects of these types, in order."""
    return (each for each in effects if each.get("type") in kinds)


def first_outcome(_action: Action, effects: Sequence[Fact]) -> str | None:
    """How the first attack or check of an event ended."""
    return next((str(each.get("outcome")) for each in of_type(effects, RESOLVED)), None)


def odds_of_deed(action: Action, preview: Preview) -> tuple[Odds, ...]:
    """The odds of an action; none of an answer, which may decide over the rolls of others."""
    return () if isinstance(action, Answer | ForcePass) else preview.odds
