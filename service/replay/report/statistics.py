"""Counts of faces per seat and die, over the draws that the reader may see."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter

from msgspec import UNSET

from service.engine.dice.dice import Draw
from service.replay.report.verdicts import DieStatistics

COUNTED_SIDES = 100
"""Faces are counted one by one up to dice of this size."""

TABLE = "gm"
"""The name for dice of an API key by itself and of the service."""


@dataclass(slots=True)
class DiceTally:
    """Counts draws event by event."""

    _faces: dict[tuple[str, int], Counter[int]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    @property
    def draws(self) -> int:
        """How many were counted."""
        return sum(faces.total() for faces in self._faces.values())

    def add(self, seat: str, draws: Iterable[Draw]) -> None:
        """Count the draws of one event of `seat`."""
        for draw in draws:
            self._faces[seat, draw.sides][draw.face] += 1

    def statistics(self) -> tuple[DieStatistics, ...]:
        """By seat, then size of the die."""
        return tuple(
            DieStatistics(
                seat=seat,
                sides=sides,
                count=faces.total(),
                total=sum(face * count for face, count in faces.items()),
                faces=(
                    tuple(faces[face] for face in range(1, sides + 1))
                    if sides <= COUNTED_SIDES
                    else UNSET
                ),
            )
            for (seat, sides), faces in sorted(self._faces.items(), key=itemgetter(0))
        )
