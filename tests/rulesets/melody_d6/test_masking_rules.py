"""ML-MASK: who may mask and where, and what gives a masked warrior away."""

import pytest

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.rules.geometry import Measure
from service.rulesets.melody_d6.rules.masking import (
    Attack,
    MaskLeavingCover,
    becomes_masked,
    is_given_away_by_attack,
    is_given_away_by_song,
    is_mask_lost_at,
    is_masking_place,
    is_movement_over,
    require_masked_before,
    require_no_attack,
    require_no_masked_target,
    require_points,
    require_undeclared,
)
from service.rulesets.melody_d6.rules.movement import Base
from service.rulesets.melody_d6.terrain import FeatureKind
from tests.rulesets.melody_d6.features import WALL, building, feature, wall
from tests.rulesets.melody_d6.refusals import Refusal, refusal


@pytest.mark.rule("ML-MASK-1")
def test_masking_has_its_price_once_an_activation() -> None:
    assert [require_points(fp, cost) for fp, cost in [(3, 1), (1, 1), (0, 0), (5, 5)]] == [
        2,
        0,
        0,
        0,
    ]
    told: Refusal = ("insufficient_fp", "ML-MASK-1", {"fp": 0, "needed": 1})

    def require() -> None:
        require_points(0, 1)

    assert refusal(require) == told
    assert refusal(lambda: require_undeclared(is_declared=False)) is None
    told = ("mask_already_declared", "ML-MASK-1", {})
    assert refusal(lambda: require_undeclared(is_declared=True)) == told


@pytest.mark.rule("ML-MASK-2")
def test_moving_and_masking_end_a_movement() -> None:
    assert [
        is_movement_over(has_moved=moved, has_masked=masked)
        for moved, masked in [(False, False), (True, False), (False, True), (True, True)]
    ] == [False, True, True, True]


@pytest.mark.rule("ML-MASK-3")
@pytest.mark.parametrize(
    ("spot", "measure", "is_place"),
    [
        ((22_000, 11_900), "edge", True),
        ((22_000, 11_901), "edge", False),
        ((25_200, 11_300), "edge", True),
        ((25_201, 11_300), "edge", False),
        ((22_000, 10_200), "edge", True),
        ((22_000, 11_400), "centre", True),
        ((22_000, 11_401), "centre", False),
    ],
)
def test_one_masks_near_an_edge(spot: Spot, measure: Measure, *, is_place: bool) -> None:
    assert is_masking_place(Base(spot, 500), (wall(),), 1000, measure) is is_place


@pytest.mark.rule("ML-MASK-3")
@pytest.mark.parametrize(
    ("spot", "measure", "is_place"),
    [
        ((11_400, 10_000), "edge", False),
        ((11_100, 6_800), "edge", True),
        ((11_099, 6_800), "edge", False),
        ((11_400, 7_200), "centre", True),
        ((11_399, 7_200), "centre", False),
        ((13_000, 10_000), "edge", False),
    ],
)
def test_buildings_serve_at_their_corners_alone(
    spot: Spot, measure: Measure, *, is_place: bool
) -> None:
    assert is_masking_place(Base(spot, 500), (wall(), building()), 1000, measure) is is_place


@pytest.mark.rule("ML-MASK-3")
@pytest.mark.parametrize(
    ("kind", "is_place"),
    [("low_wall", True), ("column", True), ("rock", True), ("debris", True), ("other", False)],
)
def test_what_a_feature_is_called_says_whether_it_hides(
    kind: FeatureKind, *, is_place: bool
) -> None:
    base = Base((22_000, 10_900), 500)
    assert is_masking_place(base, (feature(kind, WALL),), 1000, "edge") is is_place
    assert is_masking_place(base, (feature(kind, WALL, "edge"),), 0, "edge") is True
    assert is_masking_place(base, (feature(kind, WALL, "none"),), 5000, "edge") is False
    assert is_masking_place(base, (), 5000, "edge") is False


@pytest.mark.rule("ML-MASK-4")
def test_whoever_is_there_still_and_steady_is_masked() -> None:
    assert [
        becomes_masked(is_on_table=there, is_fleeing=fleeing)
        for there, fleeing in [(True, False), (True, True), (False, False), (False, True)]
    ] == [True, False, False, False]


@pytest.mark.rule("ML-MASK-5")
def test_a_masked_warrior_is_no_target() -> None:
    assert refusal(lambda: require_no_masked_target("a", is_masked=False)) is None
    told = ("target_masked", "ML-MASK-5", {"target": "a"})
    assert refusal(lambda: require_no_masked_target("a", is_masked=True)) == told


@pytest.mark.rule("ML-MASK-6")
@pytest.mark.parametrize(
    ("attack", "is_unnoticed", "is_given_away"),
    [
        ("shoot", True, False),
        ("shoot", False, True),
        ("charge", False, True),
        ("charge", True, True),
        ("fight", True, True),
    ],
)
def test_attacks_give_away_but_for_a_shot_unnoticed(
    attack: Attack, *, is_unnoticed: bool, is_given_away: bool
) -> None:
    assert is_given_away_by_attack(attack, is_unnoticed=is_unnoticed) is is_given_away


@pytest.mark.rule("ML-MASK-7")
@pytest.mark.parametrize("singing_reveals", [True, False])
def test_songs_give_away_where_the_table_says_so(*, singing_reveals: bool) -> None:
    assert is_given_away_by_song(singing_reveals=singing_reveals) is singing_reveals


@pytest.mark.rule("ML-MASK-8")
def test_attack_and_masking_bar_each_other_in_a_turn() -> None:
    assert refusal(lambda: require_no_attack("a", attacked=False)) is None
    told: Refusal = ("attacked_this_turn", "ML-MASK-8", {"combatant": "a"})
    assert refusal(lambda: require_no_attack("a", attacked=True)) == told
    assert refusal(lambda: require_masked_before("a", masked_this_turn=False)) is None
    told = ("masked_this_turn", "ML-MASK-8", {"combatant": "a"})
    assert refusal(lambda: require_masked_before("a", masked_this_turn=True)) == told


@pytest.mark.rule("ML-MASK-15")
@pytest.mark.parametrize(
    ("is_place", "leaving_cover", "is_lost"),
    [(True, "lost", False), (True, "kept", False), (False, "lost", True), (False, "kept", False)],
)
def test_an_end_in_the_open_takes_masking_unless_it_is_kept(
    leaving_cover: MaskLeavingCover, *, is_place: bool, is_lost: bool
) -> None:
    assert is_mask_lost_at(is_place=is_place, leaving_cover=leaving_cover) is is_lost
