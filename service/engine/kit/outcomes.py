"""How rolls ended, as the effects of an event tell it."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.engine.kit.action_table import ForemostRoll
from service.engine.ruleset.definition import Ending, Fact, Odds, Preview

ATTACK: Final = frozenset({"attack_resolved"})
CHECK: Final = frozenset({"check_resolved"})
AREA: Final = frozenset({"area_resolved"})
RESOLVED: Final = ATTACK | CHECK
"""Effects that tell how a roll ended."""


def of_type(effects: Sequence[Fact], kinds: frozenset[str]) -> Iterator[Fact]:
    """The effects of these types, in order."""
    return (each for each in effects if each.get("type") in kinds)


def ending_of(effect: Fact) -> Ending:
    """How the roll of an attack (also at an area) or of a check ended."""
    return Ending(str(effect.get("outcome")), str(effect.get("check", "attack")), (effect,))


def first_ending(effects: Sequence[Fact]) -> Ending | None:
    """How the first attack or check of an event ended."""
    return next(map(ending_of, of_type(effects, RESOLVED)), None)


def first_attack(effects: Sequence[Fact]) -> Ending | None:
    """How the first attack of an event ended."""
    return next(map(ending_of, of_type(effects, ATTACK)), None)


def odds_shown(preview: Preview) -> tuple[Odds, ...]:
    """The odds that a preview shows."""
    return preview.odds


FIRST_ROLL: Final = ForemostRoll(odds=odds_shown, ending=first_ending)
"""The first attack or check of an event, against the odds that its preview shows."""
