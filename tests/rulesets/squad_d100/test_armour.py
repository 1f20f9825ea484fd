"""SQ-AP: reasons in their order, the swap of digits, and the table at every border."""

import pytest

from service.rulesets.squad_d100.rules.armour import (
    UNIVERSAL_TABLE,
    ArmourOptions,
    ArmourRuling,
    UniversalTable,
    armour_reason,
    armour_ruling,
    is_green,
    is_penetrated,
    is_red,
    is_yellow,
    require_table,
    ruling_rules,
    swapped,
    table_column,
    zone_of,
)
from tests.rulesets.squad_d100.refusals import refusal

DEFAULTS = ArmourOptions()
PENETRATE = ArmourOptions(ap_equal="penetrate")
BY_CLASS = ArmourOptions(unarmoured="by_class")


@pytest.mark.rule("SQ-AP-1")
@pytest.mark.parametrize(
    ("ap_class", "armour_class", "options", "is_critical", "reason"),
    [
        (0, 9, DEFAULTS, True, "critical"),
        (0, 0, DEFAULTS, True, "critical"),
        (0, 0, DEFAULTS, False, "no_armour"),
        (9, 0, DEFAULTS, False, "no_armour"),
        (0, 0, BY_CLASS, False, "table"),
        (0, 0, BY_CLASS._replace(ap_equal="penetrate"), False, "ap_equal_option"),
        (1, 0, BY_CLASS, False, "ap_greater"),
        (3, 4, DEFAULTS, False, "table"),
        (4, 4, DEFAULTS, False, "table"),
        (5, 4, DEFAULTS, False, "ap_greater"),
        (3, 4, PENETRATE, False, "table"),
        (4, 4, PENETRATE, False, "ap_equal_option"),
        (5, 4, PENETRATE, False, "ap_greater"),
    ],
)
def test_a_hit_penetrates_or_goes_to_the_table(
    ap_class: int, armour_class: int, options: ArmourOptions, is_critical: bool, reason: str
) -> None:
    assert armour_reason(ap_class, armour_class, options, is_critical=is_critical) == reason


@pytest.mark.rule("SQ-AP-2")
@pytest.mark.parametrize(
    ("natural", "number"),
    [(17, 71), (5, 50), (40, 4), (11, 11), (100, 100), (1, 10), (10, 1), (99, 99), (90, 9)],
)
def test_the_digits_of_the_natural_die_change_places(natural: int, number: int) -> None:
    assert swapped(natural) == number


@pytest.mark.rule("SQ-AP-2")
def test_no_two_faces_come_to_the_same_number() -> None:
    faces = range(1, 101)
    assert sorted(map(swapped, faces)) == list(faces)


@pytest.mark.rule("SQ-AP-3")
@pytest.mark.parametrize(
    ("ap_class", "armour_class", "column"),
    [(4, 4, 0), (3, 4, 1), (0, 4, 4), (0, 5, 5), (0, 6, 5), (0, 100, 5)],
)
def test_the_last_column_is_for_five_and_more(
    ap_class: int, armour_class: int, column: int
) -> None:
    assert table_column(ap_class, armour_class) == column


@pytest.mark.rule("SQ-AP-4")
@pytest.mark.rule("SQ-AP-5")
@pytest.mark.rule("SQ-AP-6")
@pytest.mark.rule("SQ-AP-7")
@pytest.mark.parametrize("column", range(6))
def test_the_zones_of_a_column_end_at_their_bounds(column: int) -> None:
    bounds = UNIVERSAL_TABLE[column]
    below, green, yellow = bounds
    zones = {
        "penetration": range(1, below + 1),
        "green": range(below + 1, green + 1),
        "yellow": range(green + 1, yellow + 1),
        "red": range(yellow + 1, 101),
    }
    for zone, numbers in zones.items():
        for number in numbers:
            claims = (
                is_penetrated(number, bounds),
                is_green(number, bounds),
                is_yellow(number, bounds),
                is_red(number, bounds),
            )
            assert claims == tuple(each == zone for each in zones)
            assert zone_of(number, bounds) == zone


@pytest.mark.rule("SQ-AP-3")
def test_the_default_table_is_the_catalogues() -> None:
    assert UNIVERSAL_TABLE == (
        (50, 70, 90),
        (40, 65, 85),
        (30, 55, 80),
        (20, 45, 70),
        (10, 30, 60),
        (0, 20, 50),
    )


@pytest.mark.parametrize(
    ("natural", "ap_class", "armour_class", "is_critical", "ruling", "last"),
    [
        (17, 3, 4, False, ArmourRuling("table", "yellow", 71, 1), "SQ-AP-6"),
        (4, 3, 4, False, ArmourRuling("table", "penetration", 40, 1), "SQ-AP-4"),
        (14, 3, 4, False, ArmourRuling("table", "green", 41, 1), "SQ-AP-5"),
        (68, 3, 4, False, ArmourRuling("table", "red", 86, 1), "SQ-AP-7"),
        (10, 0, 7, False, ArmourRuling("table", "green", 1, 5), "SQ-AP-5"),
        (1, 0, 7, True, ArmourRuling("critical", "penetration"), "SQ-AP-1"),
        (30, 3, 0, False, ArmourRuling("no_armour", "penetration"), "SQ-AP-1"),
        (30, 5, 4, False, ArmourRuling("ap_greater", "penetration"), "SQ-AP-1"),
    ],
)
def test_a_ruling_says_why_and_by_which_column(
    natural: int,
    ap_class: int,
    armour_class: int,
    is_critical: bool,
    ruling: ArmourRuling,
    last: str,
) -> None:
    ruled = armour_ruling(natural, ap_class, armour_class, DEFAULTS, is_critical=is_critical)
    rules = ("SQ-AP-1",) if last == "SQ-AP-1" else ("SQ-AP-1", "SQ-AP-2", "SQ-AP-3", last)
    assert (ruled, ruling_rules(ruled)) == (ruling, rules)


@pytest.mark.rule("SQ-AP-3")
@pytest.mark.parametrize(
    ("column", "is_refused"),
    [
        ((0, 0, 0), False),
        ((100, 100, 100), False),
        ((-1, 0, 0), True),
        ((1, 0, 0), True),
        ((0, 1, 0), True),
        ((0, 0, 101), True),
    ],
)
def test_the_bounds_of_a_column_ascend_from_0_to_100(
    column: tuple[int, int, int], is_refused: bool
) -> None:
    table = (*UNIVERSAL_TABLE[:5], column)
    facts: dict[str, object] = {"column": 5, "bounds": list(column)}
    expected = ("bad_universal_table", "SQ-AP-3", facts) if is_refused else None
    assert refusal(lambda: require_table(table)) == expected


@pytest.mark.rule("SQ-AP-3")
@pytest.mark.parametrize("table", [UNIVERSAL_TABLE[:5], (*UNIVERSAL_TABLE, (0, 0, 0))])
def test_a_table_has_six_columns(table: UniversalTable) -> None:
    facts: dict[str, object] = {"columns": len(table), "allowed": 6}
    assert refusal(lambda: require_table(table)) == ("bad_universal_table", "SQ-AP-3", facts)
