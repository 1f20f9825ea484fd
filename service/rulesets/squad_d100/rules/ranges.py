"""SQ-RANGE: bands of distance, and the weapons that are at home in one of them."""

from collections.abc import Callable
from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier

SQ_RANGE_2: Final = "SQ-RANGE-2"
SQ_RANGE_3: Final = "SQ-RANGE-3"
SQ_RANGE_4: Final = "SQ-RANGE-4"

WeaponClass = Literal["pistol", "revolver", "automatic_rifle", "sniper_rifle", "other"]
Band = Literal["close_range", "medium_range", "long_range"]

LONGEST_CLOSE: Final = 2
LONGEST_MEDIUM: Final = 6
AT_HOME: Final = -10

NOTE_WEAPON_RANGE: Final = "weapon_range"


def range_band(distance: int) -> Band:
    """SQ-RANGE-1: close up to 2 cells, medium from 3 to 6, long from 7 on.

    `distance` is in cells, 0 and up.
    Source: «Ближний бой это 0-2 клетки. Средняя дистанция 3-6. Дальняя 7 и больше».
    """
    if distance <= LONGEST_CLOSE:
        return "close_range"
    return "medium_range" if distance <= LONGEST_MEDIUM else "long_range"


def handgun_modifier(weapon: WeaponClass, band: Band) -> Modifier | None:
    """SQ-RANGE-2: -10 on the roll of a pistol or revolver in the close band.

    Source: «-10 к броску на ближний бой у пистолетов и револьверов».
    """
    is_at_home = weapon in ("pistol", "revolver") and band == "close_range"
    return _line(SQ_RANGE_2) if is_at_home else None


def rifle_modifier(weapon: WeaponClass, band: Band) -> Modifier | None:
    """SQ-RANGE-3: -10 on the roll of an automatic rifle in the medium band.

    Source: «на среднюю дистанцию - для автоматов».
    """
    is_at_home = weapon == "automatic_rifle" and band == "medium_range"
    return _line(SQ_RANGE_3) if is_at_home else None


def sniper_modifier(weapon: WeaponClass, band: Band) -> Modifier | None:
    """SQ-RANGE-4: -10 on the roll of a sniper rifle in the long band.

    Source: «на дальнюю - для снайперских винтовок».
    """
    is_at_home = weapon == "sniper_rifle" and band == "long_range"
    return _line(SQ_RANGE_4) if is_at_home else None


_CLASSES: Final[tuple[Callable[[WeaponClass, Band], Modifier | None], ...]] = (
    handgun_modifier,
    rifle_modifier,
    sniper_modifier,
)


def range_modifier(weapon: WeaponClass, distance: int) -> Modifier | None:
    """SQ-RANGE-5: outside its own band a weapon has no modifier, and no shot is too far.

    `distance` is in cells, 0 and up. The source is silent about the other bands.
    """
    band = range_band(distance)
    return next((line for each in _CLASSES if (line := each(weapon, band)) is not None), None)


def _line(rule: str) -> Modifier:
    return Modifier(rule=rule, amount=AT_HOME, note=NOTE_WEAPON_RANGE)
