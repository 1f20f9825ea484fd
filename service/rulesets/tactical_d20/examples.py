"""Requests that the OpenAPI document shows: a guard and a raider on either side of a low wall."""

from typing import Final

from service.engine.examples import RequestExample, RequestExamples

_SWORD: Final = {
    "id": "sword",
    "kind": "melee",
    "attack_bonus": 6,
    "damage": {"count": 1, "sides": 8, "bonus": 3},
}
_BOW: Final = {
    "id": "bow",
    "kind": "ranged",
    "attack_bonus": 5,
    "damage": {"sides": 6},
    "range_increment_ft": 60,
}
_GUARD: Final = {
    "id": "guard",
    "name": "The guard",
    "side": "watch",
    "place": {"x": 0, "y": 0},
    "health_max": 24,
    "ac": {"eac": 14, "kac": 16},
    "weapons": [_SWORD, _BOW],
}
_RAIDER: Final = {
    "id": "raider",
    "name": "Raider",
    "side": "raiders",
    "place": {"x": 5, "y": 0},
    "health_max": 15,
    "ac": {"eac": 12, "kac": 13},
    "reflex": 2,
    "senses": ["low_light"],
    "weapons": [_SWORD],
}
_SHOT: Final = {"type": "attack", "combatant": "guard", "weapon": "bow", "target": "raider"}

EXAMPLES: Final = RequestExamples(
    create_encounter=(
        RequestExample(
            name="tactical_d20",
            says="A guard with a bow, a raider behind a low wall in the mist; the guard begins",
            value={
                "ruleset": "tactical-d20",
                "title": "At the gate",
                "sides": [{"id": "watch"}, {"id": "raiders"}],
                "seats": [{"id": "olga", "role": "player", "combatants": ["guard"]}],
                "setup": {
                    "map": {
                        "form": "cells",
                        "cells": [
                            {"x": 4, "y": 0, "cover": "normal", "low_height_ft": 3},
                            {"x": 3, "y": 0, "concealment_pct": 20},
                        ],
                        "borders": [{"axis": "v", "x": 4, "y": 1, "wall": True}],
                    },
                    "combatants": [_GUARD, _RAIDER],
                    "battle": {
                        "order": [
                            {"combatant": "guard", "score": 17},
                            {"combatant": "raider", "score": 9},
                        ]
                    },
                },
            },
        ),
    ),
    act=(
        RequestExample(
            name="tactical_d20_start",
            says="Begin: whoever has no place in the order rolls initiative",
            value={"action": {"type": "start_encounter"}},
        ),
        RequestExample(
            name="tactical_d20_shoot",
            says="Shoot; enemies who control the archer's cell may attack first",
            value={"action": _SHOT},
        ),
    ),
    preview=(
        RequestExample(
            name="tactical_d20",
            says="What would a shot do? The answer has the corner, the lines and what they meet",
            value={"action": _SHOT},
        ),
    ),
    check_map=(
        RequestExample(
            name="a_floor_plan",
            says="A drawing that is sound",
            value={
                "ruleset": "tactical-d20",
                "map": {"form": "ascii", "rows": ["..#..", "..c..", "..sd."]},
            },
        ),
    ),
)
