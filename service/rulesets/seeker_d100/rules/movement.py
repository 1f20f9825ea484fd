"""SK-MOVE: gaits, the step beside an action, and movement with a roll."""

from typing import Final

from service.engine.geometry.segments import Spot, leg_length, way_length
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.seeker_d100.rules.checks import NOTE_GM
from service.rulesets.seeker_d100.rules.words import Gait

SK_MOVE_1: Final = "SK-MOVE-1"
SK_MOVE_3: Final = "SK-MOVE-3"
SK_MOVE_4: Final = "SK-MOVE-4"

STEP_M: Final = 3
"""How far one goes beside another action, in metres."""

_LONGEST_M: Final[dict[Gait, int]] = {"jog": 10, "run": 20, "dash": 30}
_DEXTERITY_FACTOR: Final = 5


def require_way(start: Spot, path: tuple[Spot, ...], gait: Gait) -> int:
    """SK-MOVE-1: up to 10 metres at a jog, 20 at a run, 30 at a dash.

    The length of the way in metres, each leg rounded up. Raises Refused("too_far").
    Source: «Перебежка - 10 метров, бег - 20 метров, рывок - 30 метров».
    """
    length_m, longest_m = way_length(start, path), longest_way_m(gait)
    if length_m > longest_m:
        raise Refused("too_far", rule=SK_MOVE_1, gait=gait, length_m=length_m, longest_m=longest_m)
    return length_m


def longest_way_m(gait: Gait) -> int:
    """SK-MOVE-2: the gaits differ in their limit, in metres, and in nothing else.

    Default, not in the source text.
    """
    return _LONGEST_M[gait]


def movement_skill(dexterity: int) -> int:
    """SK-MOVE-3: moving needs no roll; where one is demanded, it is against dexterity times 5.

    In per cent, before modifiers. A failure costs the action and moves nobody.
    Source: «Обычно не требует броска (в ином случае ЛОВ ×5)».
    """
    return _DEXTERITY_FACTOR * dexterity


def demanded_modifier(amount: int) -> Modifier | None:
    """What the game master adds to the test he demands of a movement, in per cent; None for 0."""
    return Modifier(rule=SK_MOVE_3, amount=amount, note=NOTE_GM) if amount else None


def require_step(start: Spot, to: Spot) -> int:
    """SK-MOVE-4: up to 3 metres while doing something else.

    The length of the step in metres. Raises Refused("step_too_far").
    Source: «До 3 метров, выполняя иное действие».
    """
    length_m = leg_length(start, to)
    if length_m > STEP_M:
        raise Refused("step_too_far", rule=SK_MOVE_4, length_m=length_m, longest_m=STEP_M)
    return length_m
