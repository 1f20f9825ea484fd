"""What comes after an action that is completely worked out (2.3): the end, or those revealed."""

from service.rulesets.melody_d6.deciding import battle_end
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.windows import guard_window
from service.rulesets.melody_d6.remainders import RevealRemainder


def complete(resolution: Resolution) -> None:
    """Unless the action still waits: the battle ends if it is decided (ML-TURN-6).

    Else the other side's guards are asked about those of the active side who have lost their
    masking within the action, all of them at once.
    """
    if resolution.is_suspended or battle_end.check(resolution.effects):
        return
    found = resolution.uncovered()
    if found:
        guard_window(resolution, "reveal", found, RevealRemainder())
