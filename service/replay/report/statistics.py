"""Counts of faces per seat and die, over the draws that the reader may see."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.dice.dice import Draw
from service.engine.visibility.scope import Scope, Viewer
from service.replay.report.chances import Ratio, TailChance
from service.replay.report.tails import tail_of_dice
from service.replay.report.verdicts import DieStatistics

COUNTED_SIDES: Final = 100
"""Faces are counted one by one up to dice of this size."""

TABLE: Final = "gm"
"""The name for dice of an API key by itself and of the service."""

FEWEST_DICE: Final = 30
"""Dice of a kind below which no probability is told: whatever they show says nothing."""

Kind = tuple[str, int]
"""A seat and the sides of its dice."""


@dataclass(slots=True)
class DiceTally:
    """Counts draws event by event; without `keeps_seqs` nothing is told of those undone."""

    keeps_seqs: bool = True
    _faces: dict[Kind, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    _seqs: dict[Kind, "array[int]"] = field(default_factory=lambda: defaultdict(lambda: array("L")))

    @property
    def draws(self) -> int:
        """How many were counted."""
        return sum(faces.total() for faces in self._faces.values())

    def add(self, seat: str | UnsetType, seq: int, draws: Iterable[Draw]) -> None:
        """Count the draws of event `seq`, which a seat asked for, or a key by itself."""
        name = TABLE if seat is UNSET else seat
        for draw in draws:
            self._faces[name, draw.sides][draw.face] += 1
            if self.keeps_seqs:
                self._seqs[name, draw.sides].append(seq)

    def statistics(
        self, undone_by: Callable[[int], int | None] = lambda seq: None
    ) -> tuple[DieStatistics, ...]:
        """By seat, then size of the die; `undone_by` says of which events they were undone."""
        kinds = sorted(self._faces.items(), key=itemgetter(0))
        return tuple(
            _of_kind(kind, faces, sum(undone_by(seq) is not None for seq in self._seqs[kind]))
            for kind, faces in kinds
        )


def seen_draws(draws: tuple[Draw, ...], viewer: Viewer, sides: tuple[str, ...]) -> tuple[Draw, ...]:
    """The draws of an event that a viewer may see."""
    if viewer.is_gm:
        return draws
    scope = Scope(sides=sides)
    return tuple(
        draw for draw in draws if draw.stream >= 0 and viewer.may_know(scope.stream(draw.stream))
    )


def _of_kind(kind: Kind, faces: Counter[int], undone: int) -> DieStatistics:
    (seat, sides), count = kind, faces.total()
    total = sum(face * times for face, times in faces.items())
    listed = tuple(faces[face] for face in range(1, sides + 1)) if sides <= COUNTED_SIDES else UNSET
    return DieStatistics(
        seat=seat,
        sides=sides,
        count=count,
        undone=undone,
        total=total,
        mean=ratio_of(Fraction(total, count)),
        expected=ratio_of(Fraction(sides + 1, 2)),
        chance=_chance(count, sides, total),
        faces=listed,
    )


def _chance(count: int, sides: int, total: int) -> TailChance | UnsetType:
    if count < FEWEST_DICE:
        return UNSET
    tail = tail_of_dice(count, sides, total)
    return TailChance(millionths=tail.millionths, exact=tail.is_exact)


def ratio_of(fraction: Fraction) -> Ratio:
    """A fraction as reports tell it."""
    return Ratio(num=str(fraction.numerator), den=str(fraction.denominator))
