"""ML-FP: the points that a side has for masking and for United Impulse."""

from typing import Final

ML_FP_1: Final = "ML-FP-1"


def points_at_turn_start(each_turn: int) -> int:
    """ML-FP-1: at the start of its own turn a side has so many FP, whatever was left: that lapses.

    Source: «Используя свои FP»; how many is default, not in the source text.
    """
    return each_turn
