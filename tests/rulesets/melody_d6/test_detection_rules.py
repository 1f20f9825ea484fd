"""ML-MASK-9 to -14: automatic detection, detection rolls, covert moves and open approaches."""

from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.rules.detection import (
    DetectionFrom,
    Searcher,
    approaches,
    detection_result,
    is_covert,
    is_covert_leg,
    is_detected,
    is_detected_on_way,
    is_out_of_reach,
    is_sought_in_the_open,
    may_detect_for_mover,
    nearest_searcher,
)
from service.rulesets.melody_d6.rules.geometry import Measure
from service.rulesets.melody_d6.rules.movement import Base
from tests.rulesets.melody_d6.features import building, feature, wall

MASKED = Base((22_000, 11_500), 500)


def searcher(
    name: str, x: int, y: int, *, radius: int = 500, mobility: int = 4, order: int = 0
) -> Searcher:
    return Searcher(name, Base((x, y), radius), mobility, order)


@pytest.mark.rule("ML-MASK-9")
@pytest.mark.parametrize(
    ("way", "mobility", "measure", "is_found"),
    [
        (((22_000, 16_500),), 4, "edge", True),
        (((22_000, 16_501),), 4, "edge", False),
        (((22_000, 16_501),), 5, "edge", True),
        (((22_000, 15_500),), 4, "centre", True),
        (((22_000, 15_501),), 4, "centre", False),
        (((22_000, 12_500),), 0, "edge", True),
        (((22_000, 12_501),), 0, "edge", False),
        (((19_000, 16_000), (25_000, 16_000)), 4, "edge", True),
        (((19_000, 16_000), (19_000, 19_000)), 4, "edge", False),
        (((19_000, 16_501), (25_000, 16_501)), 4, "edge", False),
        (((19_000, 16_501), (25_000, 16_501), (22_000, 16_500)), 4, "edge", True),
    ],
)
def test_nobody_is_masked_within_mobility_of_any_point_of_a_way(
    way: tuple[Spot, ...], mobility: int, measure: Measure, *, is_found: bool
) -> None:
    assert is_detected_on_way(way, 500, MASKED, mobility, measure) is is_found


@pytest.mark.rule("ML-MASK-10")
@pytest.mark.parametrize(
    ("is_of_active_unit", "is_steady", "detection_from", "may"),
    [
        (True, True, "active_unit", True),
        (True, False, "active_unit", False),
        (False, True, "active_unit", False),
        (False, True, "side", True),
        (False, False, "side", False),
    ],
)
def test_the_active_unit_detects_or_its_whole_side(
    detection_from: DetectionFrom, *, is_of_active_unit: bool, is_steady: bool, may: bool
) -> None:
    assert (
        may_detect_for_mover(
            is_of_active_unit=is_of_active_unit, is_steady=is_steady, detection_from=detection_from
        )
        is may
    )


@pytest.mark.rule("ML-MASK-11")
def test_those_are_tested_who_approached_and_are_masked_still() -> None:
    assert [
        is_sought_in_the_open(is_masked=masked, is_approaching=approaching)
        for masked, approaching in [(True, True), (True, False), (False, True), (False, False)]
    ] == [True, False, False, False]


@pytest.mark.rule("ML-MASK-12")
@pytest.mark.parametrize(
    ("die", "masked", "measure", "is_found"),
    [
        (4, (22_000, 11_500), "edge", True),
        (3, (22_000, 11_500), "edge", False),
        (4, (22_000, 11_499), "edge", False),
        (5, (22_000, 11_500), "centre", True),
        (4, (22_000, 11_500), "centre", False),
    ],
)
def test_a_result_reaches_so_many_steps(
    die: int, masked: Spot, measure: Measure, *, is_found: bool
) -> None:
    found = is_detected(
        detection_result(die, 4), Base((22_000, 20_500), 500), Base(masked, 500), measure
    )
    assert found is is_found


@pytest.mark.rule("ML-MASK-12")
def test_one_die_finds_whom_it_reaches() -> None:
    scout = Base((10_000, 18_000), 500)
    first, second = Base((10_000, 10_000), 500), Base((13_000, 10_000), 500)
    assert [
        (is_detected(4 + die, scout, first, "edge"), is_detected(4 + die, scout, second, "edge"))
        for die in (2, 3, 4)
    ] == [(False, False), (True, False), (True, True)]


@pytest.mark.rule("ML-MASK-13")
@pytest.mark.parametrize(("y", "is_out"), [(22_500, False), (22_501, True)])
def test_no_die_is_rolled_that_reaches_nobody(y: int, *, is_out: bool) -> None:
    far_off = Base((0, 0), 500)
    assert is_out_of_reach(searcher("s", 22_000, y), (far_off, MASKED), "edge") is is_out


