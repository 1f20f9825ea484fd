"""Combatants of a battle by their ids, and which of them take part no more."""

from typing import Final, Protocol, TypeVar

from service.engine.battle.state import Combatant, Lookups
from service.errors import Refused

OUT: Final = frozenset({"dead", "down", "fled", "helpless", "out", "unconscious"})
"""Conditions of those who take no part any more, in the words of all rulebooks: what `felled`
says."""

C = TypeVar("C", bound=Combatant)
C_co = TypeVar("C_co", bound=Combatant, covariant=True)


class Roster(Protocol[C_co]):
    """A rule state, as far as its combatants go: of the ruleset's own type."""

    @property
    def combatants(self) -> tuple[C_co, ...]:
        """Combatants in the order of their creation."""

    @property
    def lookups(self) -> Lookups:
        """What was worked out of the state."""


def combatant_of(rule: Roster[C], combatant: str) -> C | None:
    """The combatant of that id, if there is one."""
    combatants, positions = rule.combatants, rule.lookups.positions
    at = positions.get(combatant, len(combatants))
    if at < len(combatants) and combatants[at].id == combatant:
        return combatants[at]
    for at, candidate in enumerate(combatants):
        if candidate.id == combatant:
            positions[combatant] = at
            return candidate
    return None


def is_out(combatant: Combatant) -> bool:
    """Whether a combatant takes no part any more, until something else is said of it."""
    return not OUT.isdisjoint(combatant.conditions)


def existing(rule: Roster[C], combatant: str) -> C:
    """The combatant of that id, which is sure to be there. Raises KeyError if it is not."""
    present = combatant_of(rule, combatant)
    if present is None:
        raise KeyError(combatant)
    return present


def require_combatant(rule: Roster[C], combatant: str) -> C:
    """The combatant of that id. Raises Refused("unknown_combatant")."""
    present = combatant_of(rule, combatant)
    if present is None:
        raise Refused("unknown_combatant", combatant=combatant)
    return present
