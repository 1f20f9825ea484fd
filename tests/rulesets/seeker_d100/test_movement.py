"""SK-MOVE: gaits, steps and movement with a roll."""

import pytest

from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.seeker_d100.rules.movement import (
    longest_way_m,
    movement_skill,
    require_step,
    require_way,
)
from service.rulesets.seeker_d100.rules.words import Gait

DIAGONAL = tuple((i, i) for i in range(1, 7))


@pytest.mark.rule("SK-MOVE-1")
@pytest.mark.parametrize(
    ("gait", "path", "length_m"),
    [
        ("jog", ((7, 7),), 10),
        ("jog", ((10, 0),), 10),
        ("jog", DIAGONAL[:5], 10),
        ("run", ((12, 16),), 20),
        ("run", DIAGONAL, 12),
        ("dash", ((18, 24),), 30),
        ("jog", ((0, 0),), 0),
    ],
)
def test_a_way_is_as_long_as_its_legs(gait: Gait, path: tuple[Spot, ...], length_m: int) -> None:
    assert require_way((0, 0), path, gait) == length_m


@pytest.mark.rule("SK-MOVE-1")
@pytest.mark.parametrize(
    ("gait", "path", "length_m", "longest_m"),
    [
        ("jog", ((8, 7),), 11, 10),
        ("jog", ((11, 0),), 11, 10),
        ("jog", DIAGONAL, 12, 10),
        ("run", ((21, 0),), 21, 20),
        ("dash", ((18, 25),), 31, 30),
        ("dash", ((15, 0), (0, 0), (1, 0)), 31, 30),
    ],
)
def test_a_way_beyond_the_limit_is_too_far(
    gait: Gait, path: tuple[Spot, ...], length_m: int, longest_m: int
) -> None:
    with pytest.raises(Refused) as refused:
        require_way((0, 0), path, gait)
    assert (refused.value.code, refused.value.rule) == ("too_far", "SK-MOVE-1")
    assert refused.value.params == {"gait": gait, "length_m": length_m, "longest_m": longest_m}


@pytest.mark.rule("SK-MOVE-2")
@pytest.mark.parametrize(("gait", "longest_m"), [("jog", 10), ("run", 20), ("dash", 30)])
def test_gaits_differ_in_their_limit(gait: Gait, longest_m: int) -> None:
    assert longest_way_m(gait) == longest_m


@pytest.mark.rule("SK-MOVE-3")
@pytest.mark.parametrize(("dexterity", "chance"), [(0, 0), (9, 45), (10, 50), (100, 500)])
def test_a_roll_for_moving_is_against_five_times_dexterity(dexterity: int, chance: int) -> None:
    assert movement_skill(dexterity) == chance


@pytest.mark.rule("SK-MOVE-4")
@pytest.mark.parametrize(("to", "length_m"), [((2, 2), 3), ((3, 0), 3), ((0, 1), 1), ((0, 0), 0)])
def test_a_step_is_three_metres_at_most(to: Spot, length_m: int) -> None:
    assert require_step((0, 0), to) == length_m


@pytest.mark.rule("SK-MOVE-4")
@pytest.mark.parametrize("to", [(3, 1), (4, 0), (-3, -1)])
def test_a_fourth_metre_is_too_far(to: Spot) -> None:
    with pytest.raises(Refused) as refused:
        require_step((0, 0), to)
    assert (refused.value.code, refused.value.rule) == ("step_too_far", "SK-MOVE-4")
    assert refused.value.params == {"length_m": 4, "longest_m": 3}
