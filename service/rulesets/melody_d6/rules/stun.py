"""ML-STUN: how long a warrior is stunned. Default, not in the source text."""

from typing import Final

ML_STUN_1: Final = "ML-STUN-1"


def is_stun_over(*, is_received_now: bool) -> bool:
    """ML-STUN-1: a stun ends with the next activation of the unit, at `end_activation` (E79).

    Not one that was received during that very activation (`is_received_now`). While it lasts the
    warrior neither moves nor acts, dampens or shoots on guard.
    """
    return not is_received_now
