"""ML-MOVE: what a path costs and what closes it, contact, pushes, and whom nobody had known of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.rules.geometry import point_on_path
from service.rulesets.melody_d6.rules.movement import (
    Base,
    Deed,
    Standing,
    Surroundings,
    Way,
    WayEnd,
    are_engaged,
    can_stand,
    is_in_contact,
    is_leg_blocked,
    is_leg_closed,
    is_mask_lost_at_declaration,
    is_on_ground,
    legs_of,
    movement_allowance,
    overlaps,
    pushed_to,
    require_allowance,
    require_way,
    way_end,
)
from service.rulesets.melody_d6.terrain import Obstacle
from tests.rulesets.melody_d6.features import building, feature, wall
from tests.rulesets.melody_d6.refusals import Refusal, refusal

START = (10_000, 10_000)
FAR = (16_000, 10_000)
RADIUS = 500


def standing(name: str, x: int, y: int, radius: int = RADIUS) -> Standing:
    return Standing(name, Base((x, y), radius))


def judged(
    *path: Spot,
    start: Spot = START,
    allowance: int = 6000,
    obstacles: tuple[Obstacle, ...] = (),
    enemies: tuple[Standing, ...] = (),
    friends: tuple[Standing, ...] = (),
    deed: Deed = "move",
    target: str = "",
) -> Refusal | None:
    """What `require_way` refuses of a STD mover's path."""
    way = Way(mover=Base(start, RADIUS), path=path, allowance=allowance)
    ground = Ground(36_000, 24_000, obstacles)
    surroundings = Surroundings(ground=ground, enemies=enemies, friends=friends)

    def require() -> None:
        require_way(way, surroundings, deed=deed, target=target)

    return refusal(require)


@pytest.mark.rule("ML-MOVE-1")
@pytest.mark.parametrize(
    ("move", "changes", "allowance"),
    [
        (6000, (), 6000),
        (6000, (-2000,), 4000),
        (6000, (-3000, 1000), 4000),
        (6000, (-5999,), 1),
        (6000, (-6000,), 0),
        (6000, (-9000,), 0),
        (0, (2000,), 2000),
    ],
)
def test_lasting_melodies_change_the_allowance_down_to_0(
    move: int, changes: tuple[int, ...], allowance: int
) -> None:
    assert movement_allowance(move, changes) == allowance


@pytest.mark.rule("ML-MOVE-1")
def test_a_cost_equal_to_the_allowance_is_legal() -> None:
    assert refusal(lambda: require_allowance(4000, 4000)) is None
    assert refusal(lambda: require_allowance(4001, 4000)) == (
        "path_too_long",
        "ML-MOVE-1",
        {"cost": 4001, "allowance": 4000},
    )


@pytest.mark.rule("ML-MOVE-1")
def test_legs_are_rounded_up_one_by_one() -> None:
    assert judged((13_000, 14_000), (14_000, 14_000)) is None
    assert judged((11_000, 11_000), allowance=1415) is None
    assert judged((11_000, 11_000), allowance=1414) == (
        "path_too_long",
        "ML-MOVE-1",
        {"cost": 1415, "allowance": 1414},
    )


@pytest.mark.parametrize("path", [(), (START,), (START, START)])
def test_a_path_without_length_is_empty(path: tuple[Spot, ...]) -> None:
    assert judged(*path) == ("path_empty", None, {})


@pytest.mark.rule("ML-MOVE-2")
@pytest.mark.parametrize(
    ("spot", "is_on"),
    [
        ((500, 500), True),
        ((499, 500), False),
        ((500, 499), False),
        ((35_500, 23_500), True),
        ((35_501, 23_500), False),
        ((35_500, 23_501), False),
    ],
)
def test_the_whole_base_is_on_the_table(spot: Spot, *, is_on: bool) -> None:
    assert is_on_ground(Base(spot, RADIUS), Ground(36_000, 24_000, ())) is is_on


