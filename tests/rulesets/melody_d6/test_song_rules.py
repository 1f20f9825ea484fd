"""ML-SING, ML-UI and ML-HOARSE: dice of songs, their rerolls, and who may sing at whom."""

import pytest

from service.rulesets.melody_d6.rules.mistakes import mistake_row
from service.rulesets.melody_d6.rules.songs import (
    AfterRoll,
    Classification,
    RerollSource,
    SquadMate,
    after_impulse,
    after_roll,
    classification,
    classification_after,
    effects_of,
    hoarse_until,
    is_mistake_avoided,
    is_monstrous_power,
    is_power_sung,
    is_sung,
    is_terrible_mistake,
    may_be_rerolled,
    may_impulse,
    may_reroll_ordinarily,
    prevailing,
    require_dice_indexes,
    require_voice,
    rerolled,
    song_rules,
)
from service.rulesets.melody_d6.rules.targets import (
    Candidate,
    Stated,
    Targeting,
    TargetSide,
    handling_order,
    require_direction,
    require_stated,
    require_target_side,
)
from tests.rulesets.melody_d6.refusals import Refusal, refusal


@pytest.mark.rule("ML-SING-1")
@pytest.mark.parametrize(("total", "is_success"), [(6, False), (7, True), (8, True)])
def test_a_melody_succeeds_from_its_difficulty_on(total: int, is_success: bool) -> None:
    assert is_sung(total, 7) == is_success


@pytest.mark.rule("ML-SING-2", "ML-SING-6")
@pytest.mark.parametrize(
    ("faces", "classified"),
    [
        ((1,), "none"),
        ((6,), "none"),
        ((1, 1), "terrible_mistake"),
        ((6, 6), "monstrous_power"),
        ((1, 6), "none"),
        ((3, 4), "none"),
        ((1, 1, 6), "terrible_mistake"),
        ((6, 6, 1), "monstrous_power"),
        ((1, 6, 1, 6), "terrible_mistake"),
        ((1, 1, 1, 6, 6, 6, 6, 6), "terrible_mistake"),
        ((1, 2, 3, 4, 5, 6), "none"),
    ],
)
def test_natural_dice_say_what_a_song_is(
    faces: tuple[int, ...], classified: Classification
) -> None:
    assert classification(faces) == classified


@pytest.mark.rule("ML-SING-3", "ML-SING-4")
@pytest.mark.parametrize(
    ("faces", "is_mistake", "is_power"),
    [
        ((1, 2, 6), False, False),
        ((1, 1, 6), True, False),
        ((1, 1, 1), True, False),
        ((1, 6, 6), False, True),
        ((6, 6, 6), False, True),
        ((1, 1, 6, 6), True, True),
    ],
)
def test_two_or_more_equal_extremes_count(
    faces: tuple[int, ...], is_mistake: bool, is_power: bool
) -> None:
    assert is_terrible_mistake(faces) == is_mistake
    assert is_monstrous_power(faces) == is_power


@pytest.mark.rule("ML-SING-5")
@pytest.mark.parametrize(
    ("total", "is_automatic", "is_success"),
    [(3, True, True), (3, False, False), (11, False, False), (12, False, True), (12, True, True)],
)
def test_power_succeeds_by_itself_unless_the_table_chose_otherwise(
    total: int, is_automatic: bool, is_success: bool
) -> None:
    assert is_power_sung(total, 12, is_automatic=is_automatic) == is_success


@pytest.mark.rule("ML-SING-6")
@pytest.mark.parametrize(
    ("is_mistake", "is_power", "classified"),
    [
        (True, True, "terrible_mistake"),
        (True, False, "terrible_mistake"),
        (False, True, "monstrous_power"),
        (False, False, "none"),
    ],
)
def test_a_mistake_prevails_over_power(
    is_mistake: bool, is_power: bool, classified: Classification
) -> None:
    assert prevailing(is_mistake=is_mistake, is_power=is_power) == classified


