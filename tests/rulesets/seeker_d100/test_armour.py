"""SK-ARM: body armour, helmets and cover."""

import pytest

from service.engine.geometry.segments import Spot
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.content import BUILT_IN
from service.rulesets.seeker_d100.rules.armour import (
    Armour,
    VersusLethality,
    armour_lines,
    armour_total,
    counting_cover,
    damage_after,
    does_cover_downgrade,
    does_worn_downgrade,
    floor_line,
    helmet_value,
    material_value,
    worn_armour,
)
from service.rulesets.seeker_d100.rules.called import CalledIgnores
from service.rulesets.seeker_d100.rules.cover import CoverSegment
from service.rulesets.seeker_d100.rules.words import BodyPart, Delivery

WALL = CoverSegment(id="wall", start=(8, -5), end=(8, 5), degree="large", armour=15)
CRATE = CoverSegment(id="crate", start=(11, 1), end=(11, 2), degree="partial", armour=5)


@pytest.mark.rule("SK-ARM-1")
@pytest.mark.parametrize(
    ("damage", "armour", "lost"),
    [(3, 5, 0), (5, 5, 0), (6, 5, 1), (14, 5, 9), (12, 5, 7), (20, 20, 0), (12, 0, 12)],
)
def test_armour_takes_its_value_off(damage: int, armour: int, lost: int) -> None:
    assert damage_after(damage, armour) == lost


@pytest.mark.rule("SK-ARM-1")
@pytest.mark.parametrize(("damage", "too_much"), [(17, None), (16, None), (15, 1), (0, 16)])
def test_armour_that_stops_more_than_comes_is_a_line(damage: int, too_much: int | None) -> None:
    line = floor_line(Armour(body=5, helmet=1, cover=10), damage)
    if too_much is None:
        assert line is None
    else:
        assert line == Modifier(rule="SK-ARM-1", amount=too_much, note="floor")


@pytest.mark.rule("SK-ARM-2")
@pytest.mark.parametrize(
    ("armour", "total"),
    [
        (Armour(), 0),
        (Armour(body=5, helmet=1, cover=10), 16),
        (Armour(body=5, cover=15), 20),
        (Armour(helmet=1), 1),
        (Armour(body=5, cover=0), 5),
    ],
)
def test_body_armour_helmet_and_cover_add_up(armour: Armour, total: int) -> None:
    assert armour_total(armour) == total


@pytest.mark.rule("SK-ARM-2")
def test_each_piece_is_a_line_of_its_own() -> None:
    assert armour_lines(Armour(body=5, helmet=1, cover=10)) == (
        Modifier(rule="SK-ARM-2", amount=-5, note="body_armour"),
        Modifier(rule="SK-ARM-3", amount=-1, note="helmet"),
        Modifier(rule="SK-ARM-5", amount=-10, note="cover"),
    )
    assert armour_lines(Armour()) == armour_lines(Armour(cover=0)) == ()


@pytest.mark.rule("SK-ARM-3")
@pytest.mark.parametrize(
    ("has_helmet", "part", "value"),
    [
        (True, None, 1),
        (True, "head", 1),
        (True, "left_leg", 0),
        (False, None, 0),
        (False, "head", 0),
    ],
)
def test_a_helmet_adds_one_to_the_head_and_to_an_uncalled_attack(
    has_helmet: bool, part: BodyPart | None, value: int
) -> None:
    assert helmet_value(has_helmet=has_helmet, part=part) == value


@pytest.mark.rule("SK-ARM-3", "SK-CALL-4")
@pytest.mark.parametrize(
    ("part", "ignores", "armour"),
    [
        (None, "uncovering", Armour(body=5, helmet=1)),
        (None, "all", Armour(body=5, helmet=1)),
        ("left_leg", "uncovering", Armour()),
        ("head", "uncovering", Armour(helmet=1)),
        ("head", "all", Armour()),
        ("left_arm", "uncovering", Armour(body=5)),
        ("left_arm", "all", Armour()),
    ],
)
def test_a_called_shot_meets_what_protects_the_part(
    part: BodyPart | None, ignores: CalledIgnores, armour: Armour
) -> None:
    worn = worn_armour(5, ("torso", "left_arm"), has_helmet=True, part=part, ignores=ignores)
    assert worn == armour


