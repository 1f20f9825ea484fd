"""CF-UNAWARE: targets that do not expect the attack."""

from typing import Final

from msgspec import UNSET

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.facing import CF_FACE_5, Direction

CF_UNAWARE_1: Final = "CF-UNAWARE-1"


def unaware_modifier(
    *, is_unaware: bool, attacked_from: Direction, rear_is_unaware: bool
) -> Modifier | None:
    """CF-UNAWARE-1: two dice more for a melee attack on a target that does not expect it.

    With the option `rear_is_unaware` an attack from the rear counts as one, but not twice.
    The condition ends after the first attack on the target or when its turn starts (default,
    not in the source text).
    Source: the melee table's row "Цель не ожидает атаки +2к6".
    """
    is_from_rear = rear_is_unaware and attacked_from == "rear"
    if not (is_unaware or is_from_rear):
        return None
    return Modifier(
        rule=CF_UNAWARE_1,
        amount=2,
        facts={"unaware": int(is_unaware), "rear": int(is_from_rear)},
        rules=UNSET if is_unaware else (CF_FACE_5,),
    )
