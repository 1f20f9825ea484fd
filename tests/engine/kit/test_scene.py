"""The picture of a battle, from the JSON of a view and an event to whole values."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from service.engine.kit.scene import draw_scene
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneShape,
    SceneSource,
)

ANN = {"id": "ann", "side": "red", "place": {"x": 1, "y": 2}}
BEN = {"id": "ben", "side": "blue", "place": {"x": 5, "y": 2}, "size": 2}
SHOT = {
    "type": "attack_resolved",
    "target": "ben",
    "outcome": "hit",
    "detail": {"attacker": "ann"},
}
BLAST = {
    "type": "area_resolved",
    "outcome": "hit",
    "area": {"kind": "blast", "origin": {"x": 4, "y": 4}, "radius": 3},
    "detail": {"attacker": "ann"},
}


def source(
    combatants: list[dict[str, Any]], *effects: dict[str, Any], acting: tuple[str, ...] = ()
) -> SceneSource:
    state = msgspec.json.encode({"combatants": combatants, "terrain": ["its own"]})
    event = msgspec.json.encode({"effects": effects})
    return SceneSource(state=Raw(state), event=Raw(event), acting=acting)


def drawn(given: SceneSource, *shapes: SceneShape, is_grid: bool = True, **more: Any) -> Scene:
    return draw_scene(given, shapes, unit="cell", is_grid=is_grid, out=("dead",), **more)


def test_an_empty_battle_is_one_unit_with_a_margin() -> None:
    assert drawn(source([])) == Scene(
        unit="cell", is_grid=True, bounds=SceneBounds(x=-1, y=-1, width=2, height=2)
    )


def test_a_combatant_is_drawn_with_everything_that_a_view_tells_of_it() -> None:
    whole = {
        **BEN,
        "name": "Ben",
        "place": {"x": 5, "y": 2, "elevation": 10},
        "facing": "NE",
        "band": "hurt",
        "posture": "in_cover",
        "conditions": ["prone", "dead"],
        "hidden": True,
    }
    assert drawn(source([whole], acting=("ben",))).combatants == (
        SceneCombatant(
            id="ben",
            name="Ben",
            side="blue",
            x=5,
            y=2,
            size=2,
            elevation=10,
            facing="NE",
            band="hurt",
            conditions=("in_cover", "prone", "dead"),
            hidden=True,
            is_out=True,
            has_turn=True,
        ),
    )


@pytest.mark.parametrize("posture", ["none", "open"])
def test_who_holds_himself_in_no_special_way_is_drawn_without_a_word(posture: str) -> None:
    [ann] = drawn(source([{**ANN, "posture": posture}])).combatants
    assert ann == SceneCombatant(id="ann", side="red", x=1, y=2)


def test_all_who_may_act_in_the_turn_have_it() -> None:
    given = source([ANN, BEN, {**ANN, "id": "cal"}], acting=("cal", "ann", "unseen"))
    assert [each.has_turn for each in drawn(given).combatants] == [True, False, True]


@pytest.mark.parametrize(
    ("is_grid", "start", "end"),
    [
        (True, ScenePoint(x=3, y=5), ScenePoint(x=12, y=6)),
        (False, ScenePoint(x=2, y=4), ScenePoint(x=10, y=4)),
    ],
)
def test_an_attack_is_a_line_between_the_middles_of_two(
    is_grid: bool, start: ScenePoint, end: ScenePoint
) -> None:
    assert drawn(source([ANN, BEN], SHOT), is_grid=is_grid).lines == (
        SceneLine(kind="attack", start=start, end=end, source="ann", target="ben", outcome="hit"),
    )


@pytest.mark.parametrize(
    ("combatants", "effect"),
    [
        ([BEN], SHOT),
        ([ANN], SHOT),
        ([ANN, BEN], {**SHOT, "detail": {}}),
        ([ANN, BEN], {**SHOT, "type": "hurt"}),
        ([ANN, BEN], {"type": "attack_resolved", "detail": {"attacker": "ann"}}),
        ([ANN, BEN], {"type": "area_resolved", "detail": {"attacker": "ann"}}),
    ],
    ids=["no attacker", "no target", "unknown attacker", "no attack", "at nobody", "nowhere"],
)
def test_no_line_is_drawn_whose_ends_are_not_both_in_sight(
    combatants: list[dict[str, Any]], effect: dict[str, Any]
) -> None:
    assert drawn(source(combatants, effect)).lines == ()


@pytest.mark.parametrize(
    ("is_grid", "start", "end"),
    [
        (True, ScenePoint(x=3, y=5), ScenePoint(x=9, y=9)),
        (False, ScenePoint(x=2, y=4), ScenePoint(x=8, y=8)),
    ],
)
def test_a_burst_is_a_disc_and_a_line_to_its_middle(
    is_grid: bool, start: ScenePoint, end: ScenePoint
) -> None:
    scene = drawn(source([ANN], BLAST), is_grid=is_grid)
    assert scene.areas == (SceneArea(kind="blast", x=4, y=4, radius=3),)
    assert scene.lines == (
        SceneLine(kind="attack", start=start, end=end, source="ann", outcome="hit"),
    )
    assert scene.bounds == SceneBounds(x=0, y=0, width=8, height=8)


def test_a_burst_without_a_radius_is_a_point() -> None:
    point = {"type": "area_resolved", "area": {"kind": "blast", "origin": {"x": 4, "y": 4}}}
    assert drawn(source([], point)).areas == (SceneArea(kind="blast", x=4, y=4, radius=0),)


def test_what_is_seen_is_drawn_with_a_margin() -> None:
    cells = SceneShape(kind="solid", cells=((0, 0, 3),))
    wall = SceneShape(kind="cover", points=(ScenePoint(x=-4, y=1), ScenePoint(x=2, y=9)))
    assert drawn(source([])).bounds == SceneBounds(x=-1, y=-1, width=2, height=2)
    assert drawn(source([]), cells).bounds == SceneBounds(x=-1, y=-1, width=5, height=3)
    assert drawn(source([]), wall).bounds == SceneBounds(x=-5, y=0, width=8, height=10)
    assert drawn(source([BEN])).bounds == SceneBounds(x=4, y=1, width=4, height=4)
    assert drawn(source([BEN]), is_grid=False).bounds == SceneBounds(x=4, y=1, width=2, height=2)


def test_a_map_with_bounds_is_drawn_whole() -> None:
    bounds = SceneBounds(x=0, y=0, width=30, height=20)
    assert drawn(source([BEN], BLAST), bounds=bounds).bounds == bounds
