"""SQ-TURN: the phases of a turn, and the order of the turns of a round.

The order is default, not in the source text.
"""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from service.errors import Refused

SQ_TURN_1: Final = "SQ-TURN-1"

Phase = Literal["movement", "shooting"]
"""The two halves of a turn, in this order."""

TurnOrder = Literal["agility", "sides"]
"""Whether the nimblest acts first, or one side after another."""


class Entrant(Struct, frozen=True, kw_only=True):
    """Who has a turn in a round: `agility` is the current one, `number` counts entries."""

    id: str
    number: int
    side: str
    agility: int


def require_movement_phase(phase: Phase, combatant: str) -> None:
    """SQ-TURN-1: a turn is a movement phase, then a shooting phase, and never back.

    Movement points are spent in the first alone. Raises Refused("wrong_phase").
    Source: «ход делится на две фазы - фазу перемещения и фазу стрельбы».
    """
    if phase != "movement":
        raise Refused("wrong_phase", rule=SQ_TURN_1, combatant=combatant, phase=phase)


def turns_of_round(
    entrants: Sequence[Entrant], order: TurnOrder, side_order: Sequence[str]
) -> tuple[Entrant, ...]:
    """Everybody's turn of one round, the first to act first.

    `agility`: the highest first, ties by number. `sides`: side by side, inside a side by number;
    sides that `side_order` leaves out follow as they first appear by number.
    """
    by_number = sorted(entrants, key=lambda each: each.number)
    if order == "agility":
        return tuple(sorted(by_number, key=lambda each: -each.agility))
    sides = tuple(dict.fromkeys((*side_order, *(each.side for each in by_number))))
    return tuple(sorted(by_number, key=lambda each: sides.index(each.side)))
