"""The encounters in memory: bounded in bytes, blobs once for all, dropped ones still right."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.app import compose
from service.encounters.cache import Cache
from service.encounters.idle_encounters import ENTRY_BYTES
from service.encounters.shared_values import SharedBlobs
from service.eventstore.embedded import Dsns
from service.eventstore.records import EventBody
from service.eventstore.store import EventStore
from service.rulesets import RULESETS
from tests.encounters.table import (
    SIGNER,
    SOURCES,
    Table,
    beside,
    creation,
    fighter,
    is_waiting,
)
from tests.eventstore.logs import held, until

NOTE = {"type": "note", "text": "x" * 1900}
ROWS = tuple("." * 40 + ".c#." * 5 for _ in range(20))
PEOPLE = [fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0)]


def mapped(rows: tuple[str, ...]) -> dict[str, object]:
    """A battle on a map."""
    options = {"initiative": "fixed"}
    return creation(
        setup={
            "options": options,
            "map": {"form": "ascii", "rows": rows},
            "combatants": PEOPLE,
        }
    )


def crowded(count: int) -> dict[str, object]:
    crowd = [fighter(f"r{n}", "red", n, 0) for n in range(1, count + 1)]
    return creation(*crowd, fighter("b1", "blue", 0, 9))


def with_room(table: Table, store: EventStore, most_bytes: int) -> Table:
    """Another process, whose memory for encounters is of this size."""
    return Table(compose(store, RULESETS, SIGNER, SOURCES, most_bytes), table.who)


def cache_of(table: Table) -> Cache:
    return table.encounters.writes._cache


def require_sound(cache: Cache) -> None:
    """What is counted is what is held."""
    battles = list(cache._battles.values())
    assert cache._weight == sum(battle.weight for battle in battles)
    assert set(cache._blobs._shared) == {
        (battle.ruleset.blob, digest) for battle in battles for digest in battle.held
    }
    assert cache._blobs.size == sum(shared.size for shared in cache._blobs._shared.values())
    packed = cache._idle._packed
    assert cache._idle.size == sum(len(each) + ENTRY_BYTES for each in packed.values())
    assert not packed.keys() & cache._battles.keys()
    assert cache._warm.keys() <= cache._battles.keys()


@pytest.fixture
async def battles(table: Table) -> list[UUID]:
    """Small and large, two of them on the same map."""
    trees = [crowded(1), crowded(8), crowded(40), mapped(ROWS), mapped(ROWS), mapped(ROWS[1:])]
    return [await table.started(tree) for tree in trees]


@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    most=st.integers(20_000, 250_000),
    steps=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["read", "note", "notes", "rest", "forget"])),
        max_size=12,
    ),
)
async def test_what_is_in_memory_stays_within_its_bound(
    table: Table,
    store: EventStore,
    battles: list[UUID],
    most: int,
    steps: list[tuple[int, str]],
) -> None:
    other = with_room(table, store, most)
    cache = cache_of(other)
    for index, step in steps:
        match step:
            case "read":
                await other.state(battles[index])
            case "note":
                await other.act(battles[index], NOTE)
            case "notes":
                await other.act(battles[index], *[NOTE] * 12)
            case "rest":
                await cache.rest()
            case _:
                cache.forget(battles[index])
        require_sound(cache)
        assert cache.size <= most or (len(cache._battles), len(cache._idle)) == (1, 0)
    await other.encounters.writes.settle()


async def test_the_least_recently_used_goes_first(
    table: Table, store: EventStore, battles: list[UUID]
) -> None:
    first, second, third = battles[0], battles[1], battles[2]
    other = with_room(table, store, 10**9)
    for each in (first, second, third):
        await other.state(each)
    cache = cache_of(other)
    cache._most_bytes = cache.size
    await other.state(first)
    await other.state(battles[5])
    assert second not in cache._battles
    assert {first, battles[5]} <= set(cache._battles)


async def test_encounters_on_the_same_map_share_one_object(
    table: Table, store: EventStore, battles: list[UUID]
) -> None:
    other = with_room(table, store, 10**9)
    for each in battles[3:]:
        await other.state(each)
    first, second, third = (cache_of(other)._battles[each].state for each in battles[3:])
    assert first.rule.map == second.rule.map != third.rule.map
    assert first.terms.blobs[str(first.rule.map)] is second.terms.blobs[str(second.rule.map)]
    assert len(cache_of(other)._blobs._shared) == 2
    cache_of(other).forget(battles[3])
    require_sound(cache_of(other))
    assert len(cache_of(other)._blobs._shared) == 2


def test_a_blob_goes_with_its_last_holder() -> None:
    shared = SharedBlobs()
    one, same = ["a map"], ["a map"]
    assert shared.hold(list, "d", one) is one
    assert shared.hold(list, "d", same) is one
    shared.release(list, "d")
    assert shared.find(list, "d") is one
    shared.release(list, "d")
    assert shared.find(list, "d") is None
    assert shared.size == 0


async def are_under_way(table: Table, count: int) -> bool:
    """Whether at least so many requests of this process were handed over to be committed."""
    return table.encounters.write_path.under_way >= count


async def test_what_is_dropped_with_an_append_in_flight_stays_right(
    table: Table, store: EventStore, battles: list[UUID], database: Dsns
) -> None:
    other = with_room(table, store, 1)
    heads = [(await table.encounters.reads.view(table.who, each, None)).head for each in battles]
    async with held(database, battles[0]):
        early = [asyncio.create_task(other.act(battles[0], NOTE)) for _ in range(3)]
        await until(lambda: is_waiting(other, battles[0]))
        for each in battles[1:]:
            await other.state(each)
        assert battles[0] not in cache_of(other)._battles
        late = [asyncio.create_task(other.act(battles[0], NOTE)) for _ in range(3)]
        await until(lambda: are_under_way(other, 6))
    acted = await asyncio.gather(
        *early, *late, *(other.act(each, NOTE) for each in battles for _ in range(4))
    )
    assert len({(one.answer.receipt.encounter, one.answer.version) for one in acted}) == len(acted)
    for each, before in zip(battles, heads, strict=True):
        more = 10 if each == battles[0] else 4
        fresh = await beside(table, store).encounters.reads.view(table.who, each, None)
        assert fresh.head == before + more
        assert await other.encounters.reads.view(table.who, each, None) == fresh
    require_sound(cache_of(other))


async def test_one_that_is_wanted_by_many_is_loaded_once(
    table: Table, store: EventStore, battles: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []
    real = store.log.secret

    async def counted(encounter: UUID) -> object:
        loads.append(encounter)
        return await real(encounter)

    monkeypatch.setattr(store.log, "secret", counted)
    other = beside(table, store)
    await asyncio.gather(*(other.state(battles[0]) for _ in range(16)))
    assert loads == [battles[0]]


async def test_a_rebuild_that_a_commit_overtakes_does_not_set_the_process_back(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.act(encounter, {"type": "note", "text": "a secret of the table"})
    battle = cache_of(other)._battles[encounter]
    await table.act(encounter, {"type": "erase", "seqs": [1, 3]})
    real = store.log.bodies
    tasks: list[asyncio.Task[object]] = []

    async def overtaken(*args: Any, **how: Any) -> tuple[EventBody, ...]:
        found = await real(*args, **how)
        if not tasks:
            tasks.append(asyncio.create_task(other.act(encounter, NOTE)))
            await asyncio.wait(tasks)
        return found

    monkeypatch.setattr(store.log, "bodies", overtaken)
    view = await other.encounters.reads.view(table.who, encounter, None)
    assert (view.head, battle.seq) == (5, 5)
    body = msgspec.json.encode((battle.state.rule, battle.state.linear))
    assert b"The one called r1" not in body
    assert b"a secret of the table" not in body
    monkeypatch.undo()
    assert await beside(table, store).encounters.reads.view(table.who, encounter, None) == view
