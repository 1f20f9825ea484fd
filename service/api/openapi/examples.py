"""Bodies that work: a test sends every one of them, in this order, to the real service.

Those of `act`, `preview` and of seats are sent in the encounter that the example of
`create_encounter` named by `of` makes; the code of `join` is one that nobody was told.
"""

from typing import Any, Final

from msgspec import Struct

from service.encounters.seats.invitation_codes import EXAMPLE as CODE


class Example(Struct, frozen=True, kw_only=True):
    """One body of a call."""

    name: str
    says: str
    value: dict[str, Any]
    of: str = "crossfire_d6"


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
_SEEKER: Final = {
    "id": "seeker",
    "name": "The seeker",
    "side": "agents",
    "place": {"x": 0, "y": 0},
    "health": 12,
    "strength": 12,
    "dexterity": 11,
    "skills": {"ranged": 55, "unarmed": 40, "dodge": 45},
    "body_armour": {"sample": "heavy_armour"},
    "held_items": ["w_revolver"],
    "weapons": [{"id": "w_revolver", "sample": "w_revolver"}],
}
_CULTIST: Final = {
    "id": "cultist",
    "name": "Cultist",
    "side": "cult",
    "place": {"x": 8, "y": 0},
    "health": 10,
    "strength": 10,
    "dexterity": 13,
    "skills": {"melee_weapon": 50, "dodge": 40},
    "weapons": [{"id": "axe", "sample": "w_knife", "name": "Axe"}],
}
_SEEKER_SHOT: Final = {
    "type": "attack",
    "combatant": "seeker",
    "weapon": "w_revolver",
    "target": "cultist",
}

EXAMPLES: Final[dict[str, tuple[Example, ...]]] = {
    "create_encounter": (
        Example(
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
        Example(
            name="table_dice",
            says="The table rolls its own dice and sends the faces",
            value={
                "ruleset": "crossfire-d6",
                "dice": "supplied",
                "sides": [{"id": "village"}, {"id": "raiders"}],
                "setup": {"combatants": [_HUNTER, _RAIDER]},
            },
        ),
        Example(
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
        Example(
            name="seeker_d100",
            says="A seeker with a revolver, a cultist near a crate; the seeker begins",
            value={
                "ruleset": "seeker-d100",
                "title": "In the cellar",
                "sides": [{"id": "agents"}, {"id": "cult"}],
                "seats": [{"id": "olga", "role": "player", "combatants": ["seeker"]}],
                "setup": {
                    "map": {
                        "cover": [
                            {
                                "id": "crate",
                                "start": {"x": 7, "y": -1},
                                "end": {"x": 7, "y": -3},
                                "sample": "thick_door",
                            }
                        ]
                    },
                    "combatants": [_SEEKER, _CULTIST],
                    "battle": {
                        "cards": [
                            {"combatant": "seeker", "card": 48},
                            {"combatant": "cultist", "card": 7},
                        ]
                    },
                },
            },
        ),
    ),
    "act": (
        Example(name="start", says="Begin", value={"action": {"type": "start_encounter"}}),
        Example(name="shoot", says="Shoot", value={"action": _SHOT}),
        Example(
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
        Example(
            name="note",
            says="Leave a remark",
            value={"action": {"type": "note", "text": "The raider looks worried."}},
        ),
        Example(
            name="add_seat",
            says="Give the raiders' player a seat",
            value={
                "action": {
                    "type": "add_seat",
                    "seat": {"id": "otto", "role": "player", "sides": ["raiders"], "name": "Otto"},
                }
            },
        ),
        Example(
            name="change_seat",
            says="Make a player a second game master; what is absent stays",
            value={"action": {"type": "change_seat", "seat": "otto", "role": "gm"}},
        ),
        Example(
            name="remove_seat",
            says="Take a seat away for good",
            value={"action": {"type": "remove_seat", "seat": "otto"}},
        ),
        Example(
            name="seeker_d100_start",
            says="Begin: whoever has no card draws one",
            value={"action": {"type": "start_encounter"}},
            of="seeker_d100",
        ),
        Example(
            name="seeker_d100_shoot",
            says="Shoot; whoever may answer is asked",
            value={"action": _SEEKER_SHOT},
            of="seeker_d100",
        ),
    ),
    "change_timers": (
        Example(
            name="pause",
            says="Somebody is at the door",
            value={"do": "pause"},
            of="time_limits",
        ),
        Example(name="resume", says="Go on", value={"do": "resume"}, of="time_limits"),
        Example(
            name="extend",
            says="Five minutes more for the hunter",
            value={"do": "extend", "seconds": 300, "turn": "hunter"},
            of="time_limits",
        ),
    ),
    "preview": (
        Example(name="shoot", says="What would a shot do?", value={"action": _SHOT}),
        Example(
            name="seeker_d100",
            says="What would a shot do at somebody who dives for cover?",
            value={
                "action": _SEEKER_SHOT,
                "answers": [
                    {
                        "combatant": "cultist",
                        "choice": {
                            "type": "take_cover",
                            "cover": "crate",
                            "to": {"x": 8, "y": -2},
                        },
                    }
                ],
            },
            of="seeker_d100",
        ),
    ),
    "audit_with_receipts": (
        Example(
            name="one",
            says="What the answer to an action brought, some time ago",
            value={
                "receipts": [
                    {
                        "kid": "5c1f0a6f0b7e3d42",
                        "encounter": "01966b6a-9c5e-7d7c-8f0a-3b1d2e4f5a6b",
                        "seq": 12,
                        "hash": "9f" * 32,
                        "sig": "3c" * 64,
                    }
                ]
            },
        ),
    ),
    "create_seat": (
        Example(
            name="player",
            says="A player for the raiders, who is told a code",
            value={"seat": {"id": "nina", "role": "player", "sides": ["raiders"], "name": "Nina"}},
        ),
        Example(
            name="game_master",
            says="A second game master; the code comes later",
            value={"seat": {"id": "second", "role": "gm"}, "invite": False},
        ),
    ),
    "change_seat": (
        Example(
            name="observer",
            says="A player who only watches from now on",
            value={"role": "observer", "sides": []},
        ),
    ),
    "join": (
        Example(
            name="code",
            says="A code as somebody typed it; this one leads nowhere",
            value={"code": CODE.lower()},
        ),
    ),
}
"""Operation id -> its examples, in the order they are sent."""
