"""Combatants of a battle by their ids: which of them take part no more, and one of them changed."""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import Combatant, Lookups, RuleState, UnknownEffect
from service.errors import Refused

OUT: Final = frozenset({"dead", "down", "fled", "helpless", "out", "unconscious"})
"""Conditions of those who take no part any more, in the words of all rulebooks: what `felled`
says."""

R = TypeVar("R", bound=RuleState)
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


class OfCombatant(Protocol):
    """An effect on one combatant, which may be left out where something else is affected."""

    @property
    def combatant(self) -> str | UnsetType:
        """Id of the combatant."""


E = TypeVar("E", bound=OfCombatant)


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


def with_combatant(rule: R, combatant: str, change: Callable[..., Combatant], *facts: object) -> R:
    """The state with one combatant changed: by `change`, from the old one and `facts`.

    It has the scope of the one before unless the change is one of who may know of the combatant.
    Raises UnknownEffect if there is none of that id.
    """
    present = combatant_of(rule, combatant)
    if present is None:
        raise UnknownEffect(f"no combatant {combatant}")
    changed = change(present, *facts)
    combatants = list(rule.combatants)
    combatants[rule.lookups.positions[combatant]] = changed
    after = replace(rule, combatants=tuple(combatants))
    # What `hand_on` gives a state, without a look at all the others.
    after.__dict__["lookups"] = rule.lookups
    scope = rule.__dict__.get("scope")
    if scope is not None and present.hidden is changed.hidden and present.side == changed.side:
        after.__dict__["scope"] = scope
    return after


def change_combatant(rule: R, effect: E, change: Callable[[Any, E], Combatant]) -> R:
    """The state with the combatant of an effect changed by it.

    Raises UnknownEffect for an effect on nobody, or on somebody who is not there.
    """
    if effect.combatant is UNSET:
        raise UnknownEffect(f"{type(effect).__name__} of nobody")
    return with_combatant(rule, effect.combatant, change, effect)
