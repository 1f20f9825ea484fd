"""Lines between the corners of spaces, held against a second formulation over random scenes."""

import random

import pytest

from service.engine.geometry.corner_lines import (
    corners_of,
    features_crossed,
    features_on,
    has_features_between,
    is_met,
    lattice_corners,
)
from service.engine.geometry.features import Feature, features_of
from service.engine.geometry.open_lines import closed_by, open_line, open_line_from
from service.engine.geometry.spaces import Space, cells_of
from tests.engine import corner_oracle as oracle
from tests.engine.corner_oracle import Mark, Pair
from tests.engine.corner_scenes import (
    Scene,
    mirrored,
    mirrored_mark,
    scene_of,
    transposed,
    transposed_mark,
)
from tests.soak import with_soak

SCENES_PER_CASE = 100


def assert_the_same(scene: Scene, dice: random.Random) -> None:
    assert_lines_meet_the_same(scene)
    assert_open_lines_are_the_same(scene, dice)


def assert_lines_meet_the_same(scene: Scene) -> None:
    features, marks = scene.features, set(scene.marks)
    near, far = Space(*scene.near), Space(*scene.far)
    bodies = features_of(cells_of(Space(*scene.third)))
    may_meet = has_features_between(features, near, far)
    for start in scene.near.lattice():
        for end in scene.far.corners():
            for along in (True, False):
                met = oracle.met(marks, start, end, scene.near, scene.far, contact=along)
                expected = tuple(sorted(Feature(*mark) for mark in met))
                found = features_on(features, start, end, near, far, along=along)
                back = features_on(features, end, start, far, near, along=along)
                is_any = is_met(features, start, end, near, far, along=along)
                assert (found, back, is_any) == (expected, expected, bool(met)), (scene, start, end)
                assert may_meet or not met, scene
            entered = oracle.course(start, end).cells & scene.third.cells()
            crossed = tuple(Feature("cell", x, y) for x, y in sorted(entered))
            assert features_crossed(bodies, start, end) == crossed


def assert_open_lines_are_the_same(scene: Scene, dice: random.Random) -> None:
    features, marks = scene.features, set(scene.marks)
    near, far = Space(*scene.near), Space(*scene.far)
    lines = oracle.open_lines(marks, scene.near, scene.far)
    assert open_line(features, near, far) == (lines[0] if lines else None), scene
    assert bool(open_line(features, far, near)) == bool(lines), scene
    nearest = min(
        ((start, end) for start in scene.near.lattice() for end in scene.far.lattice()),
        key=oracle.by_length,
    )
    met = oracle.met(marks, *nearest, scene.near, scene.far, contact=False)
    assert closed_by(features, near, far) == (nearest, tuple(sorted(Feature(*m) for m in met)))
    origin = dice.choice(scene.third.lattice())
    free = [
        (origin, corner)
        for corner in scene.far.corners()
        if not oracle.met(marks, origin, corner, None, scene.far, contact=False)
    ]
    assert open_line_from(features, origin, far) == min(free, key=oracle.by_length, default=None)


@pytest.mark.parametrize("seed", with_soak(range(4), range(4, 40)))
def test_scenes_are_as_the_second_formulation_says(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(SCENES_PER_CASE):
        assert_the_same(scene_of(dice, largest=dice.choice((1, 1, 2, 3, 4))), dice)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_many_scenes_are_as_the_second_formulation_says(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(SCENES_PER_CASE):
        assert_the_same(scene_of(dice, largest=4), dice)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2000, 2020))
def test_large_spaces_are_as_the_second_formulation_says(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(SCENES_PER_CASE):
        assert_the_same(scene_of(dice, largest=8), dice)


def marks_by_line(scene: Scene) -> dict[tuple[Pair, Pair, bool], frozenset[Mark]]:
    """What every line of a scene meets, with and without contact."""
    near, far, features = Space(*scene.near), Space(*scene.far), scene.features
    return {
        (start, end, along): frozenset(features_on(features, start, end, near, far, along=along))
        for start in lattice_corners(near)
        for end in corners_of(far)
        for along in (True, False)
    }


@pytest.mark.parametrize("seed", range(50, 60))
def test_mirrored_and_turned_scenes_meet_the_mirrored_and_turned_marks(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(20):
        scene = scene_of(dice, largest=3)
        lines = marks_by_line(scene)
        assert marks_by_line(mirrored(scene)) == {
            ((-x, y), (-u, v), along): frozenset(map(mirrored_mark, marks))
            for ((x, y), (u, v), along), marks in lines.items()
        }
        assert marks_by_line(transposed(scene)) == {
            ((y, x), (v, u), along): frozenset(map(transposed_mark, marks))
            for ((x, y), (u, v), along), marks in lines.items()
        }
        is_open = [
            open_line(each.features, Space(*each.near), Space(*each.far)) is not None
            for each in (scene, mirrored(scene), transposed(scene), mirrored(transposed(scene)))
        ]
        assert len(set(is_open)) == 1, scene
