"""SQ-ROUND: how a number is halved."""

from typing import Final

SQ_ROUND_1: Final = "SQ-ROUND-1"


def half(number: int) -> int:
    """SQ-ROUND-1: every halving rounds down.

    Source: «с округлением в меньшую сторону», said of the grenade and extended to all.
    """
    return number // 2
