"""What nobody meets changes nothing: random battles in worlds that differ in what is hidden.

The same actions are asked for in each world. Until something hidden is met, or falls, players and
onlookers are shown the same, byte for byte.
"""

from random import Random
from typing import Any

import pytest

from service.engine.log.canonical import encode
from service.errors import Refused
from tests.kit.table import Table, effects_of
from tests.rulesets.tactical_d20.blows import battle, cell_map, creature
from tests.rulesets.tactical_d20.setups import Tree

EVENTS = 40
ASIDE = (150, 150)
"""A place where no attack of these battles reaches."""
PLACES = ((4, 4), (4, 1), (1, 1), (2, 5), (6, 0))
"""Where attacks at cells and grenades go: where somebody hidden may be, and where others are."""
GRENADE: Tree = {
    "id": "grenade",
    "radius_ft": 10,
    "dc": 12,
    "damage": {"count": 1, "sides": 6},
    "spread": True,
}
GROUND: tuple[Tree, ...] = (
    *({"x": 3, "y": y, "wall": True} for y in (2, 3)),
    *({"x": x, "y": 4, "concealment_pct": 20} for x in (1, 2)),
    {"x": 5, "y": 5, "cover": "normal", "low_height_ft": 3},
    {"x": 6, "y": 1, "light": "dark"},
)
UNSEEN_GROUND: list[Tree] = [
    {"x": x, "y": y, **ground}
    for x, y, ground in (
        (2, 2, {"cover": "improved"}),
        (4, 3, {"concealment_pct": 100}),
        (1, 5, {"light": "dark"}),
        (5, 2, {"opaque": True}),
    )
]


def world(number: int, place: tuple[int, int], hidden: list[Tree], **more: Any) -> Table:
    """The battle of a number, with h, who is hidden and controls nothing, at a place."""
    people = [
        creature(name, x, y, side, areas=[GRENADE])
        for name, x, y, side in (("b", 6, 6, "blue"), ("c", 2, 5, "red"), ("d", 6, 0, "blue"))
    ]
    shooter = [each for each in people[0]["weapons"] if each["kind"] == "ranged"]
    unseen = creature("h", *place, side="green", hidden=True, weapons=shooter, **more)
    return battle(
        *people,
        unseen,
        attacker={"areas": [GRENADE]},
        dice="sealed",
        map=cell_map(*GROUND),
        hidden_terrain={"cells": hidden},
        options={"enemy_numbers": "hidden"} if number % 2 else {},
    )


def shown(number: int, table: Table) -> list[list[bytes]]:
    """What everybody but the game master is shown of each event, until something is met."""
    chance = Random(number)
    told: list[list[bytes]] = []
    while len(told) < EVENTS and table.turn is not None:
        action, by = next_action(chance, table)
        try:
            event = table.ask(action, by)
        except Refused as refusal:
            told.append([refusal.code.encode()])
            continue
        if any(is_meeting(each) for each in effects_of(event)):
            break
        told.append([encode(table.shown(event.seq, who)) for who in ("ann", "bob", "eve")])
    return told


def next_action(chance: Random, table: Table) -> tuple[Tree, str]:
    """What is asked for next, and by whom; it depends on nothing that is hidden."""
    if table.questions:
        (decision, _), *_ = table.questions
        return {"type": "answer", "decision_id": decision, "choice": {"type": "pass"}}, "gm"
    who = str(table.turn)
    if who == "h":
        return {"type": "end_turn", "combatant": "h"}, "gm"
    me = table.combatant(who)
    x, y = chance.choice(PLACES)
    at = {"x": x + chance.choice((0, 0, 1)), "y": y}
    step = {"x": me.place.x + chance.randint(-1, 1), "y": me.place.y + chance.randint(-1, 1)}
    weapon = chance.choice(("blade", "gun"))
    choices: list[Tree] = [
        {"type": "attack", "weapon": weapon, "target": chance.choice("abcd")},
        *({"type": "attack_cell", "weapon": "gun", "cell": at},) * 4,
        {"type": "area_attack", "area": "grenade", "origin": at},
        {"type": "move", "path": [step]},
        *({"type": "end_turn"},) * 2,
    ]
    return {**chance.choice(choices), "combatant": who}, {"red": "ann", "blue": "bob"}[me.side]


def is_meeting(effect: Tree) -> bool:
    """Whether something hidden is met, or h falls."""
    if effect["type"] == "felled":
        return bool(effect["combatant"] == "h")
    return effect["type"] == "revealed" or effect.get("cause") in ("met", "contact")


@pytest.mark.parametrize("number", range(12))
def test_players_are_shown_the_same_whatever_is_hidden(number: int) -> None:
    plain = shown(number, world(number, ASIDE, []))
    others = [
        world(number, (4, 4), []),
        world(number, (4, 1), [], conditions=["invisible"], ac={"kac": 30}, blur_pct=100),
        world(number, ASIDE, UNSEEN_GROUND),
    ]
    for other in others:
        told = shown(number, other)
        assert told == plain[: len(told)]
