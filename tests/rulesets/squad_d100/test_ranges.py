"""SQ-RANGE: the bands at every limit, and each class of weapon in each of them."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.ranges import (
    Band,
    WeaponClass,
    handgun_modifier,
    range_band,
    range_modifier,
    rifle_modifier,
    sniper_modifier,
)

BANDS: tuple[Band, ...] = ("close_range", "medium_range", "long_range")
CLASSES: tuple[WeaponClass, ...] = (
    "pistol",
    "revolver",
    "automatic_rifle",
    "sniper_rifle",
    "other",
)


@pytest.mark.rule("SQ-RANGE-1")
@pytest.mark.parametrize(
    ("distance", "band"),
    [
        (0, "close_range"),
        (1, "close_range"),
        (2, "close_range"),
        (3, "medium_range"),
        (6, "medium_range"),
        (7, "long_range"),
        (255, "long_range"),
    ],
)
def test_the_bands_end_at_two_and_six_cells(distance: int, band: Band) -> None:
    assert range_band(distance) == band


@pytest.mark.rule("SQ-RANGE-2")
@pytest.mark.rule("SQ-RANGE-3")
@pytest.mark.rule("SQ-RANGE-4")
@pytest.mark.parametrize("weapon", CLASSES)
@pytest.mark.parametrize("band", BANDS)
def test_each_class_is_at_home_in_one_band(weapon: WeaponClass, band: Band) -> None:
    at_home = {
        ("pistol", "close_range"): (-10, None, None),
        ("revolver", "close_range"): (-10, None, None),
        ("automatic_rifle", "medium_range"): (None, -10, None),
        ("sniper_rifle", "long_range"): (None, None, -10),
    }
    lines = (
        handgun_modifier(weapon, band),
        rifle_modifier(weapon, band),
        sniper_modifier(weapon, band),
    )
    amounts = tuple(None if line is None else line.amount for line in lines)
    assert amounts == at_home.get((weapon, band), (None, None, None))


@pytest.mark.rule("SQ-RANGE-5")
@pytest.mark.parametrize(
    ("weapon", "rules"),
    [
        ("pistol", ("SQ-RANGE-2", "SQ-RANGE-2", None, None, None, None)),
        ("revolver", ("SQ-RANGE-2", "SQ-RANGE-2", None, None, None, None)),
        ("automatic_rifle", (None, None, "SQ-RANGE-3", "SQ-RANGE-3", None, None)),
        ("sniper_rifle", (None, None, None, None, "SQ-RANGE-4", "SQ-RANGE-4")),
        ("other", (None, None, None, None, None, None)),
    ],
)
def test_outside_its_band_a_weapon_has_no_modifier(
    weapon: WeaponClass, rules: tuple[str | None, ...]
) -> None:
    expected = [
        None if rule is None else Modifier(rule=rule, amount=-10, note="weapon_range")
        for rule in rules
    ]
    assert [range_modifier(weapon, each) for each in (0, 2, 3, 6, 7, 512)] == expected
