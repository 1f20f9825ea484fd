"""SK-CHECK: chances, natural faces and levels of success.

All of it is default, not in the source text, which presupposes a chapter on checks.
"""

from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta

from service.engine.vocabulary.breakdown import Modifier, total
from service.rulesets.seeker_d100.rules.words import D100

SK_CHECK_1: Final = "SK-CHECK-1"

Level = Annotated[int, Meta(ge=0, le=3)]
"""How good a roll was: fumble 0, failure 1, success 2, critical success 3."""

FUMBLE: Final = 0
FAILURE: Final = 1
SUCCESS: Final = 2
CRITICAL: Final = 3

CheckOutcome = Literal["fumble", "failure", "success", "critical"]

OUTCOMES: Final[tuple[CheckOutcome, ...]] = ("fumble", "failure", "success", "critical")
"""The outcome words of checks by level."""

NOTE_GM: Final = "gm"
"""A modifier the game master gave."""


class CheckRoll(NamedTuple):
    """A percentile roll as it is compared with another: its natural face and its level."""

    natural: int
    level: Level


def chance_of(skill: int, lines: tuple[Modifier, ...]) -> int:
    """SK-CHECK-1: the chance in per cent is the skill plus all modifiers, without floor or cap.

    Source: «это проверка навыков, чтобы увидеть, попадает ли».
    """
    return skill + total(lines)


def gm_modifier(amount: int) -> Modifier | None:
    """The line of what the game master adds to the next roll; none for 0."""
    return Modifier(rule=SK_CHECK_1, amount=amount, note=NOTE_GM) if amount else None


def fixed_level(natural: int) -> Level | None:
    """SK-CHECK-2: a natural 1 always is a critical success, a natural 100 always a fumble.

    None for every other face. Source: «критический успех».
    """
    if natural == 1:
        return CRITICAL
    return FUMBLE if natural == D100 else None


def is_double(natural: int) -> bool:
    """SK-CHECK-3: equal digits, 11 to 99, make a success critical and a failure a fumble.

    `00` is no double: it is 100. Default, not in the source text.
    """
    return natural < D100 and natural % 11 == 0


def level_of(natural: int, chance: int, *, doubles: bool) -> Level:
    """SK-CHECK-4: critical success 3, success 2, failure 1, fumble 0.

    A roll at or under the chance succeeds. `doubles`: whether equal digits count.
    Default, not in the source text.
    """
    fixed = fixed_level(natural)
    if fixed is not None:
        return fixed
    is_marked = doubles and is_double(natural)
    if natural <= chance:
        return CRITICAL if is_marked else SUCCESS
    return FUMBLE if is_marked else FAILURE


def level_rule(natural: int, *, doubles: bool) -> str | None:
    """The rule by which a face alone makes a roll critical or a fumble; None where none does."""
    if fixed_level(natural) is not None:
        return "SK-CHECK-2"
    return "SK-CHECK-3" if doubles and is_double(natural) else None


def check_roll(natural: int, chance: int, *, doubles: bool) -> CheckRoll:
    """A roll against a chance, ready to be compared with another."""
    return CheckRoll(natural, level_of(natural, chance, doubles=doubles))


def is_success(level: Level) -> bool:
    """Whether a level is one of success."""
    return level >= SUCCESS
