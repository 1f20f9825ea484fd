"""Battles of this ruleset that differ in secrets alone."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from tests.hostile.battle import Battle, combatant_in
from tests.kit.rig import Hostile, Tree, TwoWorlds
from tests.kit.table import Table
from tests.rulesets.seeker_d100.battles import (
    HEIGHT,
    WIDTH,
    random_cover_change,
    random_fighter,
    random_setup,
)
from tests.rulesets.seeker_d100.setups import battle_of, fighter, wall, weapon

BURST_M: Final = 10
FAR_M: Final = 15
FAR_AWAY: Final = {"start": {"x": 900, "y": 900}, "end": {"x": 901, "y": 900}, "armour": 1}
LUCK: Final = 30
"""How many places a thrower considers."""


CRATES: Final = {name: value for name, value in wall(0).items() if name != "id"}
Action = Mapping[str, Any]


def world(number: int, variant: int) -> dict[str, Any]:
    """Battle `number` without its green side, and with other secrets in each variant."""
    setup = random_setup(number)
    known = [each for each in setup["combatants"] if each["side"] != "green"]
    dice = Random(1000 * number + variant)
    spots = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    hidden = random_fighter(dice, "h", "green", dice.choice(spots), False)
    secrets = [
        {**hidden, "hidden": True, "conditions": ["unaware"], "name": f"the {variant}th"},
        *(
            random_fighter(dice, f"x{n}", "green", dice.choice(spots), False)
            | {"hidden": True, "conditions": ["unconscious"]}
            for n in range(variant)
        ),
    ]
    setup["combatants"] = [*known, *secrets]
    setup["battle"] = battle_of(*setup["combatants"])
    setup["options"] |= {"attack_reveals": False, "redraw_each_round": False}
    setup["hidden_cover"] = [random_cover_change(dice, f"h{n}") for n in range(variant)]
    return setup


def probes(table: Table, combatant: str) -> list[Tree]:
    """Attempts to find out about somebody unseen, and plain mistakes."""
    place = table.combatant(combatant).place
    far = {"x": place.x + 40, "y": place.y}
    strike = {"combatant": combatant, "weapon": "w_unarmed"}
    question = f"d{len(table.events)}.c1"
    return [
        {"type": "attack", **strike, "target": "h"},
        {"type": "called_shot", **strike, "target": "x1", "part": "head"},
        {"type": "disarm", "combatant": combatant, "target": "h", "item": "radio"},
        {"type": "grapple", "combatant": combatant, "target": "x0"},
        {"type": "attack", "combatant": "h", "weapon": "w_unarmed", "target": combatant},
        {"type": "end_turn", "combatant": "x0"},
        {"type": "aim", "combatant": "h"},
        {"type": "move", "combatant": combatant, "gait": "jog", "path": [far]},
        {"type": "answer", "decision_id": question, "choice": {"type": "dodge"}},
        {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    ]


def duel(*secrets: Action, **more: Any) -> dict[str, Any]:
    """Red a and blue t, who know of each other, and secrets; the turns go round in this order."""
    arms = [weapon("w_revolver"), weapon("w_machete"), weapon("w_grenade")]
    known = [fighter("a", "red", 0, 0, weapons=arms), fighter("t", "blue", 1, 0, weapons=arms)]
    everyone: list[Action] = [*known, *secrets]
    return {"combatants": everyone, "battle": battle_of(*everyone), **more}


HIDDEN = {"enemy_numbers": "hidden", "enemy_health": "band", "breakdowns": "own"}


def plain_and_odd() -> tuple[dict[str, Any], dict[str, Any]]:
    """The same battle with two sheets of t that look the same to an enemy."""
    arms = [weapon("w_revolver"), weapon("w_machete")]
    attacker = fighter("a", "red", 0, 0, weapons=arms)
    plain = fighter(
        "t", "blue", 1, 0, weapons=arms, body_armour={"value": 2, "parts": ["torso", "head"]}
    )
    odd = {
        **plain,
        "health": 17,
        "health_max": 17,
        "strength": 99,
        "dexterity": 1,
        "skills": dict.fromkeys(plain["skills"], 77),
        "body_armour": {"value": 9, "parts": ["torso", "head"]},
        "weapons": [
            weapon("w_revolver", damage={"count": 3, "sides": 4, "bonus": 1}, range_m=50),
            weapon("w_machete", damage={"sides": 12}),
        ],
    }
    first, second = (
        {"combatants": [attacker, t], "options": HIDDEN, "battle": battle_of(attacker, t)}
        for t in (plain, odd)
    )
    return first, second


def hostile_world(number: int, variant: int) -> dict[str, Any]:
    """Everybody has grenades; the hidden one who is not out knows of the danger, and is apart.

    Some cover is known, so that whoever is in a burst is asked.
    """
    setup = world(number, variant)
    for each in setup["combatants"]:
        each["weapons"] = [*each["weapons"], weapon("w_grenade", id="thrown")]
        if each["id"] == "h":
            each["conditions"] = []
            each["place"] = {"x": -FAR_M if variant else 24 + FAR_M, "y": 8}
            each["health"] = each["health_max"] = 500
    covers = setup["map"]["cover"]
    setup["map"]["cover"] = covers or [wall(60)]
    setup["options"]["reactions"] = "prompt"
    setup["options"]["redraw_each_round"] = number % 3 == 0
    return setup


def probe(battles: Sequence[Battle], combatant: str, dice: Random) -> Tree | None:
    """A grenade, with luck to where nobody but somebody unseen is, and that in one world alone."""
    unseen = [combatant_in(battle, battle.unseen) for battle in battles]
    people = battles[0].view("gm")["combatants"]
    others = [each for each in people if each["side"] != "green"]
    for _ in range(LUCK):
        x, y = dice.randint(-FAR_M - BURST_M, 24 + FAR_M + BURST_M), dice.randint(0, 16)
        one, other = (is_caught(each, x, y) for each in unseen)
        is_quiet = not any(is_caught(each, x, y) for each in others)
        if (one is not other and is_quiet) or dice.random() < 0.05:
            point = {"x": x, "y": y}
            return {"type": "attack", "combatant": combatant, "weapon": "thrown", "point": point}
    return None


def is_caught(combatant: Mapping[str, Any], x: int, y: int) -> bool:
    """Whether a burst there reaches somebody."""
    place = combatant["place"]
    return bool((place["x"] - x) ** 2 + (place["y"] - y) ** 2 <= BURST_M**2)


WORLDS = TwoWorlds(
    world=world,
    quiet=frozenset({"move", "aim", "dodge", "resist", "end_turn"}),
    met=frozenset({"met", "contact"}),
    probes=probes,
    duel=duel,
    secret_ground={
        "type": "set_terrain",
        "changes": [{"feature": "crates", "terrain": CRATES}],
        "secret": True,
    },
    secret_ruling={
        "type": "adjust",
        "changes": [{"type": "next_roll", "combatant": "h", "amount": 20}],
    },
    plain_and_odd=plain_and_odd,
)
HOSTILE = Hostile(
    world=hostile_world,
    probe=probe,
    unmet={
        "type": "set_terrain",
        "changes": [{"feature": "far", "terrain": FAR_AWAY}],
        "secret": True,
    },
    asks_unseen=True,
)
