"""The scene: cells, borders, light and the lines that decided the last attack, by who looks."""

from typing import Any

import pytest
from msgspec import UNSET, Raw

from service.engine.log.canonical import encode
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneLine,
    ScenePoint,
    SceneShape,
    SceneSource,
)
from service.rulesets.tactical_d20.scene import scene
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.setups import bomb, fighter, in_progress, rifle, seated

Tree = dict[str, Any]


def seen(table: Table, by: str = "gm") -> Scene:
    """The scene behind the last event as somebody has it."""
    rule = table.state.rule
    blob = None if rule.map is UNSET else Raw(encode(table.state.terms.blobs[rule.map]))
    shown = encode(table.shown(len(table.events), by))
    return scene(SceneSource(state=Raw(encode(table.view(by))), event=Raw(shown), map=blob))


def duel(*marked: Tree, borders: tuple[Tree, ...] = (), **more: Any) -> Table:
    """Ann's a shoots at Bob's t, four cells to the east; a has the turn."""
    arms: Tree = {"weapons": [rifle()], "areas": [bomb(damage={"count": 0, "sides": 6})]}
    people = [fighter("a", "red", 0, 0, **arms), fighter("t", "blue", 4, 0, **more)]
    ground = {"form": "cells", "cells": list(marked), "borders": list(borders)}
    setup = {"map": ground, "combatants": people, "battle": in_progress("a", "t")}
    table = seated(setup)
    table.ask({"type": "start_encounter"})
    return table


def line(kind: str, start: Tree, end: Tree) -> SceneLine:
    """A line between two corners."""
    return SceneLine(kind=kind, start=point(start), end=point(end))


def point(corner: Tree) -> ScenePoint:
    return ScenePoint(x=2 * corner["x"], y=2 * corner["y"])


def test_each_kind_of_ground_is_a_shape_of_its_own() -> None:
    border = (ScenePoint(x=7, y=0), ScenePoint(x=7, y=1))
    sill = (ScenePoint(x=8, y=0), ScenePoint(x=9, y=0))
    ground = {
        "form": "cells",
        "bounds": {"x": 0, "y": 0, "width": 9, "height": 2},
        "cells": [
            {"x": 0, "y": 0, "wall": True},
            {"x": 1, "y": 0, "wall": True},
            {"x": 2, "y": 0, "wall": True, "transparent": True},
            {"x": 3, "y": 0, "cover": "normal"},
            {"x": 4, "y": 0, "cover": "normal", "low_height_ft": 3},
            {"x": 5, "y": 0, "concealment_pct": 50, "light": "dim", "opaque": True},
            {"x": 6, "y": 0, "light": "dark"},
        ],
        "borders": [
            {"axis": "v", "x": 7, "y": 0, "wall": True},
            {"axis": "h", "x": 8, "y": 0, "cover": "partial"},
        ],
    }
    drawn = seen(seated({"map": ground}))
    assert drawn.bounds == SceneBounds(x=0, y=0, width=9, height=2)
    assert drawn.shapes == (
        SceneShape(kind="dim", cells=((5, 0, 1),)),
        SceneShape(kind="dark", cells=((6, 0, 1),)),
        SceneShape(kind="smoke", label="50 %", cells=((5, 0, 1),)),
        SceneShape(kind="opaque", cells=((5, 0, 1),)),
        SceneShape(kind="cover", cells=((3, 0, 1),)),
        SceneShape(kind="cover", label="3 ft", cells=((4, 0, 1),)),
        SceneShape(kind="glass", cells=((2, 0, 1),)),
        SceneShape(kind="solid", cells=((0, 0, 2),)),
        SceneShape(kind="cover", points=sill),
        SceneShape(kind="solid", points=border),
    )


def test_hidden_ground_is_in_the_game_masters_scene_alone() -> None:
    table = seated({"hidden_terrain": {"cells": [{"x": 2, "y": 0, "wall": True}]}})
    assert seen(table).shapes == (SceneShape(kind="solid", cells=((2, 0, 1),)),)
    assert seen(table, "ann").shapes == ()


def test_an_attack_shows_the_lines_that_decided_on_cover_and_concealment() -> None:
    table = duel({"x": 2, "y": 0, "wall": True}, {"x": 3, "y": 0, "concealment_pct": 20})
    table.ask({"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}, "ann")
    [attack, *lines] = seen(table, "bob").lines
    assert (attack.kind, attack.source, attack.target) == ("attack", "a", "t")
    [resolved] = [
        each for each in effects_of(table.events[-1]) if each["type"] == "attack_resolved"
    ]
    expected = [
        line(kind, resolved["detail"][kind]["corner"], met["end"])
        for kind in ("cover", "concealment")
        for met in resolved["detail"][kind]["lines"]
    ]
    assert expected
    assert lines == expected


def test_an_attack_at_a_cell_shows_players_the_cell_and_no_line() -> None:
    table = duel({"x": 2, "y": 0, "concealment_pct": 20}, conditions=["invisible"])
    cell = {"x": 4, "y": 0}
    table.ask({"type": "attack_cell", "combatant": "a", "weapon": "rifle", "cell": cell}, "ann")
    for by in ("ann", "bob", "eve"):
        drawn = seen(table, by)
        assert drawn.lines == ()
        assert drawn.shapes[-1] == SceneShape(kind="attack_cell", cells=((4, 0, 1),))


def test_an_attack_at_a_cell_shows_the_game_master_the_lines_to_whoever_was_there() -> None:
    table = duel({"x": 2, "y": 0, "concealment_pct": 20}, conditions=["invisible"])
    cell = {"x": 4, "y": 0}
    table.ask({"type": "attack_cell", "combatant": "a", "weapon": "rifle", "cell": cell}, "ann")
    [resolved] = [
        each for each in effects_of(table.events[-1]) if each["type"] == "attack_resolved"
    ]
    smoke = resolved["guess"]["concealment"]
    assert smoke["lines"]
    assert seen(table).lines == tuple(
        line("concealment", smoke["corner"], met["end"]) for met in smoke["lines"]
    )


def test_an_attacker_whom_one_does_not_know_has_no_line() -> None:
    people = [
        fighter("a", "red", 0, 0, hidden=True, weapons=[rifle()]),
        fighter("t", "blue", 4, 0),
    ]
    setup = {"combatants": people, "battle": in_progress("a", "t")}
    table = seated({**setup, "options": {"attack_reveals": False}})
    table.ask({"type": "start_encounter"})
    table.ask({"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"}, "ann")
    assert [each.kind for each in seen(table, "ann").lines] == ["attack"]
    assert seen(table, "bob").lines == ()


@pytest.mark.parametrize("by", ["gm", "bob"])
def test_an_area_is_a_disc_round_its_corner_with_the_lines_to_those_in_it(by: str) -> None:
    table = duel({"x": 3, "y": 0, "cover": "normal"})
    origin = {"x": 3, "y": 0}
    table.ask({"type": "area_attack", "combatant": "a", "area": "bomb", "origin": origin}, "ann")
    drawn = seen(table, by)
    assert drawn.areas == (SceneArea(kind="blast", x=3, y=0, radius=2),)
    [throw, *lines] = drawn.lines
    assert (throw.start, throw.end) == (ScenePoint(x=1, y=1), ScenePoint(x=6, y=0))
    assert lines
    assert {(each.kind, each.start) for each in lines} == {("cover", ScenePoint(x=6, y=0))}