@pytest.mark.rule("ML-MASK-13")
def test_nobody_is_in_reach_where_nobody_is_masked() -> None:
    assert is_out_of_reach(searcher("s", 22_000, 11_500), (), "edge") is True


def test_the_nearest_is_judged_by_the_edge_then_mobility_then_upload() -> None:
    masked = (Base((10_000, 10_000), 500),)
    first = searcher("first", 16_000, 10_000, order=0)
    broad = searcher("broad", 10_000, 16_400, radius=1000, order=1)
    level = searcher("level", 10_000, 16_500, radius=1000, order=1)
    quick = searcher("quick", 4_000, 10_000, mobility=5, order=2)
    assert nearest_searcher((first, broad), masked, "edge") == broad
    assert nearest_searcher((first, broad), masked, "centre") == first
    assert nearest_searcher((level, first), masked, "edge") == first
    assert nearest_searcher((first, level, quick), masked, "edge") == quick
    assert nearest_searcher((first, broad), (*masked, Base((17_500, 10_000), 500)), "edge") == first
    assert nearest_searcher((), masked, "edge") is None
    assert nearest_searcher((first,), (), "edge") is None


@pytest.mark.rule("ML-MASK-14")
@pytest.mark.parametrize(
    ("start", "end", "is_behind"),
    [
        ((20_000, 11_500), (23_900, 11_500), True),
        ((22_000, 11_900), (25_200, 11_300), True),
        ((22_000, 11_901), (22_000, 11_500), False),
        ((22_000, 11_500), (22_000, 11_901), False),
        ((22_000, 10_200), (22_000, 9_000), True),
    ],
)
def test_a_leg_is_covert_with_both_ends_behind_one_feature(
    start: Spot, end: Spot, *, is_behind: bool
) -> None:
    covert = is_covert_leg(Base(start, 500), Base(end, 500), (wall(),), 1000, "edge")
    assert covert is is_behind


@pytest.mark.rule("ML-MASK-14")
def test_corners_hide_by_their_edges_too_and_features_do_not_add_up() -> None:
    along = (Base((11_400, 9_000), 500), Base((11_400, 11_000), 500))
    assert is_covert_leg(*along, (building(),), 1000, "edge") is True
    assert is_covert_leg(*along, (building()._replace(mask_mode="none"),), 1000, "edge") is False
    between = (Base((22_000, 11_500), 500), Base((26_000, 11_500), 500))
    column = feature("column", (26_000, 10_000, 26_600, 10_600))
    assert is_covert_leg(*between, (wall(), column), 1000, "edge") is False


@pytest.mark.rule("ML-MASK-14")
def test_a_path_is_covert_if_all_its_legs_are() -> None:
    there, out, back = (22_000, 11_500), (22_000, 14_000), (23_000, 11_500)
    assert is_covert((there, back), 500, (wall(),), 1000, "edge") is True
    assert is_covert((there, out, back), 500, (wall(),), 1000, "edge") is False
    assert is_covert((there, back), 500, (wall(),), 599, "edge") is False
    assert is_covert((there, back), 500, (wall(),), 600, "edge") is True


@pytest.mark.parametrize(
    ("end", "is_nearer"),
    [((23_000, 11_500), True), ((21_000, 11_500), False), ((22_000, 11_500), False)],
)
def test_an_approach_ends_nearer_to_some_enemy(end: Spot, *, is_nearer: bool) -> None:
    start = (22_000, 11_500)
    assert approaches(start, end, [(23_000, 30_000), (24_000, 30_000)]) is is_nearer
    assert approaches(start, end, []) is False


spots = st.tuples(st.integers(0, 40_000), st.integers(0, 40_000))
bodies = st.builds(Base, spots, st.integers(100, 5000))


@given(
    searchers=st.lists(st.tuples(bodies, st.integers(0, 2)), min_size=1, max_size=5),
    masked=st.lists(bodies, min_size=1, max_size=4),
)
def test_the_nearest_is_nearest_by_roots_of_high_precision(
    searchers: list[tuple[Base, int]], masked: list[Base]
) -> None:
    looking = [
        Searcher(str(order), base, mobility, order)
        for order, (base, mobility) in enumerate(searchers)
    ]
    with localcontext() as context:
        context.prec = 60

        def gap(each: Searcher) -> Decimal:
            (x, y), radius = each.base
            return min(
                Decimal((x - m.spot[0]) ** 2 + (y - m.spot[1]) ** 2).sqrt() - radius - m.radius
                for m in masked
            )

        expected = min(looking, key=lambda each: (gap(each), -each.mobility, each.order))
    assert nearest_searcher(looking, masked, "edge") == expected
