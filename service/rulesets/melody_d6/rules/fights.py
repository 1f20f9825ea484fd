"""ML-FIGHT: blows between warriors who are engaged. Default, not in the source text."""

from typing import Final, Literal

from service.rulesets.melody_d6.rules.wounds import Hit

ML_FIGHT_1: Final = "ML-FIGHT-1"

FightOutcome = Literal["hit", "stopped", "stalemate"]
"""The attacker wins, the defender wins, or nobody does."""


BARE_HANDS: Final = Hit(strength=3, pen=0, damage=1)
"""What one strikes with without a melee weapon."""


def fight_outcome(attacker: int, defender: int) -> FightOutcome:
    """ML-FIGHT-1: the higher total of D6 and melee wins; equal ones do nothing (E61).

    The attacker rolls first. The winner wounds the loser with one hit.
    """
    if attacker > defender:
        return "hit"
    return "stopped" if attacker < defender else "stalemate"


def defender_melee(melee: int, *, is_stunned: bool) -> int:
    """What a defender adds to its die: nothing while it is stunned."""
    return 0 if is_stunned else melee
