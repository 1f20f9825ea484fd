"""SK-DMG: ordinary damage, and what a loss of hit points does."""

from typing import Final

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.checks import CRITICAL, Level
from service.rulesets.seeker_d100.rules.words import FelledState

SK_DMG_1: Final = "SK-DMG-1"
SK_DMG_4: Final = "SK-DMG-4"

NOTE_CRITICAL: Final = "critical"
"""Damage that a critical attack adds."""


NOTE_FLOOR: Final = "floor"
"""What keeps damage from falling below 0."""


def health_after(health: int, amount: int) -> int:
    """SK-DMG-1: the damage is subtracted from the target's hit points, which stop at 0.

    Source: «бросьте кубик урона оружия и вычтите результат из ОЗ цели».
    """
    return max(0, health - amount)


def rolled_damage(faces: tuple[int, ...], bonus: int) -> int:
    """SK-DMG-2: the sum of the dice and the weapon's bonus is never below 0.

    Default, not in the source text.
    """
    return max(0, sum(faces) + bonus)


def doubled_damage(amount: int, level: Level, *, critical_doubles: bool) -> int:
    """SK-DMG-3: a critical attack doubles the rolled damage, before any armour.

    `level` is that of the attack, or of the resist that counters.
    Default, not in the source text.
    """
    return 2 * amount if critical_doubles and level == CRITICAL else amount


def bonus_rules(rolled: int, bonus: int) -> tuple[str, ...]:
    """The rules by which dice and bonus come to the damage: SK-DMG-2 where it would be below 0."""
    return (SK_DMG_1, "SK-DMG-2") if rolled + bonus < 0 else (SK_DMG_1,)


def critical_line(rolled: int, dealt: int) -> Modifier | None:
    """The line of what doubling added to `rolled`; none where it added nothing."""
    if dealt == rolled:
        return None
    return Modifier(rule="SK-DMG-3", amount=dealt - rolled, note=NOTE_CRITICAL)


def felled_by(before: int, after: int, unconscious_at: int) -> FelledState | None:
    """SK-DMG-4: at 0 hit points one is dead; losing some and having few left, unconscious.

    `unconscious_at` is the most one may have left. Losing none changes nothing.
    Source: «сразу убьет цель»; unconsciousness is a default, not in the source text.
    """
    if after >= before:
        return None
    if after == 0:
        return "dead"
    return "unconscious" if after <= unconscious_at else None
