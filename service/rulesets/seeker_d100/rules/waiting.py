"""What a version makes of an attack that waited for answers; version 1 has no rule for it."""

from collections.abc import Callable
from typing import NamedTuple

from service.engine.geometry.segments import Spot


class WaitingReading(NamedTuple):
    """How a version judges an attack again when it continues.

    `rounds_given_back` takes the rounds left in the weapon and those of the attack, and returns the
    rounds that the attack is judged with. `is_step_due` takes where the attacker is and where its
    step leads. `danger_from` takes where the danger came from when the victim was asked, and where
    it comes from now as far as is known.
    """

    rounds_given_back: Callable[[int | None, int], int | None]
    is_step_due: Callable[[Spot, Spot], bool]
    danger_from: Callable[[Spot, Spot | None], Spot]
