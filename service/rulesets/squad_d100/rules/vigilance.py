"""SQ-VIG: who keeps watch, what an enemy's movement makes of it, and the shot that answers."""

from collections.abc import Iterable
from typing import Final, Literal

from service.rulesets.squad_d100.rules.halves import half

SQ_VIG_1: Final = "SQ-VIG-1"
SQ_VIG_3: Final = "SQ-VIG-3"
SQ_VIG_4: Final = "SQ-VIG-4"

VigilanceTrigger = Literal["in_view", "entering"]
"""Whether any step in view calls for the test, or only one that comes into view."""

VigilanceTarget = Literal["ACC", "AGI", "AGI_PLUS_HALF_ACC", "END"]
"""What the die is compared with, of current values."""

VigilanceReaction = Literal["snap", "aimed", "none"]
"""The shot that a watcher fires, if any."""

VigilanceOutcome = Literal["success", "failure"]
"""Whether a watcher has noticed the enemy."""


def keeps_watch(*, shot: bool, sprinted: bool, is_down: bool, sprint_keeps_watch: bool) -> bool:
    """SQ-VIG-1: whoever ends its turn without having used the shooting phase is on watch.

    Reload, throw and melee use it, and so does a sprint unless the table says otherwise.
    Source: «если игрок закончил ход, не используя фазу стрельбы».
    """
    return not (shot or is_down or (sprinted and not sprint_keeps_watch))


def calls_for_test(trigger: VigilanceTrigger, *, is_seen: bool, was_seen: bool) -> bool:
    """SQ-VIG-2: a step or a door of an enemy in view calls for the test, once in his turn.

    `was_seen`: he was in view just before it; with the trigger `entering` that calls for none.
    Source: «и при этом в его поле зрения во время своего хода попадает противник, то игрок должен
    выкинуть куб 1d100».
    """
    return is_seen and not (trigger == "entering" and was_seen)


def vigilance_outcome(natural: int, threshold: int) -> VigilanceOutcome:
    """SQ-VIG-3: the test succeeds on less than the threshold; 1 always does, 100 never.

    Default, not in the source text, which breaks off before it.
    """
    if natural in (1, 100):
        return "success" if natural == 1 else "failure"
    return "success" if natural < threshold else "failure"


def vigilance_threshold(target: VigilanceTarget, acc: int, agi: int, end: int) -> int:
    """What the test is compared with, of current values."""
    match target:
        case "ACC":
            return acc
        case "AGI":
            return agi
        case "AGI_PLUS_HALF_ACC":
            return agi + half(acc)
        case "END":
            return end


def first_loaded(rounds: Iterable[tuple[str, int]]) -> str | None:
    """SQ-VIG-4: a watcher fires the first weapon of its list that has a round, at once.

    `rounds` are weapons with the rounds in them, in the order of the list. Without any, without a
    clear line or when suppressed that way there is no shot, and the watch ends all the same.
    Default, not in the source text.
    """
    return next((weapon for weapon, left in rounds if left > 0), None)


def goes_on(*, is_mover_down: bool) -> bool:
    """SQ-VIG-5: an enemy whom a reaction shot brings down stops; what is left is not paid.

    Default, not in the source text.
    """
    return not is_mover_down
