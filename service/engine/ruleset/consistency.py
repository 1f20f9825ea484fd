"""What a visible effect says of itself: for audits that lack parts and cannot run the rules.

How this works. An effect tells its dice, its modifiers and its outcome. Whoever sees all three can
hold them against one another without the state of the battle. Each ruleset reads of an effect what
it needs as the types below, whose fields are all optional: what is hidden from an audience is
absent, and nothing is said of it. What is shown must agree.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions

S = TypeVar("S", bound=Struct)


class Contradiction(NamedTuple):
    """Where an effect contradicts itself: the path within it, what it says, what follows."""

    path: str
    stored: object
    expected: object

    def within(self, path: str) -> "Contradiction":
        """The same, where the effect is at `path`, or this part of it."""
        return self._replace(path=f"{path}.{self.path}")


Contradictions = Callable[[Mapping[str, object], TableOptions], Iterator[Contradiction]]
"""The contradictions of an effect, as JSON, under the options of its battle.

Raises msgspec.ValidationError where the effect has a form that no event of the ruleset has.
"""


class ShownLine(Struct, frozen=True, kw_only=True):
    """A line of a breakdown."""

    amount: int


class ShownRoll(Struct, frozen=True, kw_only=True):
    """Dice that were rolled."""

    faces: tuple[int, ...]
    total: int


Lines = tuple[ShownLine, ...] | UnsetType
Number = int | UnsetType


class ShownAgainst(Struct, frozen=True, kw_only=True):
    """What an attack had to reach."""

    needed: Number = UNSET
    base: Number = UNSET
    breakdown: Lines = UNSET
    roll: ShownRoll | UnsetType = UNSET


class ShownSource(Struct, frozen=True, kw_only=True):
    """Who or what did damage, and its dice."""

    roll: ShownRoll | UnsetType = UNSET


class ShownHurt(Struct, frozen=True, kw_only=True):
    """Damage that was taken."""

    amount: Number = UNSET
    breakdown: Lines = UNSET
    cause: str | UnsetType = UNSET
    source: ShownSource | UnsetType = UNSET

    @property
    def rolled(self) -> Number:
        """The sum of its dice; UNSET where there are none, or they are hidden."""
        if self.source is UNSET or self.source.roll is UNSET:
            return UNSET
        return self.source.roll.total


class ShownDetail(Struct, frozen=True, kw_only=True):
    """The attacker's side of an attack."""

    mode: str | UnsetType = UNSET
    roll: ShownRoll | UnsetType = UNSET
    base: Number = UNSET
    breakdown: Lines = UNSET
    pool: Number = UNSET
    against: ShownAgainst | UnsetType = UNSET


def no_contradictions(
    _effect: Mapping[str, object], _options: TableOptions
) -> Iterator[Contradiction]:
    """No effect of the ruleset is looked at."""
    return iter(())


def as_shown(effect: object, kind: type[S]) -> S:
    """An effect as far as it is looked at. Raises msgspec.ValidationError."""
    return msgspec.convert(effect, kind)


def summed(base: Number, lines: Lines) -> Number:
    """Where a breakdown leads to; UNSET where it or its beginning is hidden."""
    if base is UNSET or lines is UNSET:
        return UNSET
    return base + sum(line.amount for line in lines)


def unsaid(path: str, value: object, options: TableOptions) -> Iterator[Contradiction]:
    """A contradiction where a number is absent, though this table hides none."""
    if value is UNSET and options.enemy_numbers == "shown":
        yield Contradiction(path, UNSET, UNSET)


def unexplained(path: str, lines: Lines, options: TableOptions) -> Iterator[Contradiction]:
    """A contradiction where a breakdown is absent, though this table shows all."""
    if options.breakdowns == "all":
        yield from unsaid(path, lines, options)


def misdealt(hurt: ShownHurt, damage: Number) -> Iterator[Contradiction]:
    """A contradiction, unless damage and lines come to the loss, which is never below 0."""
    left = summed(damage, hurt.breakdown)
    yield from unlike("amount", hurt.amount, left if left is UNSET else max(0, left))


def unlike(path: str, stored: object, expected: object) -> Iterator[Contradiction]:
    """A contradiction, unless both are the same or one of them is hidden."""
    if stored is not UNSET and expected is not UNSET and stored != expected:
        yield Contradiction(path, stored, expected)


def impossible(path: str, stored: object, possible: Collection[object]) -> Iterator[Contradiction]:
    """A contradiction, unless a value is one of those that are possible, or hidden."""
    if stored is not UNSET and stored not in possible:
        yield Contradiction(path, stored, next(iter(possible)) if len(possible) == 1 else UNSET)
