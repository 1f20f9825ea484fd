"""SQ-POSE-2, SQ-POSE-3, SQ-COVER-1 and the order of a breakdown."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.aim import (
    Circumstances,
    cover_modifier,
    is_covered,
    shot_breakdown,
    throw_breakdown,
)
from service.rulesets.squad_d100.rules.poses import kneeling_shooter, kneeling_target
from service.rulesets.squad_d100.rules.shots import Manner

SHOOTER = Modifier(rule="SQ-POSE-2", amount=-5, note="shooter_kneeling")
TARGET = Modifier(rule="SQ-POSE-3", amount=5, note="target_kneeling")
COVER = Modifier(rule="SQ-COVER-1", amount=10, note="target_cover")
RIFLE = Modifier(rule="SQ-RANGE-3", amount=-10, note="weapon_range")
SNAP = Modifier(rule="SQ-SHOOT-3", amount=10, note="mode")
BURST = Modifier(rule="SQ-SHOOT-4", amount=30, note="mode")
GM = Modifier(rule="SQ-SHOOT-5", amount=7, note="gm")


@pytest.mark.rule("SQ-POSE-2")
def test_who_kneels_shoots_better() -> None:
    assert kneeling_shooter(is_kneeling=True) == SHOOTER
    assert kneeling_shooter(is_kneeling=False) is None


@pytest.mark.rule("SQ-POSE-3")
def test_who_kneels_is_harder_to_hit() -> None:
    assert kneeling_target(is_kneeling=True) == TARGET
    assert kneeling_target(is_kneeling=False) is None


@pytest.mark.rule("SQ-COVER-1")
def test_who_is_in_cover_is_harder_to_hit() -> None:
    assert cover_modifier(is_in_cover=True) == COVER
    assert cover_modifier(is_in_cover=False) is None


@pytest.mark.rule("SQ-COVER-1")
@pytest.mark.parametrize(
    ("terrain", "beside", "covered"),
    [
        ("floor", (), False),
        ("cover", (), True),
        ("floor", ("floor", "cover"), True),
        ("cover", ("cover",), True),
        ("floor", ("wall", "fire"), False),
    ],
)
def test_cover_is_where_the_target_stands_or_beside_it_on_the_line(
    terrain: str, beside: tuple[str, ...], covered: bool
) -> None:
    assert is_covered(terrain, beside) == covered


@pytest.mark.rule("SQ-SHOOT-2")
@pytest.mark.parametrize(
    ("manner", "lines"),
    [
        ("aimed", (SHOOTER, TARGET, COVER, RIFLE, GM)),
        ("snap", (SNAP, SHOOTER, TARGET, COVER, RIFLE, GM)),
        ("burst", (BURST, SHOOTER, TARGET, COVER, RIFLE, GM)),
    ],
)
def test_a_breakdown_has_mode_poses_cover_range_and_the_game_masters_word_in_this_order(
    manner: Manner, lines: tuple[Modifier, ...]
) -> None:
    scene = Circumstances(
        manner=manner,
        weapon="automatic_rifle",
        distance=4,
        is_shooter_kneeling=True,
        is_target_kneeling=True,
        is_target_in_cover=True,
        gm_modifier=7,
    )
    plain = Circumstances(manner=manner, weapon="other", distance=4)
    assert shot_breakdown(scene, "all") == lines
    assert shot_breakdown(scene, "none") == ((GM,) if manner == "aimed" else lines)
    assert shot_breakdown(plain, "all") == (() if manner == "aimed" else lines[:1])


@pytest.mark.rule("SQ-GREN-2")
def test_a_throw_counts_the_pose_of_the_thrower_alone() -> None:
    assert throw_breakdown(is_kneeling=True, gm_modifier=7) == (SHOOTER, GM)
    assert throw_breakdown(is_kneeling=False, gm_modifier=0) == ()
