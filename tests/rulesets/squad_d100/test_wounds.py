"""SQ-WOUND: what wounds cost, how they add up, what they are called."""

import pytest
from msgspec.structs import replace

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.armour import Zone
from service.rulesets.squad_d100.rules.wounds import (
    Harm,
    Weakened,
    WoundCost,
    WoundKind,
    WoundWording,
    current_attribute,
    harm_of,
    harm_of_wound,
    heavy_wound,
    hp_after,
    is_down,
    light_wound,
    penetration_loss,
    wound_wording,
)

DAMAGE = Modifier(rule="SQ-WOUND-3", amount=20, note="damage")
WOUND = Modifier(rule="SQ-WOUND-1", amount=10, note="heavy_wound")


@pytest.mark.rule("SQ-WOUND-1")
@pytest.mark.rule("SQ-WOUND-2")
def test_what_each_wound_costs() -> None:
    assert heavy_wound() == WoundCost(hp=10, agi=5, acc=20, end=1)
    assert light_wound() == WoundCost(hp=0, agi=5, acc=10, end=1)


@pytest.mark.rule("SQ-WOUND-3")
@pytest.mark.parametrize(("damage", "loss"), [(0, 10), (1, 11), (20, 30)])
def test_a_penetration_costs_the_damage_and_ten(damage: int, loss: int) -> None:
    assert penetration_loss(damage) == loss


@pytest.mark.parametrize(
    ("zone", "harm"),
    [
        ("penetration", Harm(30, "heavy", (DAMAGE, WOUND))),
        ("green", Harm(10, "heavy", (WOUND,))),
        ("yellow", Harm(0, "light")),
        ("red", Harm(0, None)),
    ],
)
def test_what_each_zone_does_to_a_body(zone: Zone, harm: Harm) -> None:
    assert harm_of(zone, 20) == harm
    blow = [replace(line, rule="SQ-X-1") if line.note == "damage" else line for line in harm.lines]
    assert harm_of(zone, 20, "SQ-X-1") == harm._replace(lines=tuple(blow))
    assert harm.hp_loss == sum(line.amount for line in harm.lines)


def test_a_wound_without_a_hit_is_the_wound_alone() -> None:
    assert harm_of_wound("heavy") == Harm(10, "heavy", (WOUND,))
    assert harm_of_wound("light") == Harm(0, "light")


@pytest.mark.rule("SQ-WOUND-4")
@pytest.mark.parametrize(
    ("base", "attribute", "heavy", "light", "left"),
    [
        (30, "agi", 0, 0, 30),
        (30, "agi", 1, 2, 15),
        (30, "agi", 3, 3, 0),
        (30, "agi", 4, 3, 0),
        (60, "acc", 1, 2, 20),
        (60, "acc", 3, 0, 0),
        (61, "acc", 3, 0, 1),
        (60, "acc", 3, 1, 0),
        (10, "end", 4, 5, 1),
        (10, "end", 5, 5, 0),
        (10, "end", 6, 5, 0),
    ],
)
def test_wounds_add_up_and_no_attribute_falls_below_zero(
    base: int, attribute: Weakened, heavy: int, light: int, left: int
) -> None:
    assert current_attribute(base, attribute, heavy, light) == left


@pytest.mark.rule("SQ-WOUND-4")
@pytest.mark.parametrize(("loss", "left"), [(0, 30), (29, 1), (30, 0), (31, 0)])
def test_hit_points_stop_at_zero(loss: int, left: int) -> None:
    assert hp_after(30, loss) == left


@pytest.mark.rule("SQ-WOUND-5")
@pytest.mark.parametrize(
    ("kind", "is_robot", "is_burning", "wording"),
    [
        ("heavy", True, True, "module_disabled"),
        ("heavy", True, False, "module_disabled"),
        ("heavy", False, True, "severe_burns"),
        ("heavy", False, False, "broken_limb"),
        ("light", True, True, "module_damaged"),
        ("light", True, False, "module_damaged"),
        ("light", False, True, "burns"),
        ("light", False, False, "cracked_ribs"),
    ],
)
def test_a_wound_is_called_by_body_and_weapon(
    kind: WoundKind, is_robot: bool, is_burning: bool, wording: WoundWording
) -> None:
    assert wound_wording(kind, is_robot=is_robot, is_burning=is_burning) == wording


@pytest.mark.rule("SQ-WOUND-6")
@pytest.mark.parametrize(("hp", "down"), [(1, False), (0, True)])
def test_without_hit_points_one_is_down(hp: int, down: bool) -> None:
    assert is_down(hp) == down