@pytest.mark.rule("ML-SING-7")
@pytest.mark.parametrize(
    ("classified", "left", "may"),
    [
        ("none", 0, False),
        ("none", 1, True),
        ("none", 3, True),
        ("terrible_mistake", 1, False),
        ("monstrous_power", 1, False),
    ],
)
def test_an_own_reroll_is_for_what_is_neither_and_while_some_are_left(
    classified: Classification, left: int, may: bool
) -> None:
    assert may_reroll_ordinarily(classified, left) == may


@pytest.mark.rule("ML-SING-8")
@pytest.mark.parametrize(
    ("classified", "is_rerolled", "may"),
    [
        ("none", False, True),
        ("none", True, False),
        ("terrible_mistake", False, True),
        ("terrible_mistake", True, False),
        ("monstrous_power", False, False),
        ("monstrous_power", True, False),
    ],
)
def test_a_song_is_rerolled_once_and_power_never(
    classified: Classification, is_rerolled: bool, may: bool
) -> None:
    assert may_be_rerolled(classified, is_rerolled=is_rerolled) == may


@pytest.mark.rule("ML-SING-9")
@pytest.mark.parametrize("face", [1, 2, 5, 6])
def test_the_face_names_the_row_of_the_table(face: int) -> None:
    assert (
        mistake_row(("one", "two", "three", "four", "five", "six"), face)
        == ({1: "one", 2: "two", 5: "five", 6: "six"}[face])
    )


@pytest.mark.rule("ML-SING-10")
@pytest.mark.parametrize(
    ("classified", "effects"),
    [("none", "plain"), ("monstrous_power", "mighty"), ("terrible_mistake", "plain")],
)
def test_power_has_effects_of_its_own(classified: Classification, effects: str) -> None:
    assert effects_of(classified, "plain", "mighty") == effects


@pytest.mark.rule("ML-SING-11")
@pytest.mark.parametrize(
    ("classified", "is_successful", "stage"),
    [
        ("terrible_mistake", True, "mistake"),
        ("terrible_mistake", False, "mistake"),
        ("none", False, "failure"),
        ("none", True, "success"),
        ("monstrous_power", False, "failure"),
        ("monstrous_power", True, "success"),
    ],
)
def test_where_a_song_goes_on_once_its_dice_stand(
    classified: Classification, is_successful: bool, stage: AfterRoll
) -> None:
    assert after_roll(classified, is_successful=is_successful) == stage


NEAR = SquadMate(
    is_on_table=True, is_fleeing=False, is_stunned=False, is_engaged=False, is_near=True
)


@pytest.mark.rule("ML-UI-1")
@pytest.mark.parametrize(
    ("classified", "fp", "cost", "offered"),
    [
        ("none", 3, 1, True),
        ("none", 1, 1, True),
        ("none", 0, 1, False),
        ("none", 0, 0, True),
        ("none", 4, 5, False),
        ("terrible_mistake", 1, 1, True),
        ("monstrous_power", 3, 1, False),
    ],
)
def test_united_impulse_costs_fp_and_is_not_for_power(
    classified: Classification, fp: int, cost: int, offered: bool
) -> None:
    assert may_impulse(classified, fp, cost, (NEAR,)) == offered


@pytest.mark.rule("ML-UI-1")
@pytest.mark.parametrize(
    ("mates", "offered"),
    [
        ((), False),
        ((NEAR,), True),
        ((NEAR._replace(is_on_table=False),), False),
        ((NEAR._replace(is_fleeing=True),), False),
        ((NEAR._replace(is_stunned=True),), False),
        ((NEAR._replace(is_engaged=True),), False),
        ((NEAR._replace(is_near=False),), False),
        ((NEAR._replace(is_near=False), NEAR), True),
    ],
)
def test_united_impulse_needs_one_steady_squad_mate(
    mates: tuple[SquadMate, ...], offered: bool
) -> None:
    assert may_impulse("none", 1, 1, mates) == offered


