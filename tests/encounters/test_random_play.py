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
Action = dict[str, Any]


def battle(dice: str) -> Action:
    """Two of each side, one of them hidden, and hidden numbers."""
    people = (
        fighter("r1", "red", 0, 0),
        fighter("r2", "red", 0, 3, hidden=True),
        fighter("b1", "blue", 6, 0),
        fighter("b2", "blue", 6, 3, hidden=True),
    )
    options = {"initiative": "fixed", "enemy_numbers": "hidden", "attack_reveals": False}
    return creation(setup={"options": options, "combatants": list(people)}, dice=dice)


def anything(chance: Random, head: int, turn: str) -> Action:
    """An action that may or may not be allowed."""
    change = {"type": chance.choice(["reveal", "hide"]), "combatant": chance.choice(PEOPLE)}
    wound = {"type": "hp", "combatant": "b1", "value": chance.randint(1, 40)}
    return chance.choice(
        [
            shoot(turn, chance.choice(PEOPLE)),
            shoot(turn, chance.choice(PEOPLE)),
            end_turn(turn),
            {"type": "rewind", "to": chance.randint(1, head + 1)},
            {"type": "note", "text": "hm"},
            {"type": "erase", "seqs": [chance.randint(1, head)]},
            {"type": "adjust", "changes": [change, wound], "reason": "so be it"},
        ]
    )


async def once(chance: Random, table: Table, encounter: UUID) -> None:
    """One attempt of somebody at some process; bringing dice where somebody asks for them."""
    asker = chance.choice([table, table.seat("rita"), table.seat("bob")])
    view = await asker.encounters.view(asker.who, encounter, None)
    state, questions = msgspec.json.decode(view.state), msgspec.json.decode(view.decisions)
    faces = [chance.randint(1, 6) for _ in range(5)]
    action = anything(chance, view.head, state.get("turn", "r2"))
    if questions and chance.random() < 0.7:
        asked = questions[0]
        action = {"type": "answer", "decision_id": asked["id"], "choice": {"type": "roll"}}
        faces = [chance.randint(1, 6) for _ in range(asked["roll"]["count"])]
    is_rolled = state["dice"] == "supplied" and action["type"] in ("answer", "ranged_attack")
    with contextlib.suppress(WarlogError):
        await asker.act(encounter, action, dice=faces if is_rolled else None)


@pytest.mark.parametrize("dice", ["sealed", "supplied"])
async def test_all_processes_and_the_audit_tell_the_same_story(
    table: Table, store: EventStore, dice: str
) -> None:
    encounter = await table.started(battle(dice))
    tables = (table, beside(table, store))
    chance = Random(dice)
    for _ in range(40):
        await asyncio.gather(*(once(chance, chance.choice(tables), encounter) for _ in range(3)))
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
