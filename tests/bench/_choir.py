"""A song of melody-d6 over a crowd: everybody before one singer, in units of 20.

Each is struck, saved, mended and dazed, so that nobody falls and the round can go on for ever.
"""

from collections.abc import Mapping
from typing import Any

Tree = Mapping[str, Any]


def _content() -> Tree:
    """A Melody that wounds and mends whoever is before its singer; it never fails."""
    effects = [
        {"kind": "wound", "strength": 1},
        {"kind": "heal", "amount": 20},
        {"kind": "daze"},
        {"kind": "reveal"},
    ]
    melody = {
        "id": "strike",
        "colour": "red",
        "difficulty": 2,
        "targeting": "ray",
        "template": "wide",
        "tags": ["fire"],
        "effects": effects,
        "mp_effects": effects,
        "mistake_table": "none",
    }
    return {
        "melodies": [melody],
        "templates": [{"id": "wide", "shape": "cone", "length": 20_000, "half_width": 20_000}],
        "mistake_tables": [{"id": "none", "rows": [[] for _ in range(6)]}],
    }


def _warden(index: int) -> Tree:
    """One of the crowd, too tough to fall, who may resist."""
    row, place = divmod(index, 20)
    return {
        "id": f"c{index}",
        "side": "blue",
        "unit": f"u{row}",
        "place": {"x": 5_000 + 1_100 * row, "y": 20_000 + 1_050 * place},
        "health_max": 20,
        "toughness": 10,
        "armour": 2,
        "resistances": [{"to": "fire", "value": 1}],
    }


def crowded_song(count: int) -> tuple[Tree, tuple[Tree, ...]]:
    """A battle in which so many stand before one singer, and a round with its song."""
    singer = {
        "id": "singer",
        "side": "red",
        "unit": "choir",
        "place": {"x": 2_000, "y": 30_000},
        "singer": {"song_dice": 1, "song_bonus": 10, "melodies": ["strike"]},
    }
    rows = [f"u{row}" for row in range(1 + (count - 1) // 20)]
    creation = {
        "ruleset": "melody-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "map": {"width": 60_000, "height": 60_000, "features": []},
            "content": _content(),
            "units": [
                {"id": "choir", "side": "red", "kind": "lone", "activated": True},
                *({"id": row, "side": "blue", "kind": "squad"} for row in rows),
            ],
            "combatants": [singer, *(_warden(index) for index in range(count))],
            "battle": {
                "round": 1,
                "first_side": "red",
                "turn_side": "red",
                "turn_unit": "choir",
                "phase": "action",
            },
        },
    }
    aim = {"x": 20_000, "y": 30_000}
    return creation, (
        {"type": "sing", "combatant": "singer", "melody": "strike", "aim": aim},
        {"type": "end_activation", "unit": "choir"},
        {"type": "end_turn", "side": "red"},
        {"type": "end_turn", "side": "blue"},
        {"type": "activate_unit", "unit": "choir"},
        {"type": "end_movement", "unit": "choir"},
    )
