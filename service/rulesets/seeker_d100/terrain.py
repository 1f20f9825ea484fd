"""Cover as clients, the log and the state write it: straight segments, and what changed of them.

A cover is always stated whole. Places are whole metres; a map drawn in cells is multiplied by the
option `cell_m` where it is read.
"""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.values import Coordinate, Word
from service.rulesets.seeker_d100.rules.cover import ALL_PARTS
from service.rulesets.seeker_d100.rules.words import BodyPart, CoverDegree

UNIT: Final = "metre"
"""What one step of a coordinate is, in scenes and legal actions."""

MAX_COVERS = 2000
"""How many covers a map or the battle's changes hold at most."""

Protection = Annotated[int, Meta(ge=0, le=100)]
"""A value of armour."""

CoverId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a cover, unique on its map."""


class Point(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point of the ground."""

    x: Annotated[Coordinate, EVERYONE]
    """First coordinate in whole metres; a column on a map whose `unit` is `cells`."""
    y: Annotated[Coordinate, EVERYONE]
    """Second coordinate in whole metres; a row on a map whose `unit` is `cells`."""


class Ground(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A straight cover from `start` to `end`.

    Its value is `armour`, or that of the content's armour `sample`; `exposed` are the parts of a
    body that it leaves to called shots.
    """

    start: Annotated[Point, EVERYONE]
    """One end of the straight segment; it belongs to the cover."""
    end: Annotated[Point, EVERYONE]
    """The other end; the same point as `start` makes a cover of one point."""
    degree: Annotated[CoverDegree, EVERYONE] = "partial"
    """How much it hides: `partial` costs a called shot 20 per cent, `large` 40 (SK-CALL-1)."""
    armour: Annotated[Protection | UnsetType, EVERYONE] = UNSET
    """Points of damage it takes off (SK-ARM-5); stated unless `sample` is, never both."""
    sample: Annotated[Word | UnsetType, EVERYONE] = UNSET
    """Id of the content's armour whose value it has; stated unless `armour` is."""
    exposed: Annotated[Annotated[tuple[BodyPart, ...], Meta(max_length=5)], EVERYONE] = ALL_PARTS
    """Parts of a body behind it that a called shot may still be aimed at (SK-CALL-2)."""


class Cover(Ground, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cover by its name."""

    id: Annotated[CoverId, EVERYONE]
    """Id of the cover, unique on its map; a later change refers to it as `feature`."""


class CoverChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cover as it is from now on, or that it is gone."""

    feature: Annotated[CoverId, EVERYONE]
    """Id of the cover: one of the map, one added before, or a new one."""
    terrain: Annotated[Ground | UnsetType, EVERYONE] = UNSET
    """The whole cover as it is from now on, in metres; absent if it is gone."""
    removed: Annotated[bool, EVERYONE] = False
    """True if the cover is gone; then `terrain` is absent."""


def id_of_change(change: CoverChange) -> str:
    """The cover that a change is about."""
    return change.feature
