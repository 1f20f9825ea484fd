"""Ambush at the mill: what the demonstration creates, as a client writes it."""

from typing import Final

from service.demo.tabletop import Json

ROWS: Final = (
    "................",
    "....##..........",
    "....#...c.......",
    "........c...##..",
    "..c.......ss#...",
    "..c...c...ss....",
    "......c.........",
    "....#....c...d..",
    "....#....c......",
    "................",
)
"""`#` wall, `c` cover, `s` smoke, `d` dark; a cell is 5 ft."""

WATCH: Final = "watch"
RAIDERS: Final = "raiders"
SEAT_OF_SIDE: Final = {WATCH: "anna", RAIDERS: "boris"}
AMBUSHER: Final = "jackal"
SHIELDED: Final = "vera"


def weapon(name: str, kind: str, attack: int, damage: int, **more: object) -> Json:
    """A weapon; ranged ones name their effective range in feet."""
    dice = {"attack_dice": attack, "damage_dice": damage}
    return {"id": name, "kind": kind, **dice, **more}


def fighter(
    name: str, side: str, at: tuple[int, int], health: int, *weapons: Json, **more: object
) -> Json:
    """A combatant at a cell; fields left out have the ruleset's defaults."""
    return {
        "id": name,
        "name": name.title(),
        "side": side,
        "place": {"x": at[0], "y": at[1]},
        "health": health,
        "health_max": health,
        "ranged_defence": 15,
        "melee_defence": 15,
        "agi_pool": 3,
        "int_pool": 3,
        "weapons": list(weapons),
    } | more


def encounter() -> Json:
    """The body of `POST /v1/encounters`: two squads, one of them with a hidden ambusher."""
    rifle = weapon("rifle", "ranged", 5, 3, range_increment_ft=60)
    carbine = weapon("carbine", "ranged", 4, 2, range_increment_ft=30)
    pistol = weapon("pistol", "ranged", 3, 2, range_increment_ft=20)
    bayonet = weapon("bayonet", "melee", 4, 2)
    return {
        "ruleset": "crossfire-d6",
        "title": "Ambush at the mill",
        "sides": [
            {"id": WATCH, "name": "The Night Watch"},
            {"id": RAIDERS, "name": "The Raiders"},
        ],
        "seats": [
            {"id": "anna", "role": "player", "sides": [WATCH], "name": "Anna"},
            {"id": "boris", "role": "player", "sides": [RAIDERS], "name": "Boris"},
            {"id": "eve", "role": "observer"},
        ],
        "setup": {
            "options": {"enemy_health": "band"},
            "map": {"form": "ascii", "rows": list(ROWS)},
            "combatants": [
                # On the mill's loft, ten feet up.
                fighter("mara", WATCH, (1, 4), 14, rifle, place={"x": 1, "y": 4, "elevation": 10}),
                fighter("oleg", WATCH, (2, 7), 16, carbine, bayonet),
                fighter("vera", WATCH, (4, 6), 18, weapon("sabre", "melee", 5, 3), pistol),
                fighter("gorm", RAIDERS, (13, 5), 14, rifle),
                fighter("skarn", RAIDERS, (10, 6), 24, weapon("axe", "melee", 5, 3), soak=3),
                # Behind the watch, where nobody looks.
                fighter(AMBUSHER, RAIDERS, (0, 0), 12, carbine, bayonet, hidden=True),
            ],
        },
    }
