"""ML-TURN: initiative, rounds, the turns of two sides and the activations of their units.

Default, not in the source text, which breaks off before it.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal

from service.errors import Refused

ML_TURN_1: Final = "ML-TURN-1"
ML_TURN_2: Final = "ML-TURN-2"
ML_TURN_3: Final = "ML-TURN-3"
ML_TURN_4: Final = "ML-TURN-4"

Phase = Literal["movement", "action"]
"""The two halves of an activation, in this order."""

Spending = Literal["movement", "action"]
"""What a warrior has one of in an activation."""

_SPENT: Final[dict[Spending, str]] = {"movement": "already_moved", "action": "action_spent"}


def higher_of(first: int, second: int) -> int | None:
    """ML-TURN-1: the higher D6 goes first: 0 or 1, the place of its side; None for a tie.

    On a tie both sides roll again. With the initiative `fixed` nobody rolls and the side that was
    uploaded first begins. Default, not in the source text.
    """
    if first == second:
        return None
    return 0 if first > second else 1


def following_side(order: Sequence[str], side: str) -> tuple[str, bool]:
    """ML-TURN-2: the side whose turn is next, and whether a round begins with it.

    A round is one turn of each side, in the order of initiative; a turn is made of activations, an
    activation of a movement and an action phase.
    Source: «раз за раунд», «в ходе активации», «в ход противника».
    """
    at = (order.index(side) + 1) % len(order)
    return order[at], at == 0


def require_fresh(unit: str, activated: Collection[str]) -> None:
    """ML-TURN-3: each unit is activated at most once in a turn; one may be left out.

    Raises Refused("unit_already_activated"). Default, not in the source text.
    """
    if unit in activated:
        raise Refused("unit_already_activated", rule=ML_TURN_3, unit=unit)


def require_unspent(combatant: str, spending: Spending, *, is_spent: bool) -> None:
    """ML-TURN-4: one move or charge, then one action for each warrior in an activation.

    Raises Refused("already_moved") or Refused("action_spent"). Default, not in the source text.
    """
    if is_spent:
        raise Refused(_SPENT[spending], rule=ML_TURN_4, combatant=combatant)
