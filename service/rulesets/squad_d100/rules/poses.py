"""SQ-POSE: kneeling down, standing up, and what a kneeling body is worth to a shot."""

from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused

SQ_POSE_1: Final = "SQ-POSE-1"
SQ_POSE_2: Final = "SQ-POSE-2"
SQ_POSE_3: Final = "SQ-POSE-3"
SQ_POSE_4: Final = "SQ-POSE-4"
SQ_POSE_5: Final = "SQ-POSE-5"

SHOOTER_KNEELING: Final = -5
TARGET_KNEELING: Final = 5

NOTE_SHOOTER_KNEELING: Final = "shooter_kneeling"
NOTE_TARGET_KNEELING: Final = "target_kneeling"

KneelMove = Literal["forbid", "allow"]
"""Whether a kneeling combatant may step."""


def kneeling_price() -> int:
    """SQ-POSE-1: kneeling down costs 4 movement points.

    Source: «приседание на колено - 4 очка».
    """
    return 4


def kneeling_shooter(*, is_kneeling: bool) -> Modifier | None:
    """SQ-POSE-2: who kneels has -5 on his roll to hit with a shot or a throw.

    Source: «даёт бонус -5 к броску на точность».
    """
    if not is_kneeling:
        return None
    return Modifier(rule=SQ_POSE_2, amount=SHOOTER_KNEELING, note=NOTE_SHOOTER_KNEELING)


def kneeling_target(*, is_kneeling: bool) -> Modifier | None:
    """SQ-POSE-3: a shot at somebody who kneels has +5 on the roll.

    Source: «и +5 к аналогичному броску противника».
    """
    if not is_kneeling:
        return None
    return Modifier(rule=SQ_POSE_3, amount=TARGET_KNEELING, note=NOTE_TARGET_KNEELING)


def standing_price() -> int:
    """SQ-POSE-4: standing up costs 8 movement points.

    Source: «вставание с колен - 8 очков».
    """
    return 8


def require_upright(is_kneeling: bool, kneel_move: KneelMove, combatant: str) -> None:
    """SQ-POSE-5: a kneeling combatant cannot step, unless `kneel_move` allows it.

    The pose lasts until it stands up. Default, not in the source text.
    Raises Refused("kneeling_cannot_move").
    """
    if is_kneeling and kneel_move == "forbid":
        raise Refused("kneeling_cannot_move", rule=SQ_POSE_5, combatant=combatant)
