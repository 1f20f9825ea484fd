"""SK-LETH: weapons that hardly leave a chance."""

from typing import Final, Literal, NamedTuple

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.checks import CRITICAL, Level, is_success, level_rule
from service.rulesets.seeker_d100.rules.damage import NOTE_CRITICAL
from service.rulesets.seeker_d100.rules.words import D100

SK_LETH_1: Final = "SK-LETH-1"
SK_LETH_2: Final = "SK-LETH-2"
SK_LETH_3: Final = "SK-LETH-3"
SK_LETH_4: Final = "SK-LETH-4"
SK_LETH_5: Final = "SK-LETH-5"

LethalCritical = Literal["double", "instant"]
"""What a critical attack does: double rating and damage, or kill without a roll."""

KilledBy = Literal["attack_roll", "critical", "lethality_roll"]

LethalOutcome = Literal["success", "failure"]


class Digits(NamedTuple):
    """Percentile dice read as two d10; the digit 0 counts 10."""

    tens: int
    ones: int


class LethalTerms(NamedTuple):
    """What a lethality roll is made against, and whether its damage is doubled.

    `is_instant`: the attack kills without it.
    """

    rating: int
    is_doubled: bool
    is_instant: bool


def is_lethal(face: int, rating: int) -> bool:
    """SK-LETH-1: percentile dice at or under the rating kill; one roll for each victim.

    Source: «Вместо того, чтобы бросать обычный урон, бросьте процентные кубики на показатель
    Смертельности».
    """
    return face <= rating


def lethal_loss(health: int) -> int:
    """SK-LETH-2: a lethal success costs all the hit points that are left.

    Source: «ОЗ цели сразу же падают до 0».
    """
    return health


def digits_of(face: int) -> Digits:
    """SK-LETH-3: without a success the two digits add up as two d10; 0 counts 10, 100 is `00`.

    Source: «сложите два кубика, как если бы они были отдельными к10 (0 = 10)».
    """
    return Digits(face % D100 // 10 or 10, face % 10 or 10)


def digit_damage(face: int, *, is_doubled: bool) -> int:
    """The damage of percentile dice read digit by digit, before armour."""
    damage = sum(digits_of(face))
    return 2 * damage if is_doubled else damage


def is_killed_by_attack(
    natural: int, level: Level, rating: int, *, attack_roll_kills: bool
) -> bool:
    """SK-LETH-4: a hit whose natural attack die is at or under the rating kills by itself.

    The rating before any doubling.
    Source: «если бросок атаки … попадает имеет значение Смертельности или меньше — ОЗ цели
    мгновенно падают до 0».
    """
    return attack_roll_kills and is_success(level) and natural <= rating


def lethal_terms(rating: int, level: Level, critical: LethalCritical) -> LethalTerms:
    """SK-LETH-5: a critical attack doubles rating and damage, or kills at once (`instant`).

    Source: «критический успех … мгновенно падают до 0» against «удвойте показатель
    Смертельности и удвойте урон ОЗ».
    """
    if level != CRITICAL:
        return LethalTerms(rating, is_doubled=False, is_instant=False)
    if critical == "instant":
        return LethalTerms(rating, is_doubled=False, is_instant=True)
    return LethalTerms(2 * rating, is_doubled=True, is_instant=False)


def lethal_line(rolled: int, dealt: int) -> Modifier | None:
    """The line of what a critical attack adds to the digits; none where it added nothing."""
    if dealt == rolled:
        return None
    return Modifier(rule=SK_LETH_5, amount=dealt - rolled, note=NOTE_CRITICAL)


def lethality_outcome(face: int, rating: int) -> LethalOutcome:
    """SK-LETH-6: a lethality roll is never critical: 1, 100 and equal digits mean nothing.

    Source: «Броски на Смертельность не могут быть критическими, но броски атаки могут».
    """
    return "success" if is_lethal(face, rating) else "failure"


def die_rules(face: int, *, doubles: bool) -> tuple[str, ...]:
    """The rules of a lethality die; a face that would mark any other roll means nothing here."""
    is_marked = level_rule(face, doubles=doubles) is not None
    return (SK_LETH_1, *(("SK-LETH-6",) if is_marked else ()))


def killed_before_roll(
    natural: int,
    level: Level,
    rating: int,
    *,
    attack_roll_kills: bool,
    critical: LethalCritical,
) -> KilledBy | None:
    """SK-LETH-7: first the attack die may kill, then an instant critical, then the roll decides.

    None: a lethality roll is to be made. `rating` is the weapon's, the attack has hit.
    """
    if is_killed_by_attack(natural, level, rating, attack_roll_kills=attack_roll_kills):
        return "attack_roll"
    return "critical" if lethal_terms(rating, level, critical).is_instant else None
