"""What the game master overrules with `adjust`, named alike in every ruleset."""

from typing import Annotated

from msgspec import Struct

from service.engine.visibility.audience import EVERYONE, HEALTH, NUMBERS, SubjectId
from service.engine.vocabulary.values import Amount, Place, Word


class TableChange(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """One thing the GM overrules that is no combatant's, such as the points of a side."""


class Change(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """One thing of a combatant that the GM overrules."""

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that is changed."""


class SetHp(Change, frozen=True, kw_only=True, tag="hp"):
    """Health has this value."""

    value: Annotated[Amount, HEALTH]
    """Points of health from now on; what rules make of it, such as a fall, follows."""


class SetPlace(Change, frozen=True, kw_only=True, tag="place"):
    """Stand there."""

    place: Annotated[Place, EVERYONE]
    """Where it stands from now on. No path or price is checked; a place off the map, occupied or
    impassable is refused, except in Seeker d100."""


class SetCondition(Change, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[Word, EVERYONE]
    """Condition to set or to clear."""
    holds: Annotated[bool, EVERYONE] = True
    """True sets the condition, false clears it."""


class SetResource(Change, frozen=True, kw_only=True, tag="resource"):
    """A resource has this value."""

    resource: Annotated[Word, EVERYONE]
    """Resource to set: `actions` in Crossfire d6, `action` or `ammo` in Seeker d100; `standard`,
    `move`, `swift` or `reaction` in Tactical d20."""
    value: Annotated[Amount, EVERYONE]
    """How much is left from now on."""


class SetStat(Change, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value."""

    stat: Annotated[Word, EVERYONE]
    """Number of the sheet to set."""
    value: Annotated[Amount, NUMBERS]
    """Its value from now on."""


class RevealCombatant(Change, frozen=True, kw_only=True, tag="reveal"):
    """Everyone sees it from now on."""


class HideCombatant(Change, frozen=True, kw_only=True, tag="hide"):
    """Only its side sees it from now on."""


SharedChange = (
    SetHp | SetPlace | SetCondition | SetResource | SetStat | RevealCombatant | HideCombatant
)
"""The changes of a combatant that rulesets share."""