@pytest.mark.rule("ML-MOVE-2")
def test_every_waypoint_is_on_the_table() -> None:
    assert judged((500, 10_000), start=(3000, 10_000)) is None
    assert judged((2000, 10_000), (499, 10_000), (2000, 10_000), start=(3000, 10_000)) == (
        "off_table",
        "ML-MOVE-2",
        {"waypoint": 1, "x": 499, "y": 10_000, "width": 36_000, "height": 24_000},
    )


@pytest.mark.rule("ML-MOVE-3")
@pytest.mark.parametrize(
    ("start", "end", "is_closed"),
    [
        ((10_000, 10_000), (16_000, 10_000), True),
        ((10_000, 8_000), (16_000, 8_000), False),
        ((10_000, 8_001), (16_000, 8_001), True),
        ((10_000, 10_000), (12_000, 10_000), False),
        ((10_000, 10_000), (12_001, 10_000), True),
        ((10_000, 10_000), (14_000, 6_000), False),
        ((13_000, 10_000), (13_000, 10_000), True),
    ],
)
def test_high_features_close_legs_through_their_interior(
    start: Spot, end: Spot, *, is_closed: bool
) -> None:
    assert is_leg_closed(start, end, building()) is is_closed
    assert is_leg_closed(start, end, building()._replace(is_high=False)) is False


@pytest.mark.rule("ML-MOVE-3")
def test_the_leg_and_the_feature_that_closes_it_are_named() -> None:
    assert judged((10_000, 9_000), (16_000, 9_000), obstacles=(wall(), building())) == (
        "blocked_by_terrain",
        "ML-MOVE-3",
        {"leg": 1, "feature": "building"},
    )
    assert judged((16_000, 8_000), start=(10_000, 8_000), obstacles=(building(),)) is None


@pytest.mark.rule("ML-MOVE-4")
@pytest.mark.parametrize(
    ("enemy", "is_blocked"),
    [
        ((13_000, 11_000), False),
        ((13_000, 10_999), True),
        ((13_000, 9_001), True),
        ((9_000, 10_000), False),
        ((9_001, 10_000), True),
        ((16_999, 10_000), True),
        ((17_000, 10_000), False),
    ],
)
def test_an_enemy_blocks_what_passes_within_both_radii(enemy: Spot, *, is_blocked: bool) -> None:
    assert is_leg_blocked(START, FAR, RADIUS, Base(enemy, RADIUS)) is is_blocked


@pytest.mark.rule("ML-MOVE-4")
def test_friends_are_passed_through_and_nobody_is_stood_upon() -> None:
    on_the_way = standing("friend", 13_000, 10_000)
    assert judged(FAR, friends=(on_the_way,)) is None
    assert judged(FAR, enemies=(on_the_way,)) == (
        "path_blocked",
        "ML-MOVE-4",
        {"leg": 0, "by": "friend"},
    )
    assert judged(FAR, friends=(standing("friend", 17_000, 10_000),)) is None
    assert judged(FAR, friends=(standing("friend", 16_999, 10_000),)) == (
        "base_overlap",
        "ML-MOVE-4",
        {"other": "friend"},
    )
    assert overlaps(Base(START, 500), Base((10_999, 10_000), 500))
    assert not overlaps(Base(START, 500), Base((11_000, 10_000), 500))


@pytest.mark.rule("ML-MOVE-5")
@pytest.mark.parametrize(("x", "is_contact"), [(17_100, True), (17_101, False)])
def test_a_move_ends_more_than_100_u_from_enemies(x: int, *, is_contact: bool) -> None:
    enemy = standing("enemy", x, 10_000)
    assert is_in_contact(Base(FAR, RADIUS), enemy.base) is is_contact
    told = ("move_into_contact", "ML-MOVE-5", {"enemy": "enemy"})
    assert judged(FAR, enemies=(enemy,)) == (told if is_contact else None)
    assert judged(FAR, friends=(enemy,)) is None


@pytest.mark.rule("ML-MOVE-6")
@pytest.mark.parametrize(("x", "is_engaged"), [(17_100, True), (17_101, False)])
def test_a_charge_ends_within_100_u_of_its_target(x: int, *, is_engaged: bool) -> None:
    enemy = standing("enemy", x, 10_000)
    assert are_engaged(Base(FAR, RADIUS), enemy.base) is is_engaged
    missed = ("not_in_contact", "ML-MOVE-6", {"target": "enemy", "within": 100})
    assert judged(FAR, enemies=(enemy,), deed="charge", target="enemy") == (
        None if is_engaged else missed
    )


