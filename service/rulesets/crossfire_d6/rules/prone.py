"""CF-PRONE: targets lying on the ground."""

from service.engine.vocabulary.breakdown import Modifier


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
