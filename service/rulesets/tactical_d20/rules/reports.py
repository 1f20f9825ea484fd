"""What the rules report of an attack besides its modifiers: cover, concealment, flanking.

A report names the corner from which the lines run, the lines that meet something, and every
source, the winning one and those that another leaves nothing to.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.geometry.features import Feature
from service.engine.visibility.audience import (
    EVERYONE,
    RuleId,
)
from service.engine.vocabulary.breakdown import GroundPart, Modifier
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
)
from service.rulesets.tactical_d20.rules.words import CoverGrade


class Vertex(Struct, frozen=True, kw_only=True):
    """A corner of the grid: the north-west corner of the cell (x, y)."""

    x: Annotated[int, EVERYONE]
    """Column of the cell whose north-west corner this is."""
    y: Annotated[int, EVERYONE]
    """Row of the cell whose north-west corner this is."""


class MetLine(Struct, frozen=True, kw_only=True):
    """A line from the corner used to a corner of the target's space that meets something."""

    end: Annotated[Vertex, EVERYONE]
    """Corner of the target's space at which the line ends."""
    ground: Annotated[tuple[GroundPart, ...] | UnsetType, EVERYONE] = UNSET
    """Cells and borders that it meets; absent where it meets creatures alone."""
    combatants: Annotated[tuple[RecordedSubjectId, ...] | UnsetType, EVERYONE] = UNSET
    """Creatures whose cells it crosses and who give cover; absent without any."""


class CoverSource(Struct, frozen=True, kw_only=True):
    """Something that gives cover, with what it would give alone."""

    rule: Annotated[RuleId, EVERYONE]
    """Rule that this cover follows from."""
    ac: Annotated[int, EVERYONE]
    """Points of armour class that it gives."""
    reflex: Annotated[int, EVERYONE]
    """Points of the Reflex save that it gives."""
    ground: Annotated[tuple[GroundPart, ...] | UnsetType, EVERYONE] = UNSET
    """Cells and borders that give it; absent where creatures or the game master do."""
    combatants: Annotated[tuple[RecordedSubjectId, ...] | UnsetType, EVERYONE] = UNSET
    """Creatures that give it; absent where the ground or the game master does."""
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Rule of the cover that was limited to this; absent where none was."""


class CoverReport(Struct, frozen=True, kw_only=True):
    """The cover of a target: the best of its sources for armour class and for Reflex."""

    grade: Annotated[CoverGrade, EVERYONE]
    """Grade by what armour class gains; `total` where nothing can be attacked."""
    ac: Annotated[int, EVERYONE]
    """Points that armour class gains: 0, 2, 4 or 8."""
    reflex: Annotated[int, EVERYONE]
    """Points that the Reflex save gains: 0, 1, 2 or 4."""
    can_hide: Annotated[bool, EVERYONE]
    """Whether one may hide behind it; not behind creatures alone (TD-SOFT-2)."""
    sources: Annotated[tuple[CoverSource, ...], EVERYONE] = ()
    """Everything met that gives cover, in the order in which ties are won."""
    corner: Annotated[Vertex | UnsetType, EVERYONE] = UNSET
    """Corner from which the lines run; absent where the game master has overruled the cover."""
    lines: Annotated[tuple[MetLine, ...], EVERYONE] = ()
    """Those of the four lines that meet something."""


class ConcealmentReport(Struct, frozen=True, kw_only=True):
    """The concealment of a target: the chance in per cent that a hit is none."""

    percent: Annotated[int, EVERYONE]
    """Per cent of hits that miss; 0: none."""
    sources: Annotated[tuple[Modifier, ...], EVERYONE] = ()
    """The winning source with the per cent, the others with 0."""
    corner: Annotated[Vertex | UnsetType, EVERYONE] = UNSET
    """Corner from which the lines run; absent where no lines were asked for."""
    lines: Annotated[tuple[MetLine, ...], EVERYONE] = ()
    """Those of the four lines that meet something that conceals."""


class FlankingReport(Struct, frozen=True, kw_only=True):
    """Who flanks the target together with the attacker."""

    partner: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Id of the first creature that does; absent where none does."""


_KINDS: Final[dict[str, Literal["cell", "h", "v"]]] = {"cell": "cell", "H": "h", "V": "v"}
"""The kinds of features as the log writes them."""


def ground_part(feature: Feature) -> GroundPart:
    """A feature as the log and answers write it."""
    return GroundPart(kind=_KINDS[feature.kind], x=feature.x, y=feature.y)