@pytest.mark.rule("SK-ARM-3")
def test_a_helmet_is_worn_without_body_armour_too() -> None:
    worn = worn_armour(0, (), has_helmet=True, part=None, ignores="uncovering")
    assert worn == Armour(helmet=1)


@pytest.mark.rule("SK-ARM-4")
def test_the_values_are_those_of_the_table() -> None:
    values = {sample.id: sample.value for sample in BUILT_IN.armour}
    assert values == {
        "heavy_armour": 5,
        "wall": 5,
        "thick_door": 5,
        "car_side": 5,
        "thick_wall": 10,
        "concrete": 10,
        "stone": 10,
        "armoured_car": 10,
        "sandbag": 15,
        "reinforced_wall": 15,
        "light_tank": 20,
    }
    assert material_value("light_tank") == 20


@pytest.mark.rule("SK-ARM-4")
@pytest.mark.parametrize(
    ("damage", "armour", "lost"),
    [
        (20, Armour(cover=5), 15),
        (20, Armour(cover=10), 10),
        (20, Armour(cover=15), 5),
        (20, Armour(cover=20), 0),
        (20, Armour(body=5, cover=15), 0),
        (10, Armour(cover=5), 5),
        (10, Armour(cover=10), 0),
    ],
)
def test_what_one_hides_behind_takes_so_much_off(damage: int, armour: Armour, lost: int) -> None:
    assert damage_after(damage, armour_total(armour)) == lost


@pytest.mark.rule("SK-ARM-5")
@pytest.mark.parametrize(
    ("delivery", "burst", "is_over", "part", "victim", "cover"),
    [
        ("bullet", None, False, None, (12, 0), WALL),
        ("bullet", None, False, None, (7, 0), None),
        ("arrow", None, False, None, (12, 0), WALL),
        ("melee", None, False, None, (12, 0), None),
        ("bullet", None, False, "head", (12, 0), None),
        ("explosive", (11, 0), False, None, (12, 0), WALL),
        ("explosive", (11, 0), True, None, (12, 0), None),
        ("explosive", (11, 0), True, None, (11, 3), CRATE),
        ("explosive", (11, 0), False, None, (11, 3), WALL),
        ("explosive", (2, 0), False, None, (7, 0), None),
        ("explosive", (11, 0), True, None, (5, 0), WALL),
        ("explosive", (11, 0), False, None, (5, 0), WALL),
    ],
)
def test_cover_counts_between_the_origin_and_the_victim(
    delivery: Delivery,
    burst: Spot | None,
    is_over: bool,
    part: BodyPart | None,
    victim: Spot,
    cover: CoverSegment | None,
) -> None:
    counted = counting_cover(
        [CRATE, WALL],
        delivery=delivery,
        origin=(0, 0),
        victim=victim,
        burst=burst,
        is_over_cover=is_over,
        part=part,
    )
    assert counted == cover


@pytest.mark.rule("SK-ARM-6")
@pytest.mark.parametrize(
    ("armour", "versus", "does"),
    [
        (Armour(body=5), "none", False),
        (Armour(body=5), "downgrade", True),
        (Armour(helmet=1), "downgrade", True),
        (Armour(), "downgrade", False),
        (Armour(cover=10), "downgrade", False),
    ],
)
def test_worn_armour_turns_a_kill_into_damage_only_by_option(
    armour: Armour, versus: VersusLethality, does: bool
) -> None:
    assert does_worn_downgrade(armour, versus) == does


@pytest.mark.rule("SK-ARM-7")
@pytest.mark.parametrize(
    ("armour", "versus", "does"),
    [
        (Armour(cover=10), "downgrade", True),
        (Armour(cover=1), "downgrade", True),
        (Armour(cover=0), "downgrade", True),
        (Armour(), "downgrade", False),
        (Armour(cover=0), "none", False),
        (Armour(cover=10), "none", False),
        (Armour(body=5, helmet=1), "downgrade", False),
    ],
)
def test_cover_turns_a_kill_into_damage_unless_the_option_forbids(
    armour: Armour, versus: VersusLethality, does: bool
) -> None:
    assert does_cover_downgrade(armour, versus) == does
