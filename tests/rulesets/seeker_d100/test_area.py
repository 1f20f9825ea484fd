"""SK-AREA: whom an attack with a radius hits, and in which order."""

import pytest

from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.seeker_d100.rules.area import (
    Bystander,
    area_rule,
    area_victims,
    chosen_radius,
    is_in_area,
    spares_attacker,
    victim_order,
)
from service.rulesets.seeker_d100.rules.words import Delivery, Metres

BURST = Metres(min=1, max=3)
THREE = Metres(min=3, max=3)


@pytest.mark.rule("SK-AREA-1")
@pytest.mark.parametrize(
    ("stated", "allowed", "radius"),
    [(None, BURST, 1), (1, BURST, 1), (3, BURST, 3), (None, THREE, 3), (3, THREE, 3)],
)
def test_the_attacker_chooses_from_the_range(
    stated: int | None, allowed: Metres, radius: int
) -> None:
    assert chosen_radius(stated, allowed) == radius


@pytest.mark.rule("SK-AREA-1")
def test_a_weapon_without_a_radius_has_none() -> None:
    assert chosen_radius(None, None) is None
    with pytest.raises(Refused) as refused:
        chosen_radius(1, None)
    assert (refused.value.code, refused.value.rule) == ("bad_radius", "SK-AREA-1")
    assert refused.value.params == {"radius": 1}


@pytest.mark.rule("SK-AREA-1")
@pytest.mark.parametrize("stated", [0, 4])
def test_a_radius_outside_the_range_is_refused(stated: int) -> None:
    with pytest.raises(Refused) as refused:
        chosen_radius(stated, BURST)
    assert (refused.value.code, refused.value.rule) == ("bad_radius", "SK-AREA-1")
    assert refused.value.params == {"radius": stated, "smallest": 1, "largest": 3}


@pytest.mark.rule("SK-AREA-1")
@pytest.mark.parametrize(
    ("place", "radius", "is_in"),
    [
        ((6, 8), 10, True),
        ((7, 8), 10, False),
        ((0, 0), 1, True),
        ((0, 2), 2, True),
        ((1, 2), 2, False),
    ],
)
def test_the_rim_is_inside(place: Spot, radius: int, is_in: bool) -> None:
    assert is_in_area((0, 0), place, radius) == is_in


@pytest.mark.rule("SK-AREA-2")
@pytest.mark.parametrize(
    ("delivery", "spares"), [("bullet", True), ("explosive", False), ("melee", True)]
)
def test_only_explosives_harm_who_uses_them(delivery: Delivery, spares: bool) -> None:
    assert spares_attacker(delivery) == spares


SHOT_AT = (
    Bystander("a", 1, (9, 0)),
    Bystander("t", 2, (10, 0)),
    Bystander("u", 3, (12, 0)),
    Bystander("v", 4, (11, 1)),
    Bystander("w", 5, (10, -3)),
)


@pytest.mark.rule("SK-AREA-2", "SK-AREA-3")
@pytest.mark.parametrize(
    ("delivery", "radius", "target", "victims"),
    [
        ("bullet", 2, "t", ("t", "v", "u")),
        ("bullet", 3, "t", ("t", "v", "u", "w")),
        ("bullet", 1, "t", ("t",)),
        ("explosive", 2, "t", ("t", "a", "v", "u")),
        ("explosive", 2, None, ("t", "a", "v", "u")),
        ("explosive", 2, "u", ("u", "t", "a", "v")),
    ],
)
def test_everybody_within_the_radius_is_hit(
    delivery: Delivery, radius: int, target: str | None, victims: tuple[str, ...]
) -> None:
    struck = area_victims(
        SHOT_AT, centre=(10, 0), radius_m=radius, delivery=delivery, attacker="a", target=target
    )
    assert struck == victims


@pytest.mark.rule("SK-AREA-3")
def test_at_the_same_distance_the_older_one_comes_first() -> None:
    ring = (Bystander("z", 2, (1, 0)), Bystander("y", 10, (0, 1)), Bystander("x", 9, (0, -1)))
    assert victim_order(ring, centre=(0, 0), target=None) == ("z", "x", "y")
    assert victim_order(reversed(ring), centre=(0, 0), target="y") == ("y", "z", "x")
    assert victim_order((), centre=(0, 0), target="y") == ()


@pytest.mark.rule("SK-AREA-2", "SK-CALL-6")
@pytest.mark.parametrize(
    ("delivery", "is_called", "rule"),
    [
        ("bullet", False, "SK-AREA-2"),
        ("bullet", True, "SK-CALL-6"),
        ("explosive", False, "SK-AREA-2"),
        ("explosive", True, "SK-AREA-2"),
    ],
)
def test_called_automatic_fire_goes_by_a_rule_of_its_own(
    delivery: Delivery, is_called: bool, rule: str
) -> None:
    assert area_rule(delivery, is_called=is_called) == rule
