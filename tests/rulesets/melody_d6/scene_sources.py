"""Views of a battle to draw, written by hand as a viewer would have them."""

from typing import Any, Final

from msgspec import Raw

from service.engine.log.canonical import encode
from service.engine.scene import SceneSource

Tree = dict[str, Any]


def rectangle(west: int, north: int, east: int, south: int) -> list[Tree]:
    """The corners of a rectangle by two opposite ones."""
    return [
        {"x": x, "y": y} for x, y in ((west, north), (east, north), (east, south), (west, south))
    ]


def feature(name: str, kind: str, *box: int, **more: Any) -> Tree:
    """A feature of a map."""
    return {"id": name, "kind": kind, "vertices": rectangle(*box), **more}


DUEL_MAP: Final[Tree] = {
    "width": 36000,
    "height": 24000,
    "features": [
        feature("t1", "low_wall", 8000, 4000, 12000, 4400),
        feature("t2", "low_wall", 20000, 10000, 24000, 10400),
        feature("t3", "building", 16000, 14000, 19000, 18000),
        feature("t4", "column", 26000, 7000, 26600, 7600),
        feature("t5", "debris", 28000, 15000, 30000, 16500),
    ],
}
"""The table of `sample-duel`."""


def warrior(
    combatant: str, side: str, unit: str, x: int, y: int, *conditions: str, **more: Any
) -> Tree:
    """A warrior as a view shows it."""
    return {
        "id": combatant,
        "side": side,
        "unit": unit,
        "place": {"x": x, "y": y},
        "base_radius": 500,
        "conditions": list(conditions),
        "band": "unhurt",
        **more,
    }


def duellists() -> list[Tree]:
    """Those of `sample-duel`, some of them on guard, masked or gone."""
    return [
        warrior("a_singer", "a", "A1", 4500, 12000, name="Singer"),
        warrior("a_bow", "a", "A1", 13500, 12000, "melody"),
        warrior("a_rifle", "a", "A1", 4500, 14000, "out", band="down"),
        warrior("a_scout", "a", "A2", 10000, 5400, "masked"),
        warrior("b_rifle1", "b", "B1", 31500, 10000, "on_guard"),
        warrior("b_rifle2", "b", "B1", 31500, 14000, "fleeing", "stunned"),
        warrior("b_gunner", "b", "B1", 17800, 12500, band="hurt"),
        warrior("b_chanter", "b", "B2", 32000, 18000, base_radius=800),
    ]


VEIL: Final[Tree] = {
    "id": "s9",
    "melody": "veil_of_mist",
    "combatant": "a_singer",
    "shape": {"kind": "disc", "origin": {"x": 15000, "y": 12000}, "radius": 2500},
    "round": 1,
}
DREAD: Final[Tree] = {
    "id": "s8",
    "melody": "quick_march",
    "combatant": "b_chanter",
    "target": "b_rifle1",
    "shape": {"kind": "model", "origin": {"x": 31500, "y": 10000}},
}


def window(**context: Any) -> Tree:
    """A guard window at a move."""
    return {
        "decisions": [{"id": "d9.1", "kind": "guard_window", "context": context}],
    }


def source(
    *people: Tree, board: Tree | None = DUEL_MAP, effects: tuple[Tree, ...] = (), **view: Any
) -> SceneSource:
    """What a scene is made of: this view behind an event with these effects."""
    everybody = list(people) or duellists()
    return SceneSource(
        state=Raw(encode({"combatants": everybody, **view})),
        event=Raw(encode({"effects": list(effects)})),
        map=None if board is None else Raw(encode(board)),
        acting=tuple(each["id"] for each in everybody if each["side"] == "a"),
    )
