"""Lines between the corners of spaces, held against a second formulation over random scenes."""

import random
from typing import Literal, NamedTuple

import pytest

from service.engine.geometry.corner_lines import (
    corners_of,
    crosses_space,
    features_crossed,
    features_on,
    has_features_between,
    is_met,
    lattice_corners,
)
from service.engine.geometry.features import Feature, Features, features_of
from service.engine.geometry.open_lines import closed_by, open_line, open_line_from
from service.engine.geometry.spaces import Space, cells_of
from tests.engine import corner_oracle as oracle
from tests.engine.corner_oracle import Mark, Pair, Square

SCENES_PER_CASE = 100


class Scene(NamedTuple):
    """Two spaces, a third between or beside them, and marks in and round the rectangle of all."""

    near: Square
    far: Square
    third: Square
    marks: frozenset[Mark]

    @property
    def features(self) -> Features:
        return features_from(self.marks)


def features_from(marks: frozenset[Mark]) -> Features:
    return features_of(
        [(x, y) for kind, x, y in marks if kind == "cell"],
        [(kind, x, y) for kind, x, y in marks if kind != "cell"],
    )


def scene_of(dice: random.Random, largest: int) -> Scene:
    """A scene from nearly empty to nearly full; spaces may touch and overlap."""
    near = Square(dice.randint(-3, 3), dice.randint(-3, 3), dice.randint(1, largest))
    size, span = dice.randint(1, largest), dice.choice((0, 1, 3, 6, 9))

    def beside(at: int) -> int:
        return dice.randint(at - span - size, at + span + near.size)

    far = Square(beside(near.x), beside(near.y), size)
    third = Square(beside(near.x), beside(near.y), dice.randint(1, largest))
    columns = range(min(near.x, far.x) - 2, max(near.x + near.size, far.x + far.size) + 2)
    rows = range(min(near.y, far.y) - 2, max(near.y + near.size, far.y + far.size) + 2)
    cells, borders = dice.choice((0, 0.04, 0.15, 0.35)), dice.choice((0, 0.05, 0.2, 0.4))
    marks: set[Mark] = set()
    for x in columns:
        for y in rows:
            marks.update(("cell", x, y) for _ in "." if dice.random() < cells)
            marks.update((kind, x, y) for kind in ("H", "V") if dice.random() < borders)
    return Scene(near, far, third, frozenset(marks))


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
            assert crosses_space(start, end, Space(*scene.third)) == bool(entered)


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


@pytest.mark.parametrize("seed", range(20))
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


def mirrored(scene: Scene) -> Scene:
    """The scene with east and west exchanged."""
    near, far, third = (
        Square(-x - size, y, size) for x, y, size in (scene.near, scene.far, scene.third)
    )
    return Scene(near, far, third, frozenset(map(mirrored_mark, scene.marks)))


def mirrored_mark(mark: Mark) -> Mark:
    kind, x, y = mark
    return (kind, -x, y) if kind == "V" else (kind, -x - 1, y)


def transposed(scene: Scene) -> Scene:
    """The scene with columns and rows exchanged."""
    near, far, third = (Square(y, x, size) for x, y, size in (scene.near, scene.far, scene.third))
    return Scene(near, far, third, frozenset(map(transposed_mark, scene.marks)))


def transposed_mark(mark: Mark) -> Mark:
    kind, x, y = mark
    turned: dict[str, Literal["H", "V"]] = {"H": "V", "V": "H"}
    return (turned[kind], y, x) if kind != "cell" else (kind, y, x)


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
