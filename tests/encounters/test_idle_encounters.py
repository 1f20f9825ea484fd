"""Encounters that nobody asks for are compressed, and woken as they were."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from service.encounters.cache import MOST_WARM, Cache
from service.eventstore.store import EventStore
from tests.encounters.table import Table, beside, end_turn, shoot
from tests.encounters.test_cache import ROWS, cache_of, mapped, require_sound, with_room

NOTE = {"type": "note", "text": "a secret of the table"}


async def at_rest(cache: Cache, *encounters: UUID) -> None:
    """These are idle from now on."""
    for _ in range(2):
        await cache.rest()
    for encounter in encounters:
        assert encounter in cache._idle
        assert encounter not in cache._battles
    require_sound(cache)


def counting(real: Callable[..., Any], calls: list[str], name: str) -> Callable[..., Any]:
    """The same, noting each call."""

    def counted(*args: Any, **how: Any) -> Any:
        calls.append(name)
        return real(*args, **how)

    return counted


@pytest.fixture
def reads(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what is read from the database."""
    calls: list[str] = []
    for part in (store.log, store.snapshots):
        for name in (name for name in dir(part) if not name.startswith("_")):
            if callable(getattr(part, name)):
                monkeypatch.setattr(part, name, counting(getattr(part, name), calls, name))
    return calls


@pytest.mark.parametrize("tree", [None, mapped(ROWS)], ids=["plain", "mapped"])
async def test_it_is_woken_as_it_was(
    table: Table, store: EventStore, tree: dict[str, object] | None
) -> None:
    encounter = await table.started(tree)
    await table.act(encounter, shoot("r1", "b1"))
    before = await table.encounters.reads.view(table.who, encounter, None)
    await at_rest(cache_of(table), encounter)
    assert await table.encounters.reads.view(table.who, encounter, None) == before
    await at_rest(cache_of(table), encounter)
    await table.act(encounter, end_turn("r1"))
    await at_rest(cache_of(table), encounter)
    await table.act(encounter, {"type": "rewind", "to": 3})
    after = await table.encounters.reads.view(table.who, encounter, None)
    assert after == await beside(table, store).encounters.reads.view(table.who, encounter, None)
    assert after.state == before.state
    require_sound(cache_of(table))


async def test_waking_reads_nothing_but_where_the_log_ends(table: Table, reads: list[str]) -> None:
    encounter = await table.started()
    await table.act(encounter, shoot("r1", "b1"))
    await at_rest(cache_of(table), encounter)
    reads.clear()
    await table.act(encounter, end_turn("r1"))
    assert reads == ["head"]


async def test_one_that_is_asked_for_stays_awake(table: Table) -> None:
    asked, forgotten = [await table.started() for _ in range(2)]
    cache = cache_of(table)
    for _ in range(3):
        await table.state(asked)
        await cache.rest()
    assert asked in cache._battles
    assert forgotten in cache._idle


async def test_what_another_process_wrote_meanwhile_is_there(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    await other.state(encounter)
    await at_rest(cache_of(other), encounter)
    await table.act(encounter, shoot("r1", "b1"))
    expected = await table.encounters.reads.view(table.who, encounter, None)
    assert await other.encounters.reads.view(table.who, encounter, None) == expected
    await at_rest(cache_of(other), encounter)
    await table.act(encounter, end_turn("r1"))
    acted = await other.act(encounter, NOTE)
    assert acted.answer.version == 5


async def test_text_that_is_erased_is_in_no_idle_one(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    await table.act(encounter, NOTE)
    other = beside(table, store)
    await other.state(encounter)
    await at_rest(cache_of(other), encounter)
    await at_rest(cache_of(table), encounter)
    await table.act(encounter, {"type": "erase", "seqs": [3]})
    assert encounter not in cache_of(table)._idle
    view = await other.encounters.reads.view(table.who, encounter, None)
    assert b"a secret of the table" not in bytes(view.table)
    assert encounter not in cache_of(other)._idle
    assert view == await beside(table, store).encounters.reads.view(table.who, encounter, None)


async def test_one_that_is_forgotten_or_dropped_is_not_idle_either(table: Table) -> None:
    encounter = await table.started()
    cache = cache_of(table)
    battle = cache._battles[encounter]
    await at_rest(cache, encounter)
    cache.forget(encounter)
    assert encounter not in cache._idle
    await table.state(encounter)
    await at_rest(cache, encounter)
    cache.drop(battle)
    assert encounter not in cache._idle
    require_sound(cache)


async def test_a_deleted_one_is_not_idle(table: Table) -> None:
    encounter = await table.started()
    await at_rest(cache_of(table), encounter)
    await table.encounters.writes.delete(table.who, encounter)
    assert encounter not in cache_of(table)._idle


async def test_where_room_is_short_the_coldest_are_idle_before_they_go(
    table: Table, store: EventStore
) -> None:
    battles = [await table.started() for _ in range(24)]
    other = with_room(table, store, 10**9)
    await other.state(battles[0])
    cache = cache_of(other)
    cache._most_bytes = 3 * cache.size
    for each in battles:
        await other.state(each)
        require_sound(cache)
        assert cache.size <= cache._most_bytes
    assert battles[-1] in cache._battles
    assert battles[-4] in cache._idle
    assert battles[0] not in cache._idle
    assert battles[0] not in cache._battles


async def test_only_the_warmest_keep_what_was_worked_out_of_them(table: Table) -> None:
    first = await table.started()
    cache = cache_of(table)
    battle = cache._battles[first]
    assert battle.state.rule.__dict__
    others = [await table.create() for _ in range(MOST_WARM)]
    assert not battle.state.rule.__dict__
    assert len(cache._warm) == MOST_WARM
    await table.act(first, shoot("r1", "b1"))
    assert battle.state.rule.__dict__
    assert set(others[1:]) | {first} == set(cache._warm)
