"""Battles that are worked on in the worker thread while the loop reads them."""

import asyncio

import msgspec
import pytest

from service.encounters.explanations import explained_event
from service.encounters.long_work import LARGE_COMBATANTS, apart, computed, is_large
from service.encounters.requests import Additions
from service.errors import Refused
from service.replay.audit.audits import audit_stored
from tests.encounters.table import Table, creation, end_turn, fighter, shoot

COUNT = LARGE_COMBATANTS + 2


def crowd() -> dict[str, object]:
    """Two lines that face each other, in which every other target is hidden."""
    half = COUNT // 2
    return creation(
        *[fighter(f"r{n}", "red", n, 0) for n in range(half)],
        *[fighter(f"b{n}", "blue", n, 8, hidden=n % 2 == 1) for n in range(half)],
    )


async def test_a_large_battle_is_read_while_it_is_decided_and_audits_clean(table: Table) -> None:
    encounter = await table.started(crowd())
    reads, rita = table.encounters.reads, table.seat("rita")
    battle, _ = await reads.load(table.who, encounter)
    assert is_large(battle.state.rule)
    both = Additions(state=True, scene=True, narrate="en")
    for turn in range(4):
        await asyncio.gather(
            *[
                reads.preview(caller.who, encounter, {"action": shoot(f"r{turn}", f"b{2 * turn}")})
                for caller in (table, rita)
            ],
            table.act(encounter, shoot(f"r{turn}", f"b{2 * turn}")),
            *[caller.state(encounter) for caller in (table, rita)],
            *[
                reads.extended_events(caller.who, encounter, None, 64, both)
                for caller in (table, rita)
            ],
            reads.legal(rita.who, encounter, None, 0),
        )
        await table.act(encounter, end_turn(f"r{turn}"))
    page = await reads.extended_events(table.who, encounter, None, 64, both)
    assert [each.seq for each in page.events] == [*range(1, 11)]
    explained = await explained_event(reads, table.who, encounter, 3, "en")
    assert explained.explanation is not msgspec.UNSET
    report = await audit_stored(reads, table.who, encounter)
    assert report.clean
    assert dict(report.counts) == {"match": 10}


async def test_a_refusal_in_the_worker_thread_names_what_it_means(table: Table) -> None:
    encounter = await table.started(crowd())
    with pytest.raises(Refused) as refused:
        await table.act(encounter, shoot("r0", "nobody"))
    assert refused.value.code == "unknown_combatant"
    battle, _ = await table.encounters.reads.load(table.who, encounter)
    assert refused.value.ruleset == (battle.row.ruleset, battle.row.version)


async def test_a_state_apart_shares_nothing_that_is_worked_out(table: Table) -> None:
    encounter = await table.started(crowd())
    battle, _ = await table.encounters.reads.load(table.who, encounter)
    copy = apart(battle.state)
    assert copy == battle.state
    assert copy.rule.lookups is not battle.state.rule.lookups


async def test_work_that_is_cancelled_before_it_begins_is_left_out() -> None:
    begun, done = [], asyncio.Event()
    loop = asyncio.get_running_loop()
    first = asyncio.ensure_future(
        computed(
            lambda: asyncio.run_coroutine_threadsafe(done.wait(), loop).result(), is_large=True
        )
    )
    await asyncio.sleep(0)
    second = asyncio.ensure_future(computed(lambda: begun.append(2), is_large=True))
    await asyncio.sleep(0)
    second.cancel()
    done.set()
    await first
    await computed(lambda: begun.append(3), is_large=True)
    assert begun == [3]
