"""Counts of faces per seat and die, over the draws that the reader may see."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import UNSET

from service.engine.dice.dice import Draw
from service.replay.report.verdicts import DieStatistics

COUNTED_SIDES = 100
"""Faces are counted one by one up to dice of this size."""

TABLE = "gm"
"""The name for dice of an API key by itself and of the service."""


@dataclass(slots=True)
class _Tally:
    count: int = 0
    total: int = 0
    faces: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class DiceTally:
    """Counts draws event by event."""

    draws: int = 0
    _tallies: dict[tuple[str, int], _Tally] = field(default_factory=dict)

    def add(self, seat: str, draws: Iterable[Draw]) -> None:
        """Count the draws of one event of `seat`."""
        for draw in draws:
            tally = self._tallies.setdefault((seat, draw.sides), _Tally())
            tally.count += 1
            tally.total += draw.face
            if draw.sides <= COUNTED_SIDES:
                tally.faces[draw.face] = tally.faces.get(draw.face, 0) + 1
            self.draws += 1

    def statistics(self) -> tuple[DieStatistics, ...]:
        """By seat, then size of the die."""
        return tuple(
            DieStatistics(
                seat=seat,
                sides=sides,
                count=tally.count,
                total=tally.total,
                faces=(
                    tuple(tally.faces.get(face, 0) for face in range(1, sides + 1))
                    if sides <= COUNTED_SIDES
                    else UNSET
                ),
            )
            for (seat, sides), tally in sorted(self._tallies.items())
        )
