"""ML-PANIC: panic tests, who begins to flee, and rallying. Default, not in the source text."""

from collections.abc import Sequence
from typing import Final, NamedTuple

ML_PANIC_1: Final = "ML-PANIC-1"
ML_PANIC_2: Final = "ML-PANIC-2"
ML_PANIC_4: Final = "ML-PANIC-4"

PANIC_DICE: Final = 2

NOTE_MODIFIER: Final = "modifier"


class Member(NamedTuple):
    """A member of a unit that is tested; `is_hidden` is one of whom not everybody knows."""

    id: str
    courage: int
    is_hidden: bool = False


class Nerve(NamedTuple):
    """Whose courage counts, and what the dice may show at most."""

    bearer: Member
    needed: int


def nerve_of(members: Sequence[Member], modifier: int) -> Nerve:
    """ML-PANIC-1: 2D6 of at most the highest courage, with the modifier, hold; equal holds (E58).

    `members` are those on the table who do not flee, at least one, in upload order: of those with
    the highest courage the first bears it, one of whom everybody knows before one who is hidden.
    """
    bearer = max(members, key=lambda member: (member.courage, not member.is_hidden))
    return Nerve(bearer, bearer.courage + modifier)


def spokesman_of(members: Sequence[Member], bearer: Member) -> Member:
    """Who is named as the one who tests: a hidden bearer is not while another is known."""
    if not bearer.is_hidden:
        return bearer
    return next((member for member in members if not member.is_hidden), bearer)


def holds(total: int, needed: int) -> bool:
    """Whether a panic or rally test of this total is passed."""
    return total <= needed


def is_shaken(*, is_on_table: bool, is_fleeing: bool) -> bool:
    """ML-PANIC-2: those on the table who do not flee yet test, and flee if the test fails.

    Each loses guard and masking, its lasting Melody ends, and it flees at once (E78).
    """
    return is_on_table and not is_fleeing


def is_to_rally(*, is_on_table: bool, is_fleeing: bool) -> bool:
    """ML-PANIC-4: at the start of its side's turn who flees tests for rallying, else flees again.

    The test is that of ML-PANIC-1 with the courage of those who flee; a unit that rallies counts
    as activated in this turn (E63).
    """
    return is_on_table and is_fleeing
