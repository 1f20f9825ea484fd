"""ML-SHOOT-6: wound rolls, saves, and wounds that are lost. Default, not in the source text."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

ML_SHOOT_6: Final = "ML-SHOOT-6"

D6: Final = 6
"""Sides of every die of this rulebook."""


class Hit(NamedTuple):
    """What strikes: its strength, what it takes off a save, and the wounds that it costs."""

    strength: int
    pen: int
    damage: int


def wound_needed(strength: int, toughness: int) -> int:
    """ML-SHOOT-6: a hit wounds with 4 and toughness less strength, never below 2 or above 6.

    One die for each hit. Then a save for each wound (`save_needed`), and each wound that is not
    saved costs the weapon's damage (`health_after`).
    """
    return min(D6, max(2, 4 + toughness - strength))


def wounds_made(faces: Sequence[int], needed: int) -> int:
    """How many of these wound dice wound."""
    return sum(1 for face in faces if face >= needed)


def save_needed(armour: int | UnsetType, pen: int) -> int | UnsetType:
    """What a save must reach: armour and what the hit takes off the die; 7 and more never holds.

    Absent without armour: no die is rolled then.
    """
    return UNSET if armour is UNSET else armour + pen


def saves_made(faces: Sequence[int], needed: int) -> int:
    """How many of these saves hold; a 1 never does."""
    return sum(1 for face in faces if face != 1 and face >= needed)


def health_after(health: int, loss: int) -> int:
    """Wounds left after a loss; never below 0."""
    return max(0, health - loss)


def health_healed(health: int, most: int, amount: int) -> int:
    """Wounds left after healing; never above what there were when unhurt."""
    return min(most, health + amount)


def is_killed(health: int) -> bool:
    """Who has no wounds left is killed."""
    return health <= 0
