"""CF-POS, CF-GEO-5, CF-OBSC-1 on maps: who can see whom, and how well."""

import pytest

from service.engine.geometry.features import Feature
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Position, Posture, ground_of
from service.rulesets.crossfire_d6.rules.position import (
    Sight,
    best_sight,
    has_line,
    intervening_cover,
    position_against,
    posture_change_cost,
    require_cover_here,
    require_line_of_sight,
    require_not_hiding,
    seeks_cover,
)

LOW_WALL = ground_of(cover_cells=[(5, 0)])
OPEN_GROUND = ground_of()


def fighter(x: int, y: int, posture: Posture = "open", size: int = 1) -> Fighter:
    return Fighter(id=f"at_{x}_{y}", side=str(x), space=Space(x, y, size), posture=posture)


def position(ground: Ground, attacker: Fighter, target: Fighter) -> Position:
    return best_sight(ground, attacker, target).position


@pytest.mark.rule("CF-POS-4")
@pytest.mark.rule("CF-GEO-5")
def test_a_target_behind_a_low_wall_is_in_cover_and_shoots_without_hindrance() -> None:
    shooter, covered = fighter(0, 0), fighter(6, 0, "in_cover")
    assert best_sight(LOW_WALL, shooter, covered) == Sight(
        position="in_cover", line=(0, 0, 6, 0), features=(Feature("cell", 5, 0),)
    )
    assert best_sight(LOW_WALL, covered, shooter) == Sight(position="open", line=(6, 0, 0, 0))


@pytest.mark.rule("CF-POS-3")
@pytest.mark.parametrize(
    ("posture", "seeks"), [("open", False), ("in_cover", True), ("blocked", False)]
)
def test_cover_is_sought_by_declaring_it(posture: Posture, seeks: bool) -> None:
    assert seeks_cover(posture) == seeks


@pytest.mark.rule("CF-POS-3")
def test_who_merely_stands_next_to_a_wall_is_open() -> None:
    assert position(LOW_WALL, fighter(0, 0), fighter(6, 0)) == "open"


@pytest.mark.rule("CF-POS-9")
@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        ((1, 0), "open"),
        ((2, 0), "in_cover"),
        ((4, 0), "in_cover"),
        ((6, 0), "in_cover"),
        ((7, 0), "open"),
        ((4, 1), "open"),
    ],
)
def test_cover_in_between_counts_only_by_option_and_next_to_neither(
    wall: tuple[int, int], expected: Position
) -> None:
    ground = ground_of(cover_cells=[wall])
    shooter, target = fighter(0, 0), fighter(8, 0)
    assert best_sight(ground, shooter, target).position == "open"
    sight = best_sight(ground, shooter, target, intervening=True)
    assert (sight.position, sight.is_intervening) == (expected, expected == "in_cover")
    covered = fighter(8, 0, "in_cover")
    assert not best_sight(ground_of(cover_cells=[(7, 0)]), shooter, covered).is_intervening


@pytest.mark.rule("CF-POS-9")
def test_intervening_cover_leaves_out_what_is_adjacent_to_either() -> None:
    cover = (Feature("H", 4, 0), Feature("cell", 1, 0), Feature("cell", 4, 0))
    spaces = Space(0, 0), Space(8, 0)
    assert intervening_cover(cover, *spaces, is_counted=False) == ()
    assert intervening_cover(cover, *spaces, is_counted=True) == (cover[0], cover[2])


@pytest.mark.rule("CF-POS-5")
@pytest.mark.rule("CF-POS-6")
def test_blocked_stops_both_ways_but_not_a_third_fighter() -> None:
    shooter, hidden, third = fighter(0, 0), fighter(6, 0, "blocked"), fighter(6, 5)
    at_hidden = best_sight(LOW_WALL, shooter, hidden)
    from_hidden = best_sight(LOW_WALL, hidden, shooter)
    require_not_hiding(at_hidden)
    with pytest.raises(Refused) as refused:
        require_line_of_sight(at_hidden)
    assert (refused.value.code, refused.value.rule, refused.value.params) == (
        "line_of_sight_blocked",
        "CF-POS-5",
        {"line": [0, 0, 6, 0], "features": [["cell", 5, 0]]},
    )
    with pytest.raises(Refused) as refused:
        require_not_hiding(from_hidden)
    assert (refused.value.code, refused.value.rule) == ("attacker_is_blocked", "CF-POS-6")
    assert best_sight(LOW_WALL, third, hidden) == Sight(position="open", line=(6, 5, 6, 0))


@pytest.mark.rule("CF-POS-6")
def test_behind_solids_the_attackers_posture_is_not_to_blame() -> None:
    ground = ground_of(solid_cells=[(3, 0)], cover_cells=[(1, 0)])
    sight = best_sight(ground, fighter(0, 0, "blocked"), fighter(6, 0))
    assert (sight.position, sight.by_own_posture) == ("blocked", False)
    require_not_hiding(sight)


