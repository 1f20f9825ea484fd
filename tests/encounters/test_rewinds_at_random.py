"""Random rewinds, redos and actions: what counts is the same for reads, audits and a cold fold."""

from random import Random
from uuid import UUID

import pytest
from msgspec import UNSET

from service.encounters.loader import Loader
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from service.rulesets import RULESETS
from tests.encounters.table import Table, end_turn

EVENTS = 40
OTHER = {"r1": "b1", "b1": "r1"}


async def played(table: Table, dice: Random) -> tuple[UUID, list[int]]:
    """An encounter with rewinds to anywhere since its start, redos among them; all bases."""
    encounter = await table.started()
    bases, turns = [0, 1], ["", "r1"]
    while len(bases) < EVENTS:
        head = len(bases)
        if dice.random() < 0.4:
            to = dice.randint(2, head)
            await table.act(encounter, {"type": "rewind", "to": to})
            bases.append(to)
            turns.append(turns[to - 1])
        else:
            await table.act(encounter, end_turn(turns[-1]))
            bases.append(head)
            turns.append(OTHER[turns[-1]])
    return encounter, bases


def undone_in(bases: list[int]) -> dict[int, int]:
    """By seq the last rewind that took an event off the way that leads to the head."""
    ways: list[frozenset[int]] = [frozenset()]
    undone: dict[int, int] = {}
    for seq, base in enumerate(bases, 1):
        ways.append(ways[base] | {seq})
        undone |= dict.fromkeys(ways[seq - 1] - ways[seq], seq)
    return {seq: rewind for seq, rewind in undone.items() if seq not in ways[-1]}


async def marks_of(table: Table, encounter: UUID, limit: int) -> dict[int, int]:
    """The marks of all events, read page by page."""
    marks: dict[int, int] = {}
    after: str | None = None
    while True:
        page = await table.encounters.reads.events(table.who, encounter, after, limit)
        marks |= {e.seq: e.undone_by for e in page.events if e.undone_by is not UNSET}
        after = page.next
        if len(page.events) < limit:
            return marks


@pytest.mark.parametrize("number", range(3))
async def test_what_counts_is_the_same_for_all(
    table: Table, store: EventStore, number: int
) -> None:
    encounter, bases = await played(table, Random(number))
    undone = undone_in(bases)
    assert undone
    for limit in (7, 100):
        assert await marks_of(table.seat("olaf"), encounter, limit) == undone
    for seq in (2, min(undone), max(undone), EVENTS):
        record = await table.encounters.reads.event(table.who, encounter, seq)
        assert (record.undone_by or None) == undone.get(seq)
    report = await audit_stored(table.encounters.reads, table.who, encounter)
    assert report.clean
    marks = {e.seq: e.undone_by for e in report.verdicts if e.undone_by is not UNSET}
    assert marks == undone
    battle, _ = await table.encounters.reads.load(table.who, encounter)
    cold = await Loader(store).state_at(encounter, RULESETS["crossfire-d6", "1"], EVENTS)
    assert (cold.rule, cold.linear) == (battle.state.rule, battle.state.linear)
