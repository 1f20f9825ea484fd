"""Requests that the OpenAPI document shows: the sample duel, and a round of it under way."""

from typing import Any, Final

from service.engine.examples import RequestExample, RequestExamples

Tree = dict[str, Any]


def _rectangle(name: str, kind: str, corners: tuple[int, int, int, int]) -> Tree:
    """A feature from its north-west to its south-east corner."""
    west, north, east, south = corners
    vertices = ((west, north), (east, north), (east, south), (west, south))
    return {"id": name, "kind": kind, "vertices": [{"x": x, "y": y} for x, y in vertices]}


def _at(sheet: Tree, x: int, y: int, **fields: object) -> Tree:
    """A warrior where it stands."""
    return sheet | {"place": {"x": x, "y": y}} | fields


_TABLE: Final = {
    "width": 36000,
    "height": 24000,
    "features": [
        _rectangle("t1", "low_wall", (8000, 4000, 12000, 4400)),
        _rectangle("t2", "low_wall", (20000, 10000, 24000, 10400)),
        _rectangle("t3", "building", (16000, 14000, 19000, 18000)),
        _rectangle("t4", "column", (26000, 7000, 26600, 7600)),
        _rectangle("t5", "debris", (28000, 15000, 30000, 16500)),
    ],
}
_SINGER: Final[Tree] = {
    "id": "a_singer",
    "side": "a",
    "unit": "A1",
    "singer": {
        "song_bonus": 1,
        "rerolls_per_round": 1,
        "melodies": ["ember_march", "dazzle_chord", "veil_of_mist", "mending_round"],
    },
}
_BOW: Final[Tree] = {"id": "a_bow", "side": "a", "unit": "A1", "weapons": ["longbow"]}
_RIFLE: Final[Tree] = {"id": "a_rifle", "side": "a", "unit": "A1", "weapons": ["rifle"]}
_SCOUT: Final[Tree] = {
    "id": "a_scout",
    "side": "a",
    "unit": "A2",
    "mobility": 5,
    "weapons": ["crossbow", "blade"],
}
_RIFLE_1: Final[Tree] = {"id": "b_rifle1", "side": "b", "unit": "B1", "weapons": ["rifle"]}
_RIFLE_2: Final[Tree] = {"id": "b_rifle2", "side": "b", "unit": "B1", "weapons": ["rifle"]}
_GUNNER: Final[Tree] = {
    "id": "b_gunner",
    "side": "b",
    "unit": "B1",
    "armour": 5,
    "weapons": ["volley_gun"],
}
_CHANTER: Final[Tree] = {
    "id": "b_chanter",
    "side": "b",
    "unit": "B2",
    "health_max": 2,
    "singer": {
        "song_dice": 3,
        "song_bonus": -1,
        "melodies": ["drum_of_dread", "heavy_air", "thunder_shove"],
    },
    "resistances": [{"to": "fire", "value": 2}],
}
_SIDES: Final = [{"id": "a", "name": "Ash Choir"}, {"id": "b", "name": "Grey Wardens"}]
_SEATS: Final = [
    {"id": "olga", "role": "player", "sides": ["a"]},
    {"id": "pavel", "role": "player", "sides": ["b"]},
]
_UNITS: Final = [
    {"id": "A1", "side": "a", "kind": "squad"},
    {"id": "A2", "side": "a", "kind": "lone"},
    {"id": "B1", "side": "b", "kind": "squad"},
    {"id": "B2", "side": "b", "kind": "lone"},
]
_HOMES: Final = [{"id": "a", "home_edge": "west"}, {"id": "b", "home_edge": "east"}]

_MOVE: Final = {"type": "move", "combatant": "a_scout", "path": [{"x": 13000, "y": 5400}]}

