"""The base of every effect, and the values that effects of several kinds hold."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    EVERYONE,
    RuleId,
)
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Place,
    Roll,
)


class Effect(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Fields every effect carries: the rule it follows from, if one does."""

    rule: Annotated[RuleId | UnsetType, EVERYONE] = UNSET
    """Rule of the catalogue that this fact follows from; absent where none does, such as for what
    the game master alone decided."""


class Source(Struct, frozen=True, kw_only=True):
    """Who or what did it; withheld whole from those who do not know of the combatant."""

    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Who did it; absent where nobody did."""
    item: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Weapon or other item of that combatant that did it; absent where none was used."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Dice of whoever did it, such as damage dice; absent where none were rolled for it."""
    feature: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Piece of ground that did it, by its id; absent where none did."""


class Shape(Struct, frozen=True, kw_only=True):
    """An area on the table, in the ruleset's unit."""

    kind: Annotated[RecordedWord, EVERYONE]
    """Form of the area, such as `blast`: everything within `radius` of `origin`."""
    origin: Annotated[Place, EVERYONE]
    """Where the area starts: the centre of a blast or disc, the singer of a beam or cone."""
    aim: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Point that a directed area is aimed at; absent for one that has no direction."""
    radius: Annotated[int | UnsetType, EVERYONE] = UNSET
    """How far it reaches from `origin`, in the unit of the ruleset (metres in Seeker d100, feet in
    Tactical d20, thousandths of a step in Melody d6); absent for a form without one."""
    length: Annotated[int | UnsetType, EVERYONE] = UNSET
    """How long it is from `origin` towards `aim`, in the unit of the ruleset; absent for a form
    without one."""
    half_width: Annotated[int | UnsetType, EVERYONE] = UNSET
    """How far it reaches to each side of the way from `origin` towards `aim`, in the unit of the
    ruleset; of a cone at its far end. Absent for a form without one."""
