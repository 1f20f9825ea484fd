"""SQ-AP: what a hit does to armour: nothing but a hit, or the table by the swapped digits."""

from typing import Final, Literal, NamedTuple

from service.errors import Refused

SQ_AP_1: Final = "SQ-AP-1"
SQ_AP_2: Final = "SQ-AP-2"
SQ_AP_3: Final = "SQ-AP-3"
SQ_AP_4: Final = "SQ-AP-4"
SQ_AP_5: Final = "SQ-AP-5"
SQ_AP_6: Final = "SQ-AP-6"
SQ_AP_7: Final = "SQ-AP-7"

Zone = Literal["penetration", "green", "yellow", "red"]
ArmourReason = Literal["critical", "no_armour", "ap_greater", "ap_equal_option", "table"]
ApEqual = Literal["table", "penetrate"]
Unarmoured = Literal["penetrate", "by_class"]

ZoneBounds = tuple[int, int, int]
"""Highest number below green, highest green, highest yellow one of a column of the table."""

UniversalTable = tuple[ZoneBounds, ...]
"""The bounds of the columns 0 to 5."""

DEEPEST: Final = 5

UNIVERSAL_TABLE: Final[UniversalTable] = (
    (50, 70, 90),
    (40, 65, 85),
    (30, 55, 80),
    (20, 45, 70),
    (10, 30, 60),
    (0, 20, 50),
)
"""The default table, not in the source text."""


class ArmourOptions(NamedTuple):
    """What the table has chosen about armour."""

    ap_equal: ApEqual = "table"
    unarmoured: Unarmoured = "penetrate"
    table: UniversalTable = UNIVERSAL_TABLE


class ArmourRuling(NamedTuple):
    """What a hit comes to: why, and by the table the swapped number and the column."""

    reason: ArmourReason
    zone: Zone
    swapped: int | None = None
    column: int | None = None


def armour_reason(
    ap_class: int, armour_class: int, options: ArmourOptions, *, is_critical: bool
) -> ArmourReason:
    """SQ-AP-1: a critical success penetrates, no armour, a higher class; all else is the table's.

    Equal classes go to the table, or penetrate with `ap_equal` = `penetrate`. Armour class 0 is no
    armour, unless `unarmoured` = `by_class`.
    Source: «если при попадании класс бронепробиваемости оружия меньше класса брони цели…».
    """
    if is_critical:
        return "critical"
    if armour_class == 0 and options.unarmoured == "penetrate":
        return "no_armour"
    if ap_class > armour_class:
        return "ap_greater"
    is_penetrated = ap_class == armour_class and options.ap_equal == "penetrate"
    return "ap_equal_option" if is_penetrated else "table"


def swapped(natural: int) -> int:
    """SQ-AP-2: the two digits of the natural die change places.

    17 is 71, 5 (`05`) is 50, 40 is 04, and 100 (`00`) stays 100.
    Source: «производится перестановка цифр (например, 17 на стрельбу = 71 на пробитие)».
    """
    tens, ones = divmod(natural % 100, 10)
    return 10 * ones + tens or 100


def table_column(ap_class: int, armour_class: int) -> int:
    """SQ-AP-3: the column is how far armour exceeds the class of the weapon, 5 and more alike.

    Source: «Полученное значение сверяется с универсальной таблицей».
    """
    return min(armour_class - ap_class, DEEPEST)


def is_penetrated(number: int, bounds: ZoneBounds) -> bool:
    """SQ-AP-4: below the green zone armour is penetrated.

    Source: «ниже зелёной зоны - пробитие брони (цель получает полный урон плюс тяжёлое ранение)».
    """
    return number <= bounds[0]


def is_green(number: int, bounds: ZoneBounds) -> bool:
    """SQ-AP-5: in the green zone armour holds, and the wound is heavy.

    Source: «зелёный результат - броня не пробита, нанесено тяжёлое ранение».
    """
    return bounds[0] < number <= bounds[1]


def is_yellow(number: int, bounds: ZoneBounds) -> bool:
    """SQ-AP-6: in the yellow zone armour holds, and the wound is light.

    Source: «жёлтый - броня не пробита, нанесено несмертельное ранение … без снятия HP».
    """
    return bounds[1] < number <= bounds[2]


def is_red(number: int, bounds: ZoneBounds) -> bool:
    """SQ-AP-7: in the red zone armour holds, and nothing happens.

    Source: «красный - броня не пробита».
    """
    return number > bounds[2]


def zone_of(number: int, bounds: ZoneBounds) -> Zone:
    """The zone of a column in which a number lies."""
    if is_red(number, bounds):
        return "red"
    if is_yellow(number, bounds):
        return "yellow"
    return "green" if is_green(number, bounds) else "penetration"


def armour_ruling(
    natural: int, ap_class: int, armour_class: int, options: ArmourOptions, *, is_critical: bool
) -> ArmourRuling:
    """What a hit with this natural die does to the armour."""
    reason = armour_reason(ap_class, armour_class, options, is_critical=is_critical)
    if reason != "table":
        return ArmourRuling(reason, "penetration")
    number, column = swapped(natural), table_column(ap_class, armour_class)
    return ArmourRuling(reason, zone_of(number, options.table[column]), number, column)


_RULES: Final[dict[Zone, str]] = {
    "penetration": SQ_AP_4,
    "green": SQ_AP_5,
    "yellow": SQ_AP_6,
    "red": SQ_AP_7,
}


def ruling_rules(ruling: ArmourRuling) -> tuple[str, ...]:
    """The rules that led to the zone of a hit, in their order."""
    if ruling.reason != "table":
        return (SQ_AP_1,)
    return (SQ_AP_1, SQ_AP_2, SQ_AP_3, _RULES[ruling.zone])


def require_table(table: UniversalTable) -> None:
    """Six columns, in each 0 <= p <= g <= y <= 100. Raises Refused("bad_universal_table")."""
    if len(table) != DEEPEST + 1:
        raise Refused("bad_universal_table", rule=SQ_AP_3, columns=len(table), allowed=DEEPEST + 1)
    for column, bounds in enumerate(table):
        if not 0 <= bounds[0] <= bounds[1] <= bounds[2] <= 100:
            raise Refused("bad_universal_table", rule=SQ_AP_3, column=column, bounds=list(bounds))
