"""Requests that the OpenAPI document shows: hunters and raiders on either side of a wall."""

from typing import Final

from service.engine.examples import RequestExample, RequestExamples

_HUNTER: Final = {
    "id": "hunter",
    "name": "Vera the hunter",
    "side": "village",
    "place": {"x": 1, "y": 4},
    "facing": "E",
    "health": 12,
    "soak": 2,
    "agi_pool": 4,
    "int_pool": 3,
    "melee_defence": 8,
    "ranged_defence": 9,
    "weapons": [
        {
            "id": "rifle",
            "name": "Old rifle",
            "kind": "ranged",
            "attack_dice": 6,
            "damage_dice": 4,
            "range_increment_ft": 60,
        },
        {"id": "knife", "kind": "melee", "attack_dice": 3, "damage_dice": 2},
    ],
}
_RAIDER: Final = {
    "id": "raider",
    "name": "Raider",
    "side": "raiders",
    "place": {"x": 8, "y": 4},
    "facing": "W",
    "health": 10,
    "soak": 1,
    "agi_pool": 3,
    "int_pool": 2,
    "melee_defence": 7,
    "ranged_defence": 8,
    "weapons": [
        {
            "id": "pistol",
            "kind": "ranged",
            "attack_dice": 4,
            "damage_dice": 3,
            "range_increment_ft": 30,
        },
        {"id": "axe", "kind": "melee", "attack_dice": 4, "damage_dice": 4},
    ],
}
_SHOT: Final = {
    "type": "ranged_attack",
    "combatant": "hunter",
    "weapon": "rifle",
    "target": "raider",
}

EXAMPLES: Final = RequestExamples(
    create_encounter=(
        RequestExample(
            name="crossfire_d6",
            says="A hunter and a raider on either side of a wall; the hunter begins",
            value={
                "ruleset": "crossfire-d6",
                "title": "At the old wall",
                "sides": [{"id": "village", "name": "The village"}, {"id": "raiders"}],
                "seats": [
                    {"id": "vera", "role": "player", "combatants": ["hunter"]},
                    {"id": "guest", "role": "observer"},
                ],
                "setup": {
                    "map": {
                        "form": "ascii",
                        "rows": [
                            "..........",
                            "..........",
                            "....#.....",
                            "....#.....",
                            ".c........",
                            "....#.....",
                            "..........",
                        ],
                    },
                    "combatants": [_HUNTER, _RAIDER],
                    "battle": {"order": [{"combatant": "hunter"}, {"combatant": "raider"}]},
                },
            },
        ),
        RequestExample(
            name="table_dice",
            says="The table rolls its own dice and sends the faces",
            value={
                "ruleset": "crossfire-d6",
                "dice": "supplied",
                "sides": [{"id": "village"}, {"id": "raiders"}],
                "setup": {"combatants": [_HUNTER, _RAIDER]},
            },
        ),
        RequestExample(
            name="time_limits",
            says="Two minutes for a turn, one for whoever is asked something",
            value={
                "ruleset": "crossfire-d6",
                "sides": [{"id": "village"}, {"id": "raiders"}],
                "setup": {
                    "options": {"turn_seconds": 120, "decision_seconds": 60},
                    "combatants": [_HUNTER, _RAIDER],
                    "battle": {"order": [{"combatant": "hunter"}, {"combatant": "raider"}]},
                },
            },
        ),
    ),
    act=(
        RequestExample(name="start", says="Begin", value={"action": {"type": "start_encounter"}}),
        RequestExample(name="shoot", says="Shoot", value={"action": _SHOT}),
        RequestExample(
            name="several",
            says="Step aside and end the turn, as two events",
            value={
                "actions": [
                    {
                        "action": {
                            "type": "move",
                            "combatant": "hunter",
                            "path": [{"x": 1, "y": 5}, {"x": 1, "y": 6}],
                        }
                    },
                    {"action": {"type": "end_turn", "combatant": "hunter"}},
                ]
            },
        ),
        RequestExample(
            name="note",
            says="Leave a remark",
            value={"action": {"type": "note", "text": "The raider looks worried."}},
        ),
        RequestExample(
            name="add_seat",
            says="Give the raiders' player a seat",
            value={
                "action": {
                    "type": "add_seat",
                    "seat": {"id": "otto", "role": "player", "sides": ["raiders"], "name": "Otto"},
                }
            },
        ),
        RequestExample(
            name="change_seat",
            says="Make a player a second game master; what is absent stays",
            value={"action": {"type": "change_seat", "seat": "otto", "role": "gm"}},
        ),
        RequestExample(
            name="remove_seat",
            says="Take a seat away for good",
            value={"action": {"type": "remove_seat", "seat": "otto"}},
        ),
    ),
    preview=(RequestExample(name="shoot", says="What would a shot do?", value={"action": _SHOT}),),
    check_map=(
        RequestExample(
            name="a_drawing",
            says="A drawing with a hole in it: its second row is too short",
            value={
                "ruleset": "crossfire-d6",
                "map": {"form": "ascii", "rows": ["..#..", "..c."]},
            },
        ),
    ),
)
