"""Two processes, the GM and two seats do anything at random: everybody ends up with one story."""

import asyncio
import contextlib
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from service.errors import WarlogError
from service.eventstore.store import EventStore
from service.replay.auditing import audit_stored
from tests.encounters.table import Table, beside, creation, end_turn, fighter, shoot

PEOPLE = ("r1", "r2", "b1", "b2")
RULESETS = ("crossfire-d6", "seeker-d100")
Action = dict[str, Any]


def battle(ruleset: str, dice: str) -> Action:
    """Two of each side, one of them hidden, and hidden numbers."""
    return brawl(dice) if ruleset == "seeker-d100" else skirmish(dice)


def skirmish(dice: str) -> Action:
    """Riflemen under the rules of crossfire-d6."""
    people = (
        fighter("r1", "red", 0, 0),
        fighter("r2", "red", 0, 3, hidden=True),
        fighter("b1", "blue", 6, 0),
        fighter("b2", "blue", 6, 3, hidden=True),
    )
    options = {"initiative": "fixed", "enemy_numbers": "hidden", "attack_reveals": False}
    return creation(setup={"options": options, "combatants": list(people)}, dice=dice)


def brawl(dice: str) -> Action:
    """Four in reach of one another under the rules of seeker-d100, who may answer blows."""
    spots = {"r1": (0, 0), "r2": (0, 1), "b1": (1, 0), "b2": (1, 1)}
    people = [
        {
            "id": name,
            "side": "red" if name.startswith("r") else "blue",
            "place": {"x": x, "y": y},
            "health": 200,
            "skills": {"melee_weapon": 60, "unarmed": 60, "dodge": 50},
            "weapons": [{"id": "blade", "sample": "w_machete"}],
            "hidden": name.endswith("2"),
        }
        for name, (x, y) in spots.items()
    ]
    cards = [{"combatant": name, "card": 51 - 4 * at} for at, name in enumerate(PEOPLE)]
    setup = {
        "options": {"enemy_numbers": "hidden", "attack_reveals": False},
        "combatants": people,
        "battle": {"cards": cards, "turn": "r1"},
    }
    return creation(ruleset="seeker-d100", setup=setup, dice=dice)


def strike(attacker: str, target: str) -> Action:
    """A blow that may be answered."""
    return {"type": "attack", "combatant": attacker, "weapon": "blade", "target": target}


def anything(chance: Random, ruleset: str, head: int, turn: str) -> Action:
    """An action that may or may not be allowed."""
    change = {"type": chance.choice(["reveal", "hide"]), "combatant": chance.choice(PEOPLE)}
    wound = {"type": "hp", "combatant": "b1", "value": chance.randint(1, 40)}
    attack = strike if ruleset == "seeker-d100" else shoot
    return chance.choice(
        [
            attack(turn, chance.choice(PEOPLE)),
            attack(turn, chance.choice(PEOPLE)),
            end_turn(turn),
            {"type": "rewind", "to": chance.randint(1, head + 1)},
            {"type": "note", "text": "hm"},
            {"type": "erase", "seqs": [chance.randint(1, head)]},
            {"type": "adjust", "changes": [change, wound], "reason": "so be it"},
        ]
    )


def reply(chance: Random, question: Action) -> tuple[Action, list[int] | None]:
    """An answer to what is asked, with the faces if it is for dice."""
    asked = {"type": "answer", "decision_id": question["id"]}
    if "roll" in question:
        roll = question["roll"]
        faces = [chance.randint(1, roll["sides"]) for _ in range(roll["count"])]
        return {**asked, "choice": {"type": "roll"}}, faces
    choice = {"type": chance.choice(question["options"])}
    weapon = {"weapon": "blade"} if choice["type"] == "resist" else {}
    return {**asked, "choice": choice | weapon}, None


async def once(chance: Random, table: Table, ruleset: str, encounter: UUID) -> None:
    """One attempt of somebody at some process; bringing dice where somebody asks for them."""
    asker = chance.choice([table, table.seat("rita"), table.seat("bob")])
    view = await asker.encounters.view(asker.who, encounter, None)
    state, questions = msgspec.json.decode(view.state), msgspec.json.decode(view.decisions)
    action = anything(chance, ruleset, view.head, state.get("turn", "r2"))
    faces = None
    if action["type"] == "ranged_attack" and state["dice"] == "supplied":
        faces = [chance.randint(1, 6) for _ in range(5)]
    if questions and chance.random() < 0.7:
        action, faces = reply(chance, chance.choice(questions))
    with contextlib.suppress(WarlogError):
        await asker.act(encounter, action, dice=faces)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("dice", ["sealed", "supplied"])
async def test_all_processes_and_the_audit_tell_the_same_story(
    table: Table, store: EventStore, dice: str, ruleset: str
) -> None:
    encounter = await table.started(battle(ruleset, dice))
    tables = (table, beside(table, store))
    chance = Random(dice)
    for _ in range(40):
        deeds = (once(chance, chance.choice(tables), ruleset, encounter) for _ in range(3))
        await asyncio.gather(*deeds)
    for each in tables:
        await each.encounters.settle()
    assert (await table.encounters.view(table.who, encounter, None)).head > 40
    for who in (table.who, table.seat("rita").who, table.seat("olaf").who):
        views = [
            await each.encounters.view(who, encounter, None)
            for each in (*tables, beside(table, store))
        ]
        told = {(bytes(view.state), bytes(view.table), view.hash) for view in views}
        assert len(told) == 1
    report = await audit_stored(table.encounters, table.who, encounter)
    assert set(report.counts) <= {"match", "override", "erased"}
