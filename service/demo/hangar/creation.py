"""The hangar: what the fourth demonstration creates, as a client writes it: a pasted map."""

from typing import Final

from service.demo.tabletop import Json

MAP: Final = """\
███████████████████
█.x....█.....x...А█
█..M...D..|....x..█
█.x....█....А.....█
█...К..█..E.......█
█..W...█....x...x.█
█.G....D...F......█
█.x....█......x..А█
███████████████████
"""
"""As somebody pastes it: `█` wall, `x` cover, `D` door, `|` an obstacle that shots pass, `W`
weapons, `E` cargo, `F` fuel; the letters `А` (Cyrillic), `M`, `К` and `G` are units."""

SQUAD: Final = "squad"
ALIENS: Final = "aliens"
SEAT_OF_SIDE: Final = {SQUAD: "anna", ALIENS: "boris"}
GANDER: Final = "maxim_gander"
KUTSENKO: Final = "warrant_officer_kutsenko"


def weapon(name: str, kind: str, ap_class: int, dice: tuple[int, int], magazine: int) -> Json:
    """A firearm; `dice` are how many of how many sides."""
    damage = {"count": dice[0], "sides": dice[1], "bonus": 4}
    stated = {"id": name, "kind": kind, "ap_class": ap_class, "damage": damage}
    return {**stated, "magazine": magazine}


def encounter() -> Json:
    """The body of `POST /v1/encounters`: three of the squad, three aliens, one of them hidden."""
    rifle = weapon("rifle", "automatic_rifle", 4, (2, 10), 30)
    pistol, revolver = (weapon(each, each, 2, (1, 10), 6) for each in ("pistol", "revolver"))
    frag = {"id": "frag", "damage": 18, "ap_class": 3, "radius": 1}
    spitter = weapon("spitter", "other", 3, (1, 12), 20)
    units: list[Json] = [
        {"glyph": "А", "accuracy": 50, "agility": 26, "health_max": 60, "armour_class": 3},
        {"glyph": "А", "strength": 30, "weapons": [{**spitter, "automatic": True}]},
        {"x": 17, "y": 1, "name": "Rasp"},
        {"x": 12, "y": 3, "name": "Gnaw"},
        {"x": 17, "y": 7, "id": "lurker", "name": "Lurker", "hidden": True},
        {"glyph": "M", "accuracy": 70, "armour_class": 4, "weapons": [rifle], "grenades": [frag]},
        {"glyph": "К", "accuracy": 80, "armour_class": 2, "weapons": [pistol, revolver]},
        {
            "glyph": "G",
            "name": "Silent Nell",
            "weapons": [weapon("sniper", "sniper_rifle", 6, (2, 12), 5)],
        },
        {"x": 3, "y": 5, "items": {"grenades": [frag]}},
    ]
    return {
        "ruleset": "squad-d100",
        "title": "The hangar",
        "sides": [{"id": SQUAD, "name": "The Squad"}, {"id": ALIENS, "name": "The Aliens"}],
        "seats": [
            {"id": "anna", "role": "player", "sides": [SQUAD], "name": "Anna"},
            {"id": "boris", "role": "player", "sides": [ALIENS], "name": "Boris"},
            {"id": "eve", "role": "observer"},
        ],
        "setup": {
            "options": {"enemy_health": "band"},
            "map": {
                "text": MAP,
                "under": [{"x": 17, "y": 1, "glyph": "x"}],
                "roster": units,
            },
        },
    }