@pytest.mark.rule("ML-UI-2")
@pytest.mark.parametrize(
    ("final", "is_avoided"),
    [((6, 1), True), ((1, 1), False), ((1, 4), True), ((2, 3), True), ((1, 5, 1), False)],
)
def test_a_mistake_is_avoided_by_fewer_than_two_ones(
    final: tuple[int, ...], is_avoided: bool
) -> None:
    assert is_mistake_avoided(final) == is_avoided


@pytest.mark.rule("ML-UI-3")
@pytest.mark.parametrize(
    ("first", "final", "covered", "uncovered"),
    [
        ((1, 1), (6, 1), "none", "none"),
        ((1, 1), (6, 6), "none", "none"),
        ((1, 1), (1, 1), "terrible_mistake", "terrible_mistake"),
        ((1, 1), (1, 4), "none", "none"),
        ((2, 3), (1, 1), "none", "none"),
        ((2, 3), (6, 6), "none", "none"),
        ((1, 1, 6, 6), (2, 3, 6, 6), "none", "monstrous_power"),
        ((1, 1, 6, 6), (2, 3, 4, 5), "none", "monstrous_power"),
        ((1, 1, 6, 6), (1, 1, 6, 6), "terrible_mistake", "terrible_mistake"),
        ((1, 1, 6, 5), (2, 3, 6, 6), "none", "none"),
    ],
)
def test_united_impulse_never_makes_power_nor_a_new_mistake(
    first: tuple[int, ...],
    final: tuple[int, ...],
    covered: Classification,
    uncovered: Classification,
) -> None:
    assert after_impulse(first, final, is_power_uncovered=False) == covered
    assert after_impulse(first, final, is_power_uncovered=True) == uncovered


@pytest.mark.rule("ML-SING-7", "ML-UI-3")
@pytest.mark.parametrize(
    ("source", "first", "final", "classified"),
    [
        (None, (6, 6), (6, 6), "monstrous_power"),
        (None, (1, 1), (1, 1), "terrible_mistake"),
        ("ordinary", (2, 3), (6, 6), "none"),
        ("ordinary", (2, 3), (1, 1), "none"),
        ("united_impulse", (1, 1), (6, 6), "none"),
        ("united_impulse", (1, 1), (1, 1), "terrible_mistake"),
        ("united_impulse", (2, 3), (1, 1), "none"),
    ],
)
def test_only_the_first_roll_is_classified(
    source: RerollSource | None,
    first: tuple[int, ...],
    final: tuple[int, ...],
    classified: Classification,
) -> None:
    assert classification_after(source, first, final, is_power_uncovered=False) == classified


@pytest.mark.rule("ML-SING-7")
@pytest.mark.parametrize(
    ("indexes", "is_fine"),
    [
        ((0,), True),
        ((1, 0), True),
        ((0, 1), True),
        ((), False),
        ((0, 0), False),
        ((2,), False),
        ((0, 100), False),
        ((-1,), False),
    ],
)
def test_a_reroll_names_dice_of_the_roll_each_once(indexes: tuple[int, ...], is_fine: bool) -> None:
    expected = (
        None if is_fine else ("bad_die_index", "ML-SING-7", {"dice": list(indexes), "count": 2})
    )
    assert refusal(lambda: require_dice_indexes(indexes, 2, "ML-SING-7")) == expected


@pytest.mark.rule("ML-SING-7")
@pytest.mark.parametrize(
    ("indexes", "new", "faces"),
    [((0,), (6,), (6, 3, 4)), ((2, 0), (5, 6), (6, 3, 5)), ((0, 1, 2), (1, 1, 1), (1, 1, 1))],
)
def test_new_faces_take_the_places_named_in_their_order(
    indexes: tuple[int, ...], new: tuple[int, ...], faces: tuple[int, ...]
) -> None:
    assert rerolled((2, 3, 4), indexes, new) == faces


@pytest.mark.rule("ML-HOARSE-1")
@pytest.mark.parametrize(("now", "is_hoarse"), [(3, True), (4, True), (5, False)])
def test_hoarse_for_two_rounds_from_the_third_on(now: int, is_hoarse: bool) -> None:
    until = hoarse_until(3, 2)
    expected = ("hoarse", "ML-HOARSE-1", {"until_round": 4}) if is_hoarse else None
    assert refusal(lambda: require_voice(now, until)) == expected


