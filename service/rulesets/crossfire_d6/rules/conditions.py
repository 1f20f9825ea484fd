"""CF-PRONE, CF-HELP and CF-UNAWARE: what the state of the target does to an attack on it."""

from typing import Final

from msgspec import UNSET

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.facing import CF_FACE_5, Direction

CF_HELP_1: Final = "CF-HELP-1"
CF_UNAWARE_1: Final = "CF-UNAWARE-1"


def prone_ranged_modifier(*, is_prone: bool) -> Modifier | None:
    """CF-PRONE-1: one die less for shooting at a prone target.

    Source: "труднее совершать дальнобойные атаки (штраф -1к6)".
    """
    return Modifier(rule="CF-PRONE-1", amount=-1) if is_prone else None


def prone_melee_modifier(*, is_prone: bool) -> Modifier | None:
    """CF-PRONE-2: two dice more for a melee attack on a prone target.

    Source: "легче попасть рукопашной атакой (+2к6)".
    """
    return Modifier(rule="CF-PRONE-2", amount=2) if is_prone else None


def is_automatic_critical(*, is_melee: bool, is_helpless: bool) -> bool:
    """CF-HELP-1: a melee attack on a helpless target is a critical hit without any attack roll.

    A shot at a helpless target is rolled like any other.
    Source: the melee table's row "Беспомощная цель: Автокрит".
    """
    return is_melee and is_helpless


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
