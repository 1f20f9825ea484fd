"""The sample duel: what the fifth demonstration creates, as a client writes it."""

from typing import Final

from service.demo.tabletop import Json

CHOIR: Final = "a"
WARDENS: Final = "b"
SCOUT: Final = "a_scout"

SEATS: Final = {
    "anna": ("a_singer", "a_bow", "a_rifle"),
    "clara": (SCOUT,),
    "boris": ("b_rifle1", "b_rifle2", "b_gunner"),
    "dmitri": ("b_chanter",),
}
"""Four players, two of each side, and whom they lead."""

NAMES: Final = {
    "a_singer": "Ember",
    "a_bow": "Wren",
    "a_rifle": "Cole",
    SCOUT: "Sparrow",
    "b_rifle1": "Harrow",
    "b_rifle2": "Stone",
    "b_gunner": "Brock",
    "b_chanter": "Mourn",
}

SIDE_OF_SEAT: Final = {"anna": CHOIR, "clara": CHOIR, "boris": WARDENS, "dmitri": WARDENS}
LAST_ROUND: Final = 4


def feature(name: str, kind: str, corners: tuple[int, int, int, int]) -> Json:
    """Terrain from its north-west to its south-east corner."""
    west, north, east, south = corners
    vertices = ((west, north), (east, north), (east, south), (west, south))
    return {"id": name, "kind": kind, "vertices": [{"x": x, "y": y} for x, y in vertices]}


def warrior(own_id: str, unit: str, x: int, y: int, **sheet: object) -> Json:
    """A warrior; its side is the first letter of its id."""
    place = {"x": x, "y": y}
    stated = {"id": own_id, "name": NAMES[own_id], "side": own_id[0], "unit": unit, "place": place}
    return {**stated, **sheet}


def encounter() -> Json:
    """The body of `POST /v1/encounters`: the Ash Choir in the west, the Grey Wardens in the east.

    Weapons and Melodies are those of the rulebook's sample.
    """
    songs = ["ember_march", "dazzle_chord", "veil_of_mist", "mending_round"]
    chants = ["drum_of_dread", "heavy_air", "thunder_shove"]
    return {
        "ruleset": "melody-d6",
        "title": "The duel in the ashes",
        "sides": [{"id": CHOIR, "name": "Ash Choir"}, {"id": WARDENS, "name": "Grey Wardens"}],
        "seats": [
            {"id": seat, "role": "player", "combatants": list(led), "name": seat.capitalize()}
            for seat, led in SEATS.items()
        ],
        "setup": {
            "options": {"round_limit": LAST_ROUND},
            "map": {
                "width": 36000,
                "height": 24000,
                "features": [
                    feature("t1", "low_wall", (8000, 4000, 12000, 4400)),
                    feature("t2", "low_wall", (20000, 10000, 24000, 10400)),
                    feature("t3", "building", (16000, 14000, 19000, 18000)),
                    feature("t4", "column", (26000, 7000, 26600, 7600)),
                    feature("t5", "debris", (28000, 15000, 30000, 16500)),
                ],
            },
            "sides": [
                {"id": CHOIR, "home_edge": "west"},
                {"id": WARDENS, "home_edge": "east"},
            ],
            "units": [
                {"id": "A1", "side": CHOIR, "kind": "squad"},
                {"id": "A2", "side": CHOIR, "kind": "lone"},
                {"id": "B1", "side": WARDENS, "kind": "squad"},
                {"id": "B2", "side": WARDENS, "kind": "lone"},
            ],
            "combatants": [
                warrior(
                    "a_singer",
                    "A1",
                    4500,
                    12000,
                    singer={"song_bonus": 1, "rerolls_per_round": 1, "melodies": songs},
                ),
                warrior("a_bow", "A1", 4500, 10000, weapons=["longbow"]),
                warrior("a_rifle", "A1", 4500, 14000, weapons=["rifle"]),
                warrior(SCOUT, "A2", 9000, 5000, mobility=5, weapons=["crossbow", "blade"]),
                warrior("b_rifle1", "B1", 31500, 10000, weapons=["rifle"]),
                warrior("b_rifle2", "B1", 31500, 14000, weapons=["rifle"]),
                warrior("b_gunner", "B1", 31500, 12000, weapons=["volley_gun"], armour=5),
                warrior(
                    "b_chanter",
                    "B2",
                    32000,
                    18000,
                    health_max=2,
                    singer={"song_dice": 3, "song_bonus": -1, "melodies": chants},
                    resistances=[{"to": "fire", "value": 2}],
                ),
            ],
        },
    }