@pytest.mark.rule("ML-MOVE-6")
def test_a_charge_is_not_in_contact_with_another() -> None:
    enemies = (standing("near", 17_050, 10_000), standing("target", 17_000, 11_000))
    told = ("not_in_contact", "ML-MOVE-6", {"target": "target", "within": 100})
    assert judged(FAR, enemies=enemies, deed="charge", target="target") == told
    blocked = ("path_blocked", "ML-MOVE-4", {"leg": 0, "by": "near"})
    closer = (16_051, 10_000)
    assert judged(closer, enemies=enemies, deed="charge", target="near") == blocked


def test_the_first_check_that_fails_is_told() -> None:
    enemies = (standing("enemy", 16_000, 10_000),)
    friends = (standing("friend", 12_000, 10_000),)

    def code(
        *path: Spot, obstacles: tuple[Obstacle, ...] = (), deed: Deed = "move", alone: bool = True
    ) -> str:
        told = judged(
            *path,
            allowance=100,
            obstacles=obstacles,
            enemies=enemies,
            friends=() if alone else friends,
            deed=deed,
        )
        return "" if told is None else told[0]

    assert code((16_000, 10_000), (36_000, 10_000), obstacles=(building(),)) == "off_table"
    assert code(FAR, obstacles=(building(),)) == "blocked_by_terrain"
    assert code(FAR) == "path_blocked"
    assert code((14_950, 10_000)) == "move_into_contact"
    assert code((12_000, 10_000), alone=False) == "base_overlap"
    assert code((12_000, 10_000)) == "path_too_long"
    assert code((12_000, 10_000), deed="charge") == "path_too_long"


@pytest.mark.rule("ML-MOVE-7")
@pytest.mark.parametrize(
    ("deed", "is_lost_at_end", "is_lost"),
    [("charge", False, True), ("charge", True, True), ("move", False, False), ("move", True, True)],
)
def test_a_charge_and_an_open_end_take_masking_at_once(
    deed: Deed, *, is_lost_at_end: bool, is_lost: bool
) -> None:
    assert is_mask_lost_at_declaration(deed, is_lost_at_end=is_lost_at_end) is is_lost


@pytest.mark.rule("ML-MOVE-8")
@pytest.mark.parametrize(
    ("spot", "end"),
    [
        ((14_000, 12_000), (17_000, 12_000)),
        ((12_000, 12_000), (15_000, 12_000)),
        ((8_000, 12_000), (5_000, 12_000)),
        ((11_999, 12_000), (11_999, 15_000)),
        ((10_000, 9_999), (10_000, 6_999)),
        (START, START),
    ],
)
def test_a_push_leads_along_one_axis_away_from_the_origin(spot: Spot, end: Spot) -> None:
    assert pushed_to(spot, START, 3000) == end


@pytest.mark.rule("ML-MOVE-8")
@pytest.mark.parametrize(
    ("spot", "can"),
    [
        ((500, 500), True),
        ((499, 500), False),
        ((13_000, 10_000), False),
        ((12_000, 10_000), True),
        ((22_000, 10_200), True),
        ((20_000, 20_999), False),
        ((20_000, 21_000), True),
    ],
)
def test_a_forced_movement_ends_on_the_table_in_no_building_and_on_nobody(
    spot: Spot, *, can: bool
) -> None:
    ground = Ground(36_000, 24_000, (building(), wall()))
    others = (Base((20_000, 20_000), RADIUS),)
    assert can_stand(Base(spot, RADIUS), ground, others) is can


def ended(
    *path: Spot, enemies: tuple[Standing, ...] = (), friends: tuple[Standing, ...] = ()
) -> WayEnd:
    way = Way(mover=Base(START, RADIUS), path=path, allowance=100_000)
    return way_end(way, enemies, friends)