@pytest.mark.rule("CF-POS-6")
@pytest.mark.rule("CF-POS-5")
def test_an_open_line_passes_both_checks() -> None:
    sight = best_sight(OPEN_GROUND, fighter(0, 0), fighter(3, 0))
    require_not_hiding(sight)
    require_line_of_sight(sight)


@pytest.mark.rule("CF-POS-4")
@pytest.mark.parametrize(
    ("against", "line"), [("open", True), ("in_cover", True), ("blocked", False)]
)
def test_there_is_a_line_to_everyone_but_the_blocked(against: Position, line: bool) -> None:
    assert has_line(against) == line


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.rule("CF-POS-4")
@pytest.mark.parametrize(
    ("posture", "expected"), [("open", "blocked"), ("in_cover", "in_cover"), ("blocked", "blocked")]
)
def test_a_fighter_in_cover_leans_round_a_solid_corner(
    posture: Posture, expected: Position
) -> None:
    ground = ground_of(solid_cells=[(1, 0), (1, 1), (1, 2)])
    leaner, shooter = fighter(0, 0, posture), fighter(4, 0)
    sight = best_sight(ground, shooter, leaner)
    assert sight.position == expected
    if posture == "in_cover":
        assert sight == Sight(
            position="in_cover", line=(4, 0, 0, -1), features=(Feature("cell", 1, 0),)
        )
        assert best_sight(ground, leaner, shooter) == Sight(position="open", line=(0, -1, 4, 0))


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.parametrize("posture", ["open", "in_cover", "blocked"])
def test_nobody_leans_round_a_wall_thicker_than_his_reach(posture: Posture) -> None:
    ground = ground_of(solid_cells=[(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)])
    assert position(ground, fighter(4, 0), fighter(0, 0, posture)) == "blocked"


@pytest.mark.rule("CF-GEO-5")
def test_two_corners_are_leaned_round_by_both_together_only() -> None:
    ground = ground_of(solid_cells=[(1, 0), (4, 0)])
    both = fighter(0, 0, "in_cover"), fighter(5, 0, "in_cover")
    assert best_sight(ground, *both) == Sight(
        position="in_cover",
        line=(0, -1, 5, -1),
        features=(Feature("cell", 1, 0), Feature("cell", 4, 0)),
    )
    assert position(ground, fighter(0, 0), both[1]) == "blocked"
    assert position(ground, both[0], fighter(5, 0)) == "blocked"


@pytest.mark.rule("CF-GEO-5")
def test_a_leaning_attacker_finds_an_open_target_behind_cover_in_cover() -> None:
    ground = ground_of(solid_cells=[(1, 0)], cover_cells=[(5, -1), (5, 0)])
    leaner = fighter(0, 0, "in_cover")
    assert position(ground, leaner, fighter(6, 0)) == "open"
    assert position(ground, leaner, fighter(6, 0, "in_cover")) == "in_cover"
    assert position(ground, leaner, fighter(6, 0, "blocked")) == "blocked"


@pytest.mark.rule("CF-GEO-5")
def test_a_border_wall_is_leaned_round_too_but_not_leaned_through() -> None:
    wall = ground_of(solid_borders=[("V", 1, 0)])
    assert best_sight(wall, fighter(4, 0), fighter(0, 0, "in_cover")).line == (4, 0, 0, -1)
    boxed = ground_of(solid_borders=[("V", 1, 0), ("H", 0, 0), ("H", 0, 1), ("V", 0, 0)])
    assert position(boxed, fighter(4, 0), fighter(0, 0, "in_cover")) == "blocked"


@pytest.mark.rule("CF-GEO-5")
def test_the_best_of_a_large_fighters_lines_is_used_the_least_of_equals() -> None:
    ground = ground_of(solid_cells=[(5, 0)])
    assert best_sight(ground, fighter(0, 0), fighter(6, 0, size=2)).line == (0, 0, 6, 1)
    assert best_sight(OPEN_GROUND, fighter(0, 0, size=2), fighter(6, 0, size=2)).line == (
        0,
        0,
        6,
        0,
    )


@pytest.mark.rule("CF-GEO-5")
@pytest.mark.rule("CF-OBSC-1")
def test_a_clear_line_is_preferred_to_an_obscured_one_but_not_to_a_better_position() -> None:
    smoke = ground_of(smoke=[(5, 0)])
    sight = best_sight(smoke, fighter(0, 0), fighter(6, 0, size=2))
    assert sight == Sight(position="open", line=(0, 0, 6, 1))
    covered = ground_of(smoke=[(5, 0)], cover_cells=[(5, 1)])
    sight = best_sight(covered, fighter(0, 0), fighter(6, 0, "in_cover", size=2))
    assert sight == Sight(position="open", line=(0, 0, 6, 0), is_smoke_on_line=True)