EXAMPLES: Final = RequestExamples(
    create_encounter=(
        RequestExample(
            name="melody_d6",
            says="A battle under way: a scout near a low wall, whose unit is about to move",
            value={
                "ruleset": "melody-d6",
                "title": "Ash and mist",
                "sides": _SIDES,
                "seats": _SEATS,
                "setup": {
                    "map": _TABLE,
                    "sides": _HOMES,
                    "units": _UNITS,
                    "combatants": [
                        _at(_SINGER, 9500, 10500),
                        _at(_BOW, 9000, 9000),
                        _at(_RIFLE, 9000, 12000),
                        _at(_SCOUT, 9000, 5000),
                        _at(_RIFLE_1, 22000, 9300),
                        _at(_RIFLE_2, 27000, 14000),
                        _at(_GUNNER, 27000, 12000),
                        _at(_CHANTER, 32000, 18000),
                    ],
                    "battle": {
                        "round": 2,
                        "first_side": "a",
                        "turn_side": "a",
                        "turn_unit": "A2",
                    },
                },
            },
        ),
        RequestExample(
            name="melody_d6_sample_duel",
            says="The sample battle of the rulebook, from its beginning",
            value={
                "ruleset": "melody-d6",
                "title": "Sample duel",
                "sides": _SIDES,
                "seats": _SEATS,
                "setup": {
                    "map": _TABLE,
                    "sides": _HOMES,
                    "units": _UNITS,
                    "combatants": [
                        _at(_SINGER, 4500, 12000),
                        _at(_BOW, 4500, 10000),
                        _at(_RIFLE, 4500, 14000),
                        _at(_SCOUT, 9000, 5000),
                        _at(_RIFLE_1, 31500, 10000),
                        _at(_RIFLE_2, 31500, 14000),
                        _at(_GUNNER, 31500, 12000),
                        _at(_CHANTER, 32000, 18000),
                    ],
                },
            },
        ),
    ),
    act=(
        RequestExample(
            name="melody_d6_start",
            says="Begin: the turn that the creation states goes on",
            value={"action": {"type": "start_encounter"}},
        ),
        RequestExample(
            name="melody_d6_move",
            says="Move to the end of the wall; enemies on guard may shoot on the way",
            value={"action": _MOVE},
        ),
        RequestExample(
            name="melody_d6_mask",
            says="Mask near the wall, for 1 FP of the side",
            value={"action": {"type": "mask", "combatants": ["a_scout"]}},
        ),
        RequestExample(
            name="melody_d6_end_movement",
            says="Go on to the action phase; detection is rolled for",
            value={"action": {"type": "end_movement", "unit": "A2"}},
        ),
        RequestExample(
            name="melody_d6_end_activation",
            says="The unit is done for this turn",
            value={"action": {"type": "end_activation", "unit": "A2"}},
        ),
        RequestExample(
            name="melody_d6_activate",
            says="Activate the next unit of the side",
            value={"action": {"type": "activate_unit", "unit": "A1"}},
        ),
        RequestExample(
            name="melody_d6_stand_fast",
            says="Nobody of this unit moves",
            value={"action": {"type": "end_movement", "unit": "A1"}},
        ),
        RequestExample(
            name="melody_d6_shoot",
            says="Shoot at long range at somebody behind a low wall",
            value={
                "action": {
                    "type": "shoot",
                    "combatant": "a_rifle",
                    "target": "b_rifle1",
                    "weapon": "rifle",
                }
            },
        ),
        RequestExample(
            name="melody_d6_guard",
            says="Go on guard, to shoot in the enemy's turn",
            value={"action": {"type": "guard", "combatant": "a_bow"}},
        ),
        RequestExample(
            name="melody_d6_sing",
            says="Sing a Melody; the dice may be rolled again, and the enemy may dampen it",
            value={
                "action": {
                    "type": "sing",
                    "combatant": "a_singer",
                    "melody": "ember_march",
                    "point": {"x": 22000, "y": 9300},
                }
            },
        ),
    ),
    preview=(
        RequestExample(
            name="melody_d6",
            says="What would this move cost, who could shoot on the way, is the masking kept?",
            value={"action": _MOVE},
        ),
    ),
    check_map=(
        RequestExample(
            name="a_table_in_steps",
            says="A table of 36 by 24 steps with walls, a building, a column and debris",
            value={"ruleset": "melody-d6", "map": _TABLE},
        ),
    ),
)
