"""SK-COVER: what lies between, what is near, and diving behind it."""

import pytest

from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.seeker_d100.rules.cover import (
    CoverSegment,
    best_cover,
    cover_between,
    is_between,
    is_cover_near,
    require_cover_destination,
    require_cover_in_reach,
)
from service.rulesets.seeker_d100.rules.words import CoverDegree


def cover(
    start: Spot,
    end: Spot,
    armour: int = 5,
    degree: CoverDegree = "partial",
    name: str = "c",
) -> CoverSegment:
    return CoverSegment(id=name, start=start, end=end, degree=degree, armour=armour)


FENCE = cover((5, -1), (5, 4))


@pytest.mark.rule("SK-ARM-5")
@pytest.mark.parametrize(
    ("origin", "target", "does"),
    [
        ((0, 0), (6, 0), True),
        ((0, 0), (4, 0), False),
        ((0, 0), (5, 0), True),
        ((0, 0), (10, 8), True),
        ((0, 0), (10, 9), False),
        ((5, 0), (9, 0), False),
        ((5, 4), (9, 4), False),
        ((5, 5), (5, -9), True),
        ((6, 0), (9, 0), False),
        ((9, 0), (0, 0), True),
    ],
)
def test_cover_lies_between_where_the_line_touches_it(
    origin: Spot, target: Spot, does: bool
) -> None:
    assert is_between(FENCE, origin, target) == does
    assert cover_between(origin, target, [FENCE]) == (FENCE if does else None)


@pytest.mark.rule("SK-ARM-5")
def test_of_several_the_strongest_counts_then_the_large_then_the_first_by_id() -> None:
    weak = cover((1, -1), (1, 1), 5, "large", "a")
    strong = cover((2, -1), (2, 1), 10, "partial", "d")
    large = cover((3, -1), (3, 1), 10, "large", "c")
    twin = cover((4, -1), (4, 1), 10, "large", "b")
    assert best_cover(()) is None
    assert best_cover((weak, strong)) == strong
    assert best_cover((strong, large)) == large
    assert cover_between((0, 0), (9, 0), (weak, strong, large, twin)) == twin
    assert cover_between((0, 0), (3, 0), (twin, weak, strong, large)) == large


@pytest.mark.rule("SK-COVER-2")
@pytest.mark.parametrize(
    ("start", "end", "place", "is_near"),
    [
        ((5, 0), (5, 4), (2, 2), True),
        ((5, 0), (5, 4), (1, 2), False),
        ((3, 0), (0, 4), (0, 0), True),
        ((5, 0), (0, 5), (0, 0), False),
        ((5, 0), (5, 4), (5, 7), True),
        ((5, 0), (5, 4), (5, 8), False),
        ((5, 0), (5, 4), (3, 6), True),
        ((5, 0), (5, 4), (2, 5), False),
        ((5, 0), (5, 0), (2, 0), True),
        ((5, 0), (5, 0), (2, 1), False),
        ((5, 0), (5, 4), (5, 2), True),
    ],
)
def test_cover_is_taken_within_three_metres(
    start: Spot, end: Spot, place: Spot, is_near: bool
) -> None:
    wall = cover(start, end)
    assert is_cover_near(place, wall) == is_near
    if is_near:
        require_cover_in_reach(place, "c", wall)
    else:
        with pytest.raises(Refused) as refused:
            require_cover_in_reach(place, "c", wall)
        assert (refused.value.code, refused.value.rule) == ("no_cover_in_reach", "SK-COVER-2")
        assert refused.value.params == {"cover": "c", "longest_m": 3}


@pytest.mark.rule("SK-COVER-2")
def test_cover_that_does_not_exist_is_in_nobodys_reach() -> None:
    with pytest.raises(Refused) as refused:
        require_cover_in_reach((0, 0), "nowhere", None)
    assert refused.value.params == {"cover": "nowhere", "longest_m": 3}


@pytest.mark.rule("SK-COVER-1")
@pytest.mark.parametrize("to", [(6, 0), (7, 0), (5, 1), (6, 1)])
def test_one_dives_up_to_three_metres_behind_the_cover(to: Spot) -> None:
    require_cover_destination((0, 0), (4, 0), to, FENCE)


@pytest.mark.rule("SK-COVER-1")
@pytest.mark.parametrize(
    ("to", "length_m"), [((4, 3), 3), ((8, 0), 4), ((7, 1), 4), ((4, 0), 0), ((3, 0), 1)]
)
def test_too_far_or_in_front_of_it_is_no_destination(to: Spot, length_m: int) -> None:
    with pytest.raises(Refused) as refused:
        require_cover_destination((0, 0), (4, 0), to, FENCE)
    assert (refused.value.code, refused.value.rule) == ("bad_cover_destination", "SK-COVER-1")
    assert refused.value.params == {
        "cover": "c",
        "x": to[0],
        "y": to[1],
        "length_m": length_m,
        "longest_m": 3,
    }


@pytest.mark.rule("SK-COVER-1")
def test_from_a_burst_one_hides_on_the_other_side_of_it() -> None:
    require_cover_destination((9, 0), (6, 0), (4, 0), FENCE)
    with pytest.raises(Refused):
        require_cover_destination((0, 0), (6, 0), (4, 0), FENCE)
