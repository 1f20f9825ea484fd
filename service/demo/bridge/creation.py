"""The toll bridge at night: what the third demonstration creates, as a client writes it."""

from typing import Final

from service.demo.tabletop import Json

ROWS: Final = (
    "..........##....",
    "....c.....#.....",
    "....c...ss......",
    "........ss...l..",
    "..........#..ld.",
    "....#.....#..ld.",
    "....#...........",
    "..........##....",
)
"""`#` wall, `c` cover, `s` smoke, `l` low light, `d` dark; a cell is 5 ft."""

GUARDS: Final = "guards"
ROBBERS: Final = "robbers"
SEAT_OF_SIDE: Final = {GUARDS: "anna", ROBBERS: "boris"}
LURKER: Final = "moth"
"""Nobody of the other side knows of her."""
SHADED: Final = "rook"


def melee(name: str, bonus: int, dice: str, **more: object) -> Json:
    """A melee weapon; `dice` as in `1d8+3`."""
    return {"id": name, "kind": "melee", "attack_bonus": bonus, "damage": damage(dice), **more}


def ranged(name: str, bonus: int, dice: str, increment_ft: int) -> Json:
    """A ranged weapon."""
    stated = {"id": name, "kind": "ranged", "attack_bonus": bonus, "damage": damage(dice)}
    return {**stated, "range_increment_ft": increment_ft}


def damage(dice: str) -> Json:
    """Damage as a client writes it, from `1d8+3`."""
    pool, bonus = dice.split("+")
    count, sides = pool.split("d")
    return {"count": int(count), "sides": int(sides), "bonus": int(bonus)}


def fighter(
    name: str, side: str, at: tuple[int, int], health: int, *weapons: Json, **more: object
) -> Json:
    """A combatant at a cell; fields left out have the ruleset's defaults."""
    return {
        "id": name,
        "name": name.title(),
        "side": side,
        "place": {"x": at[0], "y": at[1]},
        "health_max": health,
        "ac": {"eac": 13, "kac": 15},
        "reflex": 2,
        "initiative": 2,
        "weapons": list(weapons),
    } | more


def encounter() -> Json:
    """The body of `POST /v1/encounters`: guards of a bridge, robbers and an ogre of theirs."""
    sword = melee("sword", 6, "1d8+3")
    spear = melee("spear", 5, "1d6+2", reach_ft=10)
    bow = ranged("bow", 6, "1d8+1", 60)
    flask = {"id": "flask", "radius_ft": 10, "dc": 13, "damage": damage("2d6+0")}
    return {
        "ruleset": "tactical-d20",
        "title": "The toll bridge at night",
        "sides": [
            {"id": GUARDS, "name": "The Guards"},
            {"id": ROBBERS, "name": "The Robbers"},
        ],
        "seats": [
            {"id": "anna", "role": "player", "sides": [GUARDS], "name": "Anna"},
            {"id": "boris", "role": "player", "sides": [ROBBERS], "name": "Boris"},
            {"id": "eve", "role": "observer"},
        ],
        "setup": {
            "options": {"enemy_health": "band"},
            "map": {"form": "ascii", "rows": list(ROWS)},
            "combatants": [
                fighter("iris", GUARDS, (1, 2), 22, bow, sword),
                fighter("holm", GUARDS, (3, 4), 40, spear, sword),
                fighter("pike", GUARDS, (2, 6), 40, sword, areas=[flask]),
                fighter(SHADED, ROBBERS, (14, 4), 20, bow, sword, senses=["low_light"]),
                fighter(
                    "grum",
                    ROBBERS,
                    (7, 5),
                    60,
                    melee("club", 5, "1d8+4"),
                    size=2,
                    reach_ft=10,
                    height_ft=10,
                ),
                fighter(LURKER, ROBBERS, (0, 0), 18, sword, hidden=True),
            ],
        },
    }
