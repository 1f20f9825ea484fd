"""Two processes on one database, and callers that go away: caches, races, work left behind."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

import msgspec
import pytest

from service.encounters.cache import RECENT_RULES, LoadedEncounter
from service.encounters.clock_and_ids import Sources, new_id
from service.encounters.loader import ENGINE_VERSION
from service.encounters.requests import ActRequest
from service.errors import Forbidden, PreconditionFailed
from service.eventstore.encounter_list import ALL
from service.eventstore.store import EventStore
from tests.encounters.table import SOURCES, Table, beside, creation, end_turn, fighter, shoot

NAME = "The one called r1"


def battle_of(table: Table, encounter: UUID) -> LoadedEncounter:
    """What this process holds in memory."""
    return table.encounters.writes._cache._battles[encounter]


async def test_a_process_that_was_behind_keeps_no_erased_text(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.state(encounter)
    behind = battle_of(other, encounter)
    await table.act(encounter, {"type": "erase", "seqs": [1, 2]})
    await other.encounters.write_path._catch_up(behind)
    assert NAME.encode() not in msgspec.json.encode(behind.state.rule)
    await other.act(encounter, {"type": "rewind", "to": 2})
    await other.encounters.writes.settle()
    for seq in await store.snapshots.seqs(encounter, ENGINE_VERSION):
        snapshot = await store.snapshots.get(encounter, seq, ENGINE_VERSION)
        assert snapshot is not None
        assert NAME.encode() not in snapshot.state
    assert NAME.encode() not in msgspec.json.encode(await other.state(encounter))


async def test_a_rewind_behind_an_erasure_does_not_bring_the_text_back(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, shoot("r1", "b1"))
    await table.act(encounter, {"type": "erase", "seqs": [1]})
    await table.act(encounter, {"type": "rewind", "to": 2})
    assert NAME.encode() not in msgspec.json.encode(await table.state(encounter))
    assert NAME.encode() not in msgspec.json.encode(await table.state(encounter, 1))


async def test_a_reader_that_saw_an_older_head_does_not_set_the_process_back(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    battle = battle_of(table, encounter)
    old = await store.log.head(encounter)
    assert old is not None
    await table.act(encounter, end_turn("r1"))
    heads = [old]
    real = store.log.head

    async def lagging(wanted: UUID) -> object:
        return heads.pop() if heads else await real(wanted)

    monkeypatch.setattr(store.log, "head", lagging)
    await table.encounters.reads.view(table.who, encounter, None)
    assert battle_of(table, encounter) is battle
    assert battle.seq == 3


async def test_lists_of_actions_do_not_pile_up_states_in_memory(table: Table) -> None:
    encounter = await table.started()
    for _ in range(6):
        notes = [{"type": "note", "text": "x"} for _ in range(32)]
        await table.act(encounter, *notes)
    assert len(battle_of(table, encounter).rules) <= RECENT_RULES


async def test_a_write_whose_caller_went_away_is_finished_before_the_store_closes(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    real: Callable[..., Coroutine[Any, Any, Any]] = store.writer.append
    begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def slow(batch: object, lane: object) -> object:
        begun.set()
        await may_go_on.wait()
        return await real(batch, lane)

    monkeypatch.setattr(store.writer, "append", slow)
    request = asyncio.create_task(table.act(encounter, end_turn("r1")))
    await begun.wait()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    may_go_on.set()
    await table.encounters.writes.settle()
    row = await store.log.head(encounter)
    assert row is not None
    assert row.head_seq == 3


async def test_a_large_log_is_kept_as_a_snapshot_before_64_events(
    table: Table, store: EventStore
) -> None:
    crowd = [fighter(f"r{n}", "red", n, 0) for n in range(400)]
    encounter = await table.create(creation(*crowd, fighter("b1", "blue", 0, 9)))
    await table.act(encounter, {"type": "start_encounter"})
    await table.encounters.writes.settle()
    assert await store.snapshots.seqs(encounter, ENGINE_VERSION) == (2,)


async def test_a_list_that_begins_with_an_answer_still_minds_the_head(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    rita = table.seat("rita")
    asked = await rita.act(encounter, shoot("r1", "b1"))
    [decision] = msgspec.json.decode(asked.answer.decisions)
    answer = {"type": "answer", "decision_id": decision["id"], "choice": {"type": "roll"}}
    tree = {"actions": [{"action": answer, "dice": [1, 1, 1, 1, 1]}, {"action": end_turn("r1")}]}
    request = ActRequest.read(tree, 32)
    stale = (await table.encounters.reads.events(table.who, encounter, None, 1)).next
    with pytest.raises(PreconditionFailed):
        await rita.encounters.write_path.act(rita.who, encounter, request, None, stale)
    assert (await table.encounters.reads.view(table.who, encounter, None)).head == 3


async def test_nobody_creates_a_battle_for_a_seat_of_none(table: Table, store: EventStore) -> None:
    with pytest.raises(Forbidden) as refused:
        await table.seat("rita").create()
    assert refused.value.code == "gm_only"
    page = await table.encounters.reads.list(table.who, ALL, None, 10)
    assert page.encounters == ()


def test_ids_are_uuids_of_version_7() -> None:
    fixed = Sources(now=SOURCES.now, random=lambda count: b"\xff" * count)
    made = new_id(fixed)
    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    assert made.int & 0xFFFFFFFF == 0xFFFFFFFF
