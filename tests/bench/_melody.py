"""The battle of melody-d6 that is measured: one side sings or both shoot, and nobody is hurt."""

from collections.abc import Mapping
from typing import Any

Tree = Mapping[str, Any]


def _fighter(index: int, count: int) -> Tree:
    """One of two lines 8 steps apart, alone in its unit, whom hits hurt hardly ever."""
    line, place = divmod(index, count // 2)
    singer = {"singer": {"song_dice": 1, "melodies": ["glare"]}} if line == 0 else {}
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "unit": f"u{index}",
        "place": {"x": 2000 + line * 8000, "y": 1500 + place * 3000},
        "accuracy": 0,
        "toughness": 10,
        "health_max": 20,
        "armour": 2,
        "weapons": ["sling"],
        "resistances": [{"to": "melody", "value": 1}],
        **singer,
    }


def melody(count: int, *features: Tree) -> Tree:
    """An encounter in which one side sings what does no harm, so that nobody is asked anything."""
    glare = {"kind": "daze"}
    sling = {"id": "sling", "kind": "bow", "range": 12000, "shots": 1, "strength": 1, "damage": 1}
    song = {"id": "glare", "colour": "yellow", "difficulty": 2, "targeting": "point"}
    return {
        "ruleset": "melody-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "options": {"initiative": "fixed"},
            "map": {"width": 36000, "height": 36000, "features": list(features)},
            "content": {
                "weapons": [{**sling, "pen": 0}],
                "templates": [{"id": "everywhere", "shape": "disc", "radius": 20000}],
                "melodies": [
                    song
                    | {"range": 60000, "needs_los": False, "template": "everywhere"}
                    | {"duration": "instant", "effects": [glare], "mp_effects": [glare]}
                    | {"mistake_table": "nothing"}
                ],
                "mistake_tables": [
                    {"id": "nothing", "rows": [[{"scope": "singer", "effect": glare}]] * 6}
                ],
            },
            "units": [
                {"id": f"u{index}", "side": ("red", "blue")[2 * index // count], "kind": "lone"}
                for index in range(count)
            ],
            "combatants": [_fighter(index, count) for index in range(count)],
        },
    }


def debris(index: int) -> Tree:
    """A piece of terrain between the lines, high but in the way of no opposite places."""
    west, north = 4000 + 600 * (index % 8), 2700 + 3000 * (index // 8)
    corners = ((west, north), (west + 500, north + 100), (west + 300, north + 600))
    return {
        "id": f"t{index}",
        "kind": "debris",
        "height": "high",
        "vertices": [{"x": x, "y": y} for x, y in corners],
    }


def sling_shots(count: int) -> tuple[Tree, ...]:
    """A shot of everybody at whoever is opposite, in a separate activation."""
    return tuple(
        step
        for turn in range(count)
        for step in (
            *_activation(
                turn,
                {
                    "type": "shoot",
                    "combatant": f"c{turn}",
                    "weapon": "sling",
                    "target": f"c{(turn + count // 2) % count}",
                },
            ),
            *_end_of_line(turn, count),
        )
    )


def songs(count: int) -> tuple[Tree, ...]:
    """A song of everybody of the first side, under which all of them are."""
    songs = [
        {"type": "sing", "combatant": f"c{turn}", "melody": "glare"}
        | {"point": {"x": 8000, "y": 3000 * (count // 4)}}
        for turn in range(count // 2)
    ]
    turns = tuple(step for turn, song in enumerate(songs) for step in _activation(turn, song))
    return (*turns, *_end_of_line(count // 2 - 1, count), *_end_of_line(count - 1, count))


def _activation(turn: int, action: Tree) -> tuple[Tree, ...]:
    """The activation of a unit of one, which stands still and acts."""
    unit = f"u{turn}"
    return (
        {"type": "activate_unit", "unit": unit},
        {"type": "end_movement", "unit": unit},
        action,
        {"type": "end_activation", "unit": unit},
    )


def _end_of_line(turn: int, count: int) -> tuple[Tree, ...]:
    """The end of a side's turn behind the last of its line."""
    side = {count // 2 - 1: "red", count - 1: "blue"}.get(turn)
    return () if side is None else ({"type": "end_turn", "side": side},)
