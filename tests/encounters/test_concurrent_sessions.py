"""What another session changes between two looks at the database: shown right, kept right."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec
import pytest

from service.encounters.cache import LoadedEncounter
from service.errors import DatabaseSlow, NotFound
from service.eventstore.connection import WriteLane
from service.eventstore.records import Append, Failed, Outcome
from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside

NOTE = {"type": "note", "text": "what was said"}
Reading = Callable[..., Awaitable[Any]]


def battle_of(table: Table, encounter: UUID) -> LoadedEncounter:
    return table.encounters.writes._cache._battles[encounter]


def once_after(real: Reading, happens: Callable[[], Awaitable[object]]) -> Reading:
    """The same look-up; behind the first one something happens before its answer is used."""
    due = [happens]

    async def looked(*args: object, **how: object) -> object:
        found = await real(*args, **how)
        if due:
            await due.pop()()
        return found

    return looked


@pytest.mark.parametrize("look", ["head", "secret"])
async def test_an_encounter_deleted_while_it_is_loaded_is_not_found(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    encounter = await table.started()
    gone = once_after(getattr(store.log, look), lambda: store.eraser.delete_encounter(encounter))
    monkeypatch.setattr(store.log, look, gone)
    other = beside(table, store)
    with pytest.raises(NotFound, match="unknown_encounter"):
        await other.state(encounter)
    assert encounter not in other.encounters.writes._cache._battles


@pytest.mark.parametrize("look", ["command", "due_erasures"])
async def test_a_repeat_whose_encounter_is_deleted_meanwhile_is_not_found(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    encounter = await table.started()
    await table.act(encounter, NOTE, key="k")
    gone = once_after(getattr(store.log, look), lambda: store.eraser.delete_encounter(encounter))
    monkeypatch.setattr(store.log, look, gone)
    with pytest.raises(NotFound, match="unknown_encounter"):
        await table.act(encounter, NOTE, key="k")


async def test_what_was_loaded_while_it_was_deleted_does_not_stay(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    real = store.eraser.delete_encounter

    async def delete(doomed: UUID) -> object:
        await table.state(doomed)
        return await real(doomed)

    monkeypatch.setattr(store.eraser, "delete_encounter", delete)
    await table.encounters.writes.delete(table.who, encounter)
    assert encounter not in table.encounters.writes._cache._battles


async def test_a_catch_up_that_a_commit_overtakes_does_not_set_the_process_back(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    battle = battle_of(table, encounter)
    overtaken = once_after(store.log.head, lambda: table.act(encounter, NOTE))
    monkeypatch.setattr(store.log, "head", overtaken)
    await table.encounters.write_path._catch_up(battle)
    assert battle.seq == 3
    assert battle.branch == 0


async def test_one_that_is_loaded_between_two_looks_is_not_loaded_again(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    first: list[LoadedEncounter] = []

    async def load() -> None:
        await other.act(encounter, NOTE)
        first.append(battle_of(other, encounter))

    monkeypatch.setattr(store.log, "head", once_after(store.log.head, load))
    view = await other.encounters.reads.view(table.who, encounter, None)
    assert view.head == 3
    assert battle_of(other, encounter) is first[0]


async def test_a_repeat_that_finishes_an_erasure_does_not_tell_the_text(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    await table.act(encounter, NOTE, key="k")

    async def away(*_: object, **__: object) -> int:
        raise DatabaseSlow

    with monkeypatch.context() as broken:
        broken.setattr(store.eraser, "erase_text", away)
        with pytest.raises(Exception, match="outcome_unknown"):
            await table.act(encounter, {"type": "erase", "seqs": [3]})
        # This process knows the encounter again, the text is still there.
        await table.state(encounter)
    repeated = await table.act(encounter, NOTE, key="k")
    assert repeated.replayed
    assert b"what was said" not in msgspec.json.encode(repeated.answer)


async def test_a_process_that_only_writes_lets_go_of_what_another_erased(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.act(encounter, NOTE)
    # By a process that came back: the event was known here before the text went.
    await store.eraser.erase_text(encounter, until=3, seqs=(1, 3))
    await other.act(encounter, {"type": "rewind", "to": 2})
    await other.encounters.writes.settle()
    assert encounter not in other.encounters.writes._cache._battles


async def test_who_fails_later_leaves_alone_what_was_loaded_since(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    begun, loaded = asyncio.Event(), asyncio.Event()

    async def append(batch: Sequence[Append], lane: WriteLane) -> tuple[Outcome, ...]:
        if begun.is_set():
            await loaded.wait()
        begun.set()
        await asyncio.sleep(0.01)
        return tuple(Failed(error=DatabaseSlow()) for _ in batch)

    async def fails() -> None:
        with pytest.raises(DatabaseSlow):
            await table.act(encounter, NOTE)

    with monkeypatch.context() as broken:
        broken.setattr(store.writer, "append", append)
        first = asyncio.create_task(fails())
        await begun.wait()
        second = asyncio.create_task(fails())
        await first
        await table.state(encounter)
        fresh = battle_of(table, encounter)
        loaded.set()
        await second
    assert battle_of(table, encounter) is fresh
    assert (await table.act(encounter, NOTE)).answer.version == 3
