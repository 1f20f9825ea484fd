"""ML-TURN-6: when the battle is over, and who has won."""

from collections.abc import Mapping
from typing import Final, NamedTuple

ML_TURN_6: Final = "ML-TURN-6"


class Strength(NamedTuple):
    """Warriors of a side on the table, and how many of them are not fleeing."""

    on_table: int
    steady: int


class BattleEnd(NamedTuple):
    """The end of a battle; without a winner it is a draw."""

    winner: str | None


def battle_end(strengths: Mapping[str, Strength], *, is_last_turn_over: bool) -> BattleEnd | None:
    """ML-TURN-6: a side without a warrior on the table has lost; None while the battle goes on.

    Nobody left on either side is a draw. When the last turn of the round limit is over, the side
    with more warriors on the table that are not fleeing wins, if there is exactly one such side.
    Default, not in the source text.
    """
    left = [side for side, strength in strengths.items() if strength.on_table]
    if len(left) < len(strengths):
        return BattleEnd(winner=left[0] if len(left) == 1 else None)
    if not is_last_turn_over:
        return None
    most = max(strength.steady for strength in strengths.values())
    leaders = [side for side, strength in strengths.items() if strength.steady == most]
    return BattleEnd(winner=leaders[0] if len(leaders) == 1 else None)


def is_last_turn(turn_round: int, limit: int | None, *, is_last_of_round: bool) -> bool:
    """Whether the turn that ends is the last of the round limit; without a limit none is."""
    return limit is not None and is_last_of_round and turn_round >= limit
