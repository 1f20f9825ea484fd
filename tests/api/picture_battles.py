"""The battle of melody-d6 that is drawn for the documentation."""

from typing import Any, Final

Json = dict[str, Any]


def _terrain(name: str, kind: str, *corners: tuple[int, int]) -> Json:
    return {"id": name, "kind": kind, "vertices": [{"x": x, "y": y} for x, y in corners]}


def _box(name: str, kind: str, west: int, north: int, east: int, south: int) -> Json:
    corners = ((west, north), (east, north), (east, south), (west, south))
    return _terrain(name, kind, *corners)


def _warrior(name: str, side: str, x: int, y: int, **sheet: Any) -> Json:
    """A warrior alone in its unit."""
    known = {"id": name, "name": name.capitalize(), "side": side, "unit": name}
    return {**known, "place": {"x": x, "y": y}, **sheet}


_PEOPLE: Final = (
    _warrior("iva", "ash", 2500, 9500, singer={"melodies": ["veil_of_mist"]}),
    _warrior("bran", "ash", 5000, 4200, conditions=["masked"], weapons=["longbow"]),
    _warrior(
        "rook", "ash", 4500, 8000, conditions=["melody"], songs=["mist"], move=8000, health_max=2
    ),
    _warrior("otto", "wardens", 18000, 4500, conditions=["on_guard"], weapons=["rifle"]),
    _warrior(
        "greta",
        "wardens",
        17500,
        8500,
        conditions=["on_guard"],
        weapons=["rifle"],
        base_radius=700,
    ),
    _warrior("lurker", "wardens", 19000, 11000, hidden=True),
)

GUARDED_YARD: Final[Json] = {
    "ruleset": "melody-d6",
    "title": "The guarded yard",
    "sides": [{"id": "ash"}, {"id": "wardens"}],
    "setup": {
        "map": {
            "width": 20000,
            "height": 12000,
            "features": [
                _box("wall", "low_wall", 3000, 2600, 7000, 3000),
                _box("house", "building", 10500, 7500, 13500, 10500),
                _box("pillar", "column", 13000, 4300, 13600, 4900),
                _terrain(
                    "rock", "rock", (15000, 2000), (16400, 2400), (16000, 3600), (14800, 3200)
                ),
            ],
        },
        "units": [{"id": each["id"], "side": each["side"], "kind": "lone"} for each in _PEOPLE],
        "combatants": list(_PEOPLE),
        "songs": [
            {
                "id": "mist",
                "melody": "veil_of_mist",
                "combatant": "iva",
                "shape": {"kind": "disc", "origin": {"x": 5500, "y": 7500}, "radius": 2500},
                "round": 1,
            }
        ],
        "battle": {"round": 1, "first_side": "ash", "turn_side": "ash", "turn_unit": "rook"},
    },
}
"""A runner among guards, a veil in play, somebody masked and somebody hidden."""

STOPPED: Final[tuple[Json, ...]] = (
    {
        "action": {
            "type": "move",
            "combatant": "rook",
            "path": [{"x": 8500, "y": 6000}, {"x": 11500, "y": 5500}],
        }
    },
    {
        "action": {
            "type": "answer",
            "decision_id": "d3.1",
            "choice": {
                "type": "guard_shoot",
                "combatant": "otto",
                "target": "rook",
                "weapon": "rifle",
                "path_point": {"leg": 0, "permille": 700},
            },
        },
        "dice": [6, 5],
    },
)
"""Rook runs, Otto shoots at him on the way, and Greta may still shoot."""
