"""Maps of cells and borders as a battle keeps them: how large they may be, and known by digest."""

from typing import Annotated, Final, Generic, TypeVar

from msgspec import UNSET, Meta

from service.engine.battle.state import RuleState, State

B = TypeVar("B")

Extent = Annotated[int, Meta(ge=1, le=256)]
"""Width or height of a map in cells."""

MAX_CELLS: Final = 65_536
"""Cells of the largest map, 256 by 256."""

MAX_BORDERS: Final = 131_584
"""Sides of all those cells, 256 by 257 along each axis; those of the edge count too."""


class MapByDigest(Generic[B]):
    """A blob under its digest: equal if the digests are, without looking at the cells."""

    __slots__ = ("blob", "digest")

    def __init__(self, digest: str, blob: B) -> None:
        self.digest = digest
        self.blob = blob

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapByDigest) and self.digest == other.digest


def map_of(battle: State[RuleState], without: B) -> MapByDigest[B]:
    """The map of a battle, which has the type of the one that stands for it where none is laid.

    Raises TypeError for a blob that is no such map.
    """
    digest = battle.rule.map
    if digest is UNSET:
        return MapByDigest("", without)
    return MapByDigest(digest, battle.terms.find(digest, type(without)))
