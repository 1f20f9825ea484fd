"""The warehouse raid: what the second demonstration creates, as a client writes it."""

from typing import Final

from service.demo.tabletop import Json

SEEKERS: Final = "seekers"
CULT: Final = "cult"
SEAT_OF_SIDE: Final = {SEEKERS: "anna", CULT: "boris"}
COVERS: Final = (((6, 2), (6, 6)), ((14, 3), (18, 3)), ((12, 6), (12, 8)))
"""Crates, a parked car and a pillar: each from one point to another, in metres."""

LOOKOUT: Final = "shade"
"""Nobody of the other side knows of her."""


def weapon(name: str, sample: str, **more: object) -> Json:
    """A weapon of the rulebook's tables under a separate name."""
    return {"id": name, "sample": sample, **more}


def fighter(
    name: str, side: str, at: tuple[int, int], skills: Json, *weapons: Json, **more: object
) -> Json:
    """A combatant at a point in metres; fields left out have the ruleset's defaults."""
    return {
        "id": name,
        "name": name.title(),
        "side": side,
        "place": {"x": at[0], "y": at[1]},
        "health": 18,
        "strength": 12,
        "dexterity": 12,
        "skills": {"unarmed": 50, "dodge": 50} | skills,
        "weapons": list(weapons),
        "held_items": [each["id"] for each in weapons[:1]],
    } | more


def cover(name: str, between: tuple[tuple[int, int], tuple[int, int]], sample: str) -> Json:
    """A straight cover between two points, as thick as the rulebook's `sample`."""
    start, end = between
    ends = {"start": {"x": start[0], "y": start[1]}, "end": {"x": end[0], "y": end[1]}}
    return {"id": name, **ends, "sample": sample}


def encounter() -> Json:
    """The body of `POST /v1/encounters`: seekers against a cult among crates and a parked car."""
    revolver = weapon("revolver", "w_revolver", ammo=6)
    machete = weapon("machete", "w_machete")
    vest = {"sample": "heavy_armour", "parts": ["torso"]}
    return {
        "ruleset": "seeker-d100",
        "title": "The warehouse raid",
        "sides": [{"id": SEEKERS, "name": "The Seekers"}, {"id": CULT, "name": "The Cult"}],
        "seats": [
            {"id": "anna", "role": "player", "sides": [SEEKERS], "name": "Anna"},
            {"id": "boris", "role": "player", "sides": [CULT], "name": "Boris"},
            {"id": "eve", "role": "observer"},
        ],
        "setup": {
            "options": {"enemy_health": "band"},
            "map": {
                "cover": [
                    cover("crates", COVERS[0], "thick_door"),
                    cover("car", COVERS[1], "car_side"),
                    cover("pillar", COVERS[2], "concrete"),
                ]
            },
            "combatants": [
                fighter("irma", SEEKERS, (4, 3), {"ranged": 60}, revolver),
                fighter("karl", SEEKERS, (8, 5), {"melee_weapon": 60, "unarmed": 65}, machete),
                fighter(
                    "lena",
                    SEEKERS,
                    (4, 6),
                    {"heavy_weapons": 50},
                    weapon("gun", "w_lmg"),
                    body_armour=vest,
                ),
                fighter("brat", CULT, (9, 4), {"melee_weapon": 55}, machete),
                fighter("otto", CULT, (16, 4), {"ranged": 50}, weapon("rifle", "w_rifle")),
                fighter(
                    LOOKOUT,
                    CULT,
                    (20, 7),
                    {"athletics": 50},
                    weapon("grenade", "w_grenade", ammo=1),
                    hidden=True,
                ),
            ],
        },
    }