@pytest.mark.rule("ML-MOVE-4")
def test_a_path_ends_before_the_first_point_that_somebody_unknown_blocks() -> None:
    # 6000 u: a permille is 6 u; 2000 u along the mover touches the base, 2004 u along overlaps it.
    hidden = standing("hidden", 13_000, 10_000)
    assert ended(FAR) == WayEnd(0, 1000)
    assert ended(FAR, enemies=(standing("aside", 13_000, 11_000),)) == WayEnd(0, 1000)
    assert ended(FAR, enemies=(hidden,)) == WayEnd(0, 333, ("hidden",))
    assert point_on_path(START, (FAR,), 0, 333) == (11_998, 10_000)
    second = standing("second", 13_010, 10_000)
    assert ended(FAR, enemies=(second, hidden)) == WayEnd(0, 333, ("hidden",))
    twins = (standing("twin", 13_000, 9_999), hidden)
    assert ended(FAR, enemies=twins) == WayEnd(0, 333, ("twin", "hidden"))


@pytest.mark.rule("ML-MOVE-4")
def test_it_goes_back_to_where_nobody_stands() -> None:
    hidden = standing("hidden", 13_000, 10_000)
    friend = standing("friend", 11_500, 10_000)
    # It must come 1000 u before the friend: 500 u along, which is 83.3 permille.
    assert ended(FAR, enemies=(hidden,), friends=(friend,)) == WayEnd(0, 83, ("hidden",))
    assert ended(FAR, friends=(standing("friend", 16_500, 10_000),)) == WayEnd(0, 916)
    corner = ended((10_600, 10_000), FAR, enemies=(hidden,), friends=(friend,))
    assert corner == WayEnd(0, 834, ("hidden",))  # 600 u at 834 are 500 u


@pytest.mark.rule("ML-MOVE-4")
def test_it_stays_where_it_is_when_there_is_no_room_at_all() -> None:
    hidden = standing("hidden", 11_000, 10_000)
    assert ended(FAR, enemies=(hidden,)) == WayEnd(0, 0, ("hidden",))
    crowd = tuple(standing(f"f{x}", x, 10_000) for x in range(10_400, 17_000, 800))
    assert ended(FAR, friends=crowd) == WayEnd(0, 0)


@pytest.mark.rule("ML-MOVE-4")
def test_a_graze_between_two_named_points_ends_a_path_before_it() -> None:
    grazed = standing("grazed", 10_003, 10_999)
    # Only between 0 and 6 u along is its centre nearer than 1000 u; the whole first permille is.
    assert is_leg_blocked(START, FAR, RADIUS, grazed.base)
    assert ended(FAR, enemies=(grazed,)) == WayEnd(0, 0, ("grazed",))


coordinates = st.integers(6_000, 20_000)
spots = st.tuples(coordinates, coordinates)


@given(path=st.lists(spots, min_size=1, max_size=4), crowd=st.lists(spots, max_size=8))
def test_wherever_a_path_is_cut_it_breaks_nothing_up_to_there(
    path: list[Spot], crowd: list[Spot]
) -> None:
    free = [spot for spot in crowd if not overlaps(Base(START, 500), Base(spot, 500))]
    enemies = tuple(Standing(str(n), Base(spot, 500)) for n, spot in enumerate(free))
    way = Way(mover=Base(START, 500), path=tuple(path), allowance=0)
    end = way_end(way, enemies, ())
    stop = point_on_path(START, way.path, end.leg, end.permille)
    travelled = Way(mover=way.mover, path=(*path[: end.leg], stop), allowance=0)
    blocked = [
        each.id
        for each in enemies
        for start, there in legs_of(travelled)
        if is_leg_blocked(start, there, 500, each.base)
    ]
    assert blocked == []
    is_open = not any(
        is_leg_blocked(start, there, 500, each.base)
        for each in enemies
        for start, there in legs_of(way)
    )
    assert (end == WayEnd(len(path) - 1, 1000)) is is_open
    assert bool(end.met) is not is_open


def test_a_low_wall_closes_nothing() -> None:
    assert feature("rock", (0, 0, 9, 9)).is_high is False
    assert (
        judged((10_000, 12_000), obstacles=(feature("rock", (9_000, 10_500, 11_000, 11_000)),))
        is None
    )