@pytest.mark.rule("CF-OBSC-1")
def test_darkness_is_one_way_and_smoke_is_two_way() -> None:
    one, other = fighter(0, 0), fighter(8, 0)
    dark, smoke = ground_of(dark=[(8, 0)]), ground_of(smoke=[(8, 0)])
    assert best_sight(dark, one, other).is_target_dark
    assert not best_sight(dark, other, one).is_target_dark
    assert best_sight(smoke, one, other).is_smoke_on_line
    assert best_sight(smoke, other, one).is_smoke_on_line


@pytest.mark.rule("CF-POS-1")
@pytest.mark.parametrize(
    ("computed", "override", "reverse", "expected"),
    [
        ("open", None, None, "open"),
        ("open", "in_cover", None, "in_cover"),
        ("open", "blocked", None, "blocked"),
        ("blocked", "open", None, "open"),
        ("blocked", "open", "blocked", "blocked"),
        ("open", "blocked", "open", "blocked"),
        ("blocked", "open", "in_cover", "open"),
        ("open", None, "blocked", "blocked"),
        ("blocked", None, "in_cover", "open"),
        ("in_cover", None, "open", "in_cover"),
        ("blocked", None, "blocked", "blocked"),
    ],
)
def test_the_game_masters_word_replaces_the_position_and_its_reverse_the_line(
    computed: Position,
    override: Position | None,
    reverse: Position | None,
    expected: Position,
) -> None:
    sight = Sight(position=computed, line=(0, 0, 6, 0))
    assert position_against(sight, override, reverse) == Sight(position=expected, line=(0, 0, 6, 0))


@pytest.mark.rule("CF-POS-1")
@pytest.mark.parametrize(("override", "stays"), [(None, True), ("in_cover", True), ("open", False)])
def test_where_the_game_master_says_what_is_seen_it_is_so_for_the_same_reason(
    override: Position | None, stays: bool
) -> None:
    wall = (Feature("cell", 4, 0),)
    line = (0, 0, 8, 0)
    sight = Sight(position="in_cover", line=line, features=wall, is_intervening=True)
    judged = position_against(sight, override)
    assert judged == (sight if stays else Sight(position="open", line=line))


@pytest.mark.rule("CF-POS-2")
def test_a_change_of_posture_costs_an_action_and_must_be_one() -> None:
    assert posture_change_cost("open", "in_cover") == 1
    assert posture_change_cost("in_cover", "open") == 1
    with pytest.raises(Refused) as refused:
        posture_change_cost("open", "open")
    assert (refused.value.code, refused.value.rule) == ("nothing_changes", "CF-POS-2")


@pytest.mark.rule("CF-POS-8")
def test_going_back_to_blocked_costs_as_much_again() -> None:
    assert posture_change_cost("blocked", "in_cover") == 1
    assert posture_change_cost("in_cover", "blocked") == 1
    with pytest.raises(Refused) as refused:
        posture_change_cost("blocked", "blocked")
    assert (refused.value.code, refused.value.rule) == ("nothing_changes", "CF-POS-2")


@pytest.mark.rule("CF-POS-7")
@pytest.mark.parametrize(
    ("ground", "is_cover"),
    [
        (ground_of(), False),
        (ground_of(cover_cells=[(4, 4)]), True),
        (ground_of(cover_cells=[(6, 6)]), True),
        (ground_of(cover_cells=[(7, 5)]), False),
        (ground_of(cover_cells=[(5, 5)]), True),
        (ground_of(solid_cells=[(6, 5)]), True),
        (ground_of(cover_borders=[("V", 6, 5)]), True),
        (ground_of(solid_borders=[("H", 5, 5)]), True),
        (ground_of(solid_borders=[("H", 6, 5)]), False),
        (ground_of(smoke=[(5, 5)], dark=[(5, 5)]), False),
    ],
)
def test_a_posture_needs_an_adjacent_feature_where_one_stands(
    ground: Ground, is_cover: bool
) -> None:
    require_cover_here(Space(5, 5), "open", ground)
    for posture in ("in_cover", "blocked"):
        if is_cover:
            require_cover_here(Space(5, 5), posture, ground)
            continue
        with pytest.raises(Refused) as refused:
            require_cover_here(Space(5, 5), posture, ground)
        assert (refused.value.code, refused.value.rule, refused.value.params) == (
            "no_cover_here",
            "CF-POS-7",
            {"posture": posture, "x": 5, "y": 5, "allowed": ["open"]},
        )