@pytest.mark.rule("ML-HOARSE-1")
def test_who_was_never_hoarse_may_sing_in_the_first_round() -> None:
    assert refusal(lambda: require_voice(1, 0)) is None


@pytest.mark.rule("ML-SING-11")
@pytest.mark.parametrize(
    ("targeting", "stated", "code"),
    [
        ("model", Stated(target=True, point=False, aim=False), None),
        ("model", Stated(target=False, point=True, aim=True), "target_required"),
        ("point", Stated(target=False, point=True, aim=False), None),
        ("point", Stated(target=True, point=False, aim=True), "point_required"),
        ("ray", Stated(target=False, point=False, aim=True), None),
        ("ray", Stated(target=True, point=True, aim=False), "aim_required"),
    ],
)
def test_each_targeting_needs_its_own_field(
    targeting: Targeting, stated: Stated, code: str | None
) -> None:
    expected: Refusal | None = None if code is None else (code, "ML-SING-11", {})
    assert refusal(lambda: require_stated(targeting, stated)) == expected


@pytest.mark.rule("ML-SING-11")
@pytest.mark.parametrize(
    ("target_side", "is_friend", "is_fine"),
    [
        ("enemy", False, True),
        ("enemy", True, False),
        ("friend", True, True),
        ("friend", False, False),
        ("any", True, True),
        ("any", False, True),
    ],
)
def test_a_melody_is_for_one_side_or_any(
    target_side: TargetSide, is_friend: bool, is_fine: bool
) -> None:
    expected = None if is_fine else ("target_wrong_side", "ML-SING-11", {"allowed": target_side})
    assert refusal(lambda: require_target_side(target_side, is_friend=is_friend)) == expected


@pytest.mark.rule("ML-SING-11")
def test_a_ray_points_away_from_the_singer() -> None:
    assert refusal(lambda: require_direction((5, 5), (5, 6))) is None
    assert refusal(lambda: require_direction((5, 5), (5, 5))) == (
        "zero_direction",
        "ML-SING-11",
        {},
    )


@pytest.mark.rule("ML-SING-12")
def test_targets_come_in_the_order_of_entry() -> None:
    candidates = (Candidate(10, "a"), Candidate(2, "z"), Candidate(3, "b"))
    assert handling_order(candidates) == ("z", "b", "a")


@pytest.mark.rule("ML-SING-2", "ML-SING-6")
@pytest.mark.parametrize(
    ("first", "source", "classified", "rules"),
    [
        ((3, 4), None, "none", ("ML-SING-1",)),
        ((3, 4), "ordinary", "none", ("ML-SING-1", "ML-SING-7", "ML-SING-8")),
        ((1, 1), None, "terrible_mistake", ("ML-SING-3", "ML-SING-2")),
        ((1, 1, 6, 6), None, "terrible_mistake", ("ML-SING-3", "ML-SING-2", "ML-SING-6")),
        (
            (6, 6),
            None,
            "monstrous_power",
            ("ML-SING-5", "ML-SING-4", "ML-SING-2", "ML-SING-10"),
        ),
        ((3, 4), "united_impulse", "none", ("ML-SING-1", "ML-UI-3", "ML-SING-8")),
        ((1, 1), "united_impulse", "none", ("ML-SING-1", "ML-UI-2", "ML-UI-3", "ML-SING-8")),
        (
            (1, 1),
            "united_impulse",
            "terrible_mistake",
            ("ML-SING-3", "ML-SING-2", "ML-UI-2", "ML-UI-3", "ML-SING-8"),
        ),
    ],
)
def test_a_song_names_the_rules_that_made_it_what_it_is(
    first: tuple[int, ...],
    source: RerollSource | None,
    classified: Classification,
    rules: tuple[str, ...],
) -> None:
    assert song_rules(first, source, classified) == rules
