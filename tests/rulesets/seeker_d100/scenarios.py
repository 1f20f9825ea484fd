"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.canaries import GHOST, GHOSTLY, LATE, LATECOMER, TIMES
from tests.kit.rig import Brawl, Canaries, Deeds, SideRoll, Tree, UnseenQuestion
from tests.rulesets.seeker_d100.setups import battle_of, fighter, strike, wall, weapon


def brawler(name: str, x: int, y: int) -> Tree:
    """Somebody who strikes and may answer blows; the second of each side is hidden."""
    return {
        "id": name,
        "side": "red" if name.startswith("r") else "blue",
        "place": {"x": x, "y": y},
        "health": 200,
        "skills": {"melee_weapon": 60, "unarmed": 60, "dodge": 50},
        "weapons": [{"id": "blade", "sample": "w_machete"}],
        "hidden": name.endswith("2"),
    }


BRAWL: Final = Brawl(
    setup={
        "options": {"enemy_numbers": "hidden", "attack_reveals": False},
        "combatants": [
            brawler("r1", 0, 0),
            brawler("r2", 0, 1),
            brawler("b1", 1, 0),
            brawler("b2", 1, 1),
        ],
        "battle": {
            "cards": [
                {"combatant": name, "card": 51 - 4 * at}
                for at, name in enumerate(("r1", "r2", "b1", "b2"))
            ],
            "turn": "r1",
        },
    },
    attack=lambda attacker, target: strike("blade", attacker, target),
    choice=lambda kind: {"type": kind} | ({"weapon": "blade"} if kind == "resist" else {}),
)


def blow() -> SideRoll:
    """Ann's a strikes; once Bob's t has answered, the blow itself is rolled."""
    arms = [weapon("w_machete")]
    people = [fighter("a", "red", 0, 0, weapons=arms), fighter("t", "blue", 1, 0, weapons=arms)]
    return SideRoll(
        setup={"combatants": people, "battle": battle_of(*people)},
        deeds=(("ann", strike("w_machete")),),
        answer=("bob", {"type": "pass"}, ()),
        faces=(99,),
    )


def grenade(place: int) -> Tree:
    """Ann's b may throw into the dark, where somebody is at this place."""
    arms = [weapon("w_grenade")]
    people = [
        fighter("a", "red", 0, 0, weapons=arms),
        fighter("b", "red", 1, 0, weapons=arms),
        fighter("t", "blue", 0, 90),
        fighter("h", "blue", place, 0, hidden=True),
    ]
    return {"combatants": people, "map": {"cover": [wall(30)]}, "battle": battle_of(*people)}


UNSEEN_QUESTION: Final = UnseenQuestion(
    dice="sealed",
    worlds=(grenade(60), grenade(200)),
    step={"type": "move", "combatant": "a", "gait": "jog", "path": [{"x": 0, "y": 3}]},
    deed={"type": "attack", "combatant": "b", "weapon": "w_grenade", "point": {"x": 60, "y": 0}},
    unseen="h",
)


def canaries() -> Canaries:
    """Red and blue, who know of each other, and somebody whom nobody knows of."""
    gun = weapon("w_rifle", id="canary-gun", name="Canary's gun", skill="ranged")
    arms = [weapon("w_revolver")]
    blind = {"ranged": 0}
    people: list[Any] = [
        fighter("a", "red", 0, 0, weapons=arms),
        fighter(GHOST, "green", 0, 9, weapons=[gun], **GHOSTLY) | {"skills": blind},
        fighter("t", "blue", 6, 0, weapons=arms),
    ]
    return Canaries(
        setup={
            "combatants": people,
            "battle": battle_of(*people),
            "options": TIMES,
            "map": {"cover": [wall(20)]},
            "hidden_cover": [secret_cover("canary-wall")],
        },
        shot=strike("canary-gun", GHOST, "a"),
        newcomer=fighter(LATE, "green", 2, 9, **LATECOMER),
        ground={
            "type": "set_terrain",
            "changes": [secret_cover("canary-crates")],
            "secret": True,
        },
    )


def secret_cover(name: str) -> Tree:
    """A cover as the game master states it again."""
    ground = {key: value for key, value in wall(8).items() if key != "id"}
    return {"feature": name, "terrain": ground}


SEEKER: Final = {"combatant": "seeker"}
SHOT: Final = SEEKER | {"weapon": "w_revolver", "target": "cultist"}
DEEDS: Final = Deeds(
    own="seeker",
    theirs="cultist",
    player={
        "aim": SEEKER,
        "attack": SHOT,
        "called_shot": {**SHOT, "part": "head"},
        "disarm": {**SEEKER, "target": "cultist", "item": "axe"},
        "grapple": {**SEEKER, "target": "cultist"},
        "dodge": SEEKER,
        "resist": {**SEEKER, "weapon": "w_revolver"},
        "break_free": SEEKER,
        "release": SEEKER,
        "move": {**SEEKER, "gait": "jog", "path": [{"x": 1, "y": 5}]},
    },
    with_last=lambda battle, last: {"cards": [*battle["cards"], {"combatant": last, "card": 3}]},
    master={"set_terrain": {"changes": [{"feature": "crate"}]}},
)
