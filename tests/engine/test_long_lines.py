"""Lines too long to be walked meet what walked ones meet: small scenes are asked both ways."""

import random

import pytest

from service.engine.geometry import corner_lines, long_lines
from service.engine.geometry.corner_lines import (
    columns_between,
    corners_of,
    features_crossed,
    features_on,
    has_features_between,
    is_met,
    lattice_corners,
    rows_between,
)
from service.engine.geometry.far_lines import FarLines
from service.engine.geometry.features import Feature, features_of
from service.engine.geometry.lines import centre_line
from service.engine.geometry.lines import features_met as met_between_centres
from service.engine.geometry.lines import is_met as is_met_between_centres
from service.engine.geometry.open_lines import NearLines, open_line, vectors_between
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from tests.engine.corner_scenes import Scene, scene_of

SCENES = 25
FARTHEST = 10_000


def everything_met(scene: Scene) -> list[object]:
    """What every line of a scene meets, between corners and between centres."""
    features, near, far = scene.features, Space(*scene.near), Space(*scene.far)
    bodies = features_of(cells_of(Space(*scene.third)))
    met: list[object] = []
    for start in lattice_corners(near):
        for end in corners_of(far):
            for along in (True, False):
                met.append(features_on(features, start, end, near, far, along=along))
                met.append(is_met(features, start, end, None, far, along=along))
            met.append(features_crossed(bodies, start, end))
    for cell in cells_of(near):
        for other in cells_of(far):
            line = centre_line(cell, other)
            met.append(met_between_centres(features, line))
            met.append(is_met_between_centres(features, line))
    return met


@pytest.mark.parametrize("seed", range(5))
def test_a_line_meets_the_same_whether_it_is_walked_or_not(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(seed)
    scenes = [scene_of(dice, largest=3) for _ in range(SCENES)]
    walked = [everything_met(scene) for scene in scenes]
    monkeypatch.setattr(corner_lines, "LONGEST_WALK", 0)
    monkeypatch.setattr(long_lines, "LONGEST_WALK", 0)
    assert [everything_met(scene) for scene in scenes] == walked
    for scene in scenes:
        near, far = Space(*scene.near), Space(*scene.far)
        if not has_features_between(scene.features, near, far):
            assert not any(
                features_on(scene.features, start, end, near, far, along=True)
                for start in lattice_corners(near)
                for end in corners_of(far)
            )


@pytest.mark.parametrize("largest", [2, 4, 8])
def test_lines_between_spaces_far_apart_are_open_where_those_of_the_board_are(largest: int) -> None:
    dice = random.Random(largest)
    compared = 0
    while compared < SCENES:
        scene = scene_of(dice, largest)
        near, far = Space(*scene.near), Space(*scene.far)
        if max(columns_between(near, far), rows_between(near, far)) < 1:
            continue
        compared += 1
        boards, bands = NearLines(scene.features, near, far), FarLines(scene.features, near, far)
        for vector in vectors_between(far.x - near.x, far.y - near.y, near.size, far.size):
            assert sorted(bands.open_along(*vector)) == sorted(boards.open_along(*vector)), scene


ENDS = [
    (Space(-FARTHEST, -FARTHEST, 8), Space(FARTHEST - 7, FARTHEST - 7, 8)),
    (Space(FARTHEST, -FARTHEST), Space(-FARTHEST, FARTHEST - 2, 3)),
    (Space(-FARTHEST, FARTHEST - 3, 4), Space(FARTHEST - 2, -FARTHEST + 5_000, 3)),
]


@pytest.mark.parametrize(("near", "far"), ENDS)
def test_one_wall_on_the_nearest_line_across_the_largest_map_leaves_another_open(
    near: Space, far: Space
) -> None:
    (x, y), (u, v) = open_line(features_of(), near, far) or pytest.fail("nothing is open")
    one_wall = features_of([((x + u) // 2, (y + v) // 2), ((x + u) // 2, (y + v) // 2 - 1)])
    way = open_line(one_wall, near, far)
    assert way not in (None, ((x, y), (u, v)))
    assert open_line(one_wall, far, near) is not None


@pytest.mark.parametrize(("near", "far"), ENDS)
def test_a_wall_right_across_the_largest_map_closes_all_lines_and_its_members_are_named(
    near: Space, far: Space
) -> None:
    middle = (near.x + far.x) // 2
    row = (near.y + far.y) // 2
    wall: list[Cell] = [(middle, row + step) for step in range(-20, 21)]
    walled = features_of(wall)
    assert open_line(walled, near, far) is None
    met = features_on(walled, (near.x, near.y), (far.x, far.y), near, far, along=False)
    assert met
    assert set(met) <= {Feature("cell", *cell) for cell in wall}
