"""Two processes, the GM and two seats do anything at random: everybody ends up with one story."""

import asyncio
import contextlib
from random import Random
from uuid import UUID

import msgspec
import pytest

from service.errors import WarlogError
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from tests.encounters.random_actions import RULESETS, anything, battle, reply
from tests.encounters.table import Table, beside
from tests.kit.rigs import rig_of
from tests.soak import with_soak


async def once(chance: Random, table: Table, ruleset: str, encounter: UUID) -> None:
    """One attempt of somebody at some process; bringing dice where somebody asks for them."""
    asker = chance.choice([table, table.seat("rita"), table.seat("bob")])
    view = await asker.encounters.reads.view(asker.who, encounter, None)
    state, questions = msgspec.json.decode(view.state), msgspec.json.decode(view.decisions)
    action = anything(chance, ruleset, view.head, state)
    faces, rig = None, rig_of(ruleset)
    if action["type"] in rig.attacks and state["dice"] == "supplied":
        faces = [chance.randint(1, rig.brawl.die_sides) for _ in range(rig.brawl.dice)]
    if questions and chance.random() < 0.7:
        action, faces = reply(chance, ruleset, chance.choice(questions))
    with contextlib.suppress(WarlogError):
        await asker.act(encounter, action, dice=faces)


@pytest.mark.parametrize("ruleset", with_soak(RULESETS[1:3], [*RULESETS[:1], *RULESETS[3:]]))
@pytest.mark.parametrize("dice", with_soak(["sealed"], ["supplied"]))
async def test_all_processes_and_the_audit_tell_the_same_story(
    table: Table, store: EventStore, dice: str, ruleset: str
) -> None:
    encounter = await table.started(battle(ruleset, dice))
    tables = (table, beside(table, store))
    chance = Random(dice)
    for _ in range(80):
        deeds = (once(chance, chance.choice(tables), ruleset, encounter) for _ in range(3))
        await asyncio.gather(*deeds)
    for each in tables:
        await each.encounters.writes.settle()
    assert (await table.encounters.reads.view(table.who, encounter, None)).head > 40
    for who in (table.who, table.seat("rita").who, table.seat("olaf").who):
        views = [
            await each.encounters.reads.view(who, encounter, None)
            for each in (*tables, beside(table, store))
        ]
        told = {(bytes(view.state), bytes(view.table), view.hash) for view in views}
        assert len(told) == 1
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert set(report.counts) <= {"match", "override", "erased"}
