"""TD-SD and TD-GEO-2: initiative, hits, damage, range and distances."""

import pytest

from service.engine.geometry.distance import DiagonalRule
from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.rules.defaults import (
    Initiative,
    attack_outcome,
    damage_dealt,
    damage_pool,
    felled_condition,
    initiative_order,
    range_increments,
    range_modifier,
    require_in_range,
)
from service.rulesets.tactical_d20.rules.geometry import (
    are_adjacent,
    cell_distance_ft,
    distance_ft,
    feature_distance_ft,
    path_length_ft,
)
from service.rulesets.tactical_d20.rules.words import Outcome
from tests.rulesets.tactical_d20.scenes import refusal


@pytest.mark.rule("TD-SD-1")
def test_the_higher_total_then_the_higher_bonus_then_the_earlier_acts_first() -> None:
    rolled = (
        Initiative(id="late", number=3, bonus=2, total=14),
        Initiative(id="plain", number=0, bonus=0, total=14),
        Initiative(id="best", number=4, bonus=-1, total=15),
        Initiative(id="early", number=1, bonus=2, total=14),
    )
    assert initiative_order(rolled) == ("best", "early", "late", "plain")


@pytest.mark.rule("TD-SD-2")
@pytest.mark.parametrize(
    ("natural", "bonus", "ac", "outcome"),
    [
        (9, 5, 15, "miss"),
        (10, 5, 15, "hit"),
        (11, 5, 15, "hit"),
        (1, 50, 15, "miss"),
        (2, 50, 15, "hit"),
        (19, -50, 15, "miss"),
        (20, -6, 15, "hit"),
        (20, -5, 15, "critical"),
        (20, -4, 15, "critical"),
    ],
)
def test_a_hit_reaches_the_armour_class(natural: int, bonus: int, ac: int, outcome: str) -> None:
    assert attack_outcome(natural, bonus, ac) == outcome


@pytest.mark.rule("TD-SD-2")
@pytest.mark.parametrize(
    ("outcome", "pool"),
    [("hit", (2, 3)), ("critical", (4, 6)), ("miss", (0, 0)), ("miss_concealment", (0, 0))],
)
def test_a_critical_hit_rolls_everything_twice(outcome: Outcome, pool: tuple[int, int]) -> None:
    assert damage_pool(2, 3, outcome) == pool


@pytest.mark.parametrize(
    ("faces", "bonus", "damage"), [((3, 4), 2, 9), ((), 1, 1), ((1,), -1, 0), ((1,), -2, 0)]
)
def test_damage_is_never_below_zero(faces: tuple[int, ...], bonus: int, damage: int) -> None:
    assert damage_dealt(faces, bonus) == damage


@pytest.mark.rule("TD-SD-3")
@pytest.mark.parametrize(
    ("hp", "condition"),
    [
        (1, None),
        (0, "unconscious"),
        (-1, "unconscious"),
        (-9, "unconscious"),
        (-10, "dead"),
        (-11, "dead"),
    ],
)
def test_who_has_no_points_left_is_unconscious_and_then_dead(
    hp: int, condition: str | None
) -> None:
    assert felled_condition(hp, 10) == condition


@pytest.mark.rule("TD-SD-4")
@pytest.mark.parametrize(
    ("away_ft", "increments", "amount"),
    [(0, 1, None), (15, 1, None), (16, 2, -2), (20, 2, -2), (30, 2, -2), (31, 3, -4)],
)
def test_each_increment_after_the_first_costs_two(
    away_ft: int, increments: int, amount: int | None
) -> None:
    facts = {"distance_ft": away_ft, "increments": increments}
    line = None if amount is None else Modifier(rule="TD-SD-4", amount=amount, facts=facts)
    assert range_increments(away_ft, 15) == increments
    assert range_modifier(away_ft, 15, -2) == line
    assert range_modifier(away_ft, 15, 0) is None


@pytest.mark.rule("TD-SD-4")
@pytest.mark.parametrize(("away_ft", "is_refused"), [(149, False), (150, False), (151, True)])
def test_nothing_is_shot_beyond_the_last_increment(away_ft: int, is_refused: bool) -> None:
    facts: dict[str, object] = {"distance_ft": away_ft, "longest_ft": 150}
    expected = ("out_of_range", "TD-SD-4", facts) if is_refused else None
    assert refusal(lambda: require_in_range(away_ft, 15, 10)) == expected


@pytest.mark.rule("TD-GEO-2")
@pytest.mark.parametrize(
    ("place", "alternating_ft", "equal_ft"),
    [
        ((0, 0), 0, 0),
        ((1, 1), 5, 5),
        ((2, 2), 15, 10),
        ((3, 3), 20, 15),
        ((4, -4), 30, 20),
        ((-5, 5), 35, 25),
        ((6, 1), 30, 30),
        ((6, 2), 35, 30),
    ],
)
def test_every_second_diagonal_counts_twice_or_each_once(
    place: Cell, alternating_ft: int, equal_ft: int
) -> None:
    here, there = Space(0, 0), Space(*place)
    by_rule: dict[DiagonalRule, int] = {"alternating": alternating_ft, "equal": equal_ft}
    for rule, away_ft in by_rule.items():
        assert distance_ft(here, 0, there, 0, rule) == away_ft
        assert distance_ft(there, 0, here, 0, rule) == away_ft
        assert cell_distance_ft(here, place, rule) == away_ft
        assert feature_distance_ft(Feature("cell", *place), here, rule) == away_ft


@pytest.mark.rule("TD-GEO-2")
@pytest.mark.parametrize(("elevation_ft", "away_ft"), [(9, 10), (10, 10), (11, 11), (-11, 11)])
def test_the_difference_of_elevation_is_the_least_distance(elevation_ft: int, away_ft: int) -> None:
    here, there = Space(0, 0, 2), Space(3, 0)
    assert distance_ft(here, elevation_ft, there, 0, "alternating") == away_ft
    assert distance_ft(here, elevation_ft + 30, there, 30, "alternating") == away_ft


@pytest.mark.rule("TD-GEO-2")
@pytest.mark.parametrize(
    ("border", "away_ft"),
    [(("V", 1, 0), 0), (("V", 0, 0), 0), (("V", 2, 0), 5), (("H", 0, 2), 5), (("H", 2, 2), 10)],
)
def test_a_border_is_as_far_as_the_nearer_of_its_cells(
    border: tuple[str, int, int], away_ft: int
) -> None:
    kind, x, y = border
    feature = Feature("V" if kind == "V" else "H", x, y)
    assert feature_distance_ft(feature, Space(0, 0), "alternating") == away_ft


@pytest.mark.rule("TD-GEO-2")
def test_a_path_counts_its_diagonals() -> None:
    steps = ((1, 0), (1, 1), (0, 1), (-1, 1), (1, -1))
    assert path_length_ft(steps, "alternating") == 30
    assert path_length_ft(steps, "equal") == 25


@pytest.mark.parametrize(
    ("space", "elevation_ft", "are"),
    [
        (Space(1, 1), 0, True),
        (Space(2, 0), 0, False),
        (Space(-2, -2, 2), 0, True),
        (Space(-3, -3, 2), 0, False),
        (Space(0, 0), 0, True),
        (Space(1, 0), 5, True),
        (Space(1, 0), 6, False),
        (Space(1, 0), -6, False),
    ],
)
def test_touching_cells_are_adjacent(space: Space, elevation_ft: int, are: bool) -> None:
    assert are_adjacent(Space(0, 0), 0, space, elevation_ft) == are
    assert are_adjacent(Space(0, 0), 30, space, elevation_ft + 30) == are
