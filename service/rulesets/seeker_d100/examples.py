"""Requests that the OpenAPI document shows: a seeker and a cultist near a crate."""

from typing import Final

from service.engine.examples import RequestExample, RequestExamples

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
_SHOT: Final = {
    "type": "attack",
    "combatant": "seeker",
    "weapon": "w_revolver",
    "target": "cultist",
}

EXAMPLES: Final = RequestExamples(
    create_encounter=(
        RequestExample(
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
    act=(
        RequestExample(
            name="seeker_d100_start",
            says="Begin: whoever has no card draws one",
            value={"action": {"type": "start_encounter"}},
        ),
        RequestExample(
            name="seeker_d100_shoot",
            says="Shoot; whoever may answer is asked",
            value={"action": _SHOT},
        ),
    ),
    preview=(
        RequestExample(
            name="seeker_d100",
            says="What would a shot do at somebody who dives for cover?",
            value={
                "action": _SHOT,
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
        ),
    ),
    check_map=(
        RequestExample(
            name="a_wall",
            says="A wall 2 metres long",
            value={
                "ruleset": "seeker-d100",
                "map": {
                    "cover": [
                        {
                            "id": "wall",
                            "start": {"x": 2, "y": 0},
                            "end": {"x": 2, "y": 2},
                            "sample": "thick_door",
                        }
                    ]
                },
            },
        ),
    ),
)
