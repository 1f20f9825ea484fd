"""A log never goes back in time, whatever the clocks of its writers do."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from service.app import compose
from service.encounters.clock_and_ids import Sources, timestamp
from service.encounters.loader import ENGINE_VERSION, moment_in
from service.eventstore.store import EventStore
from service.rulesets import RULESETS
from tests.encounters.table import SIGNER, SOURCES, Table, end_turn
from tests.encounters.test_cache import cache_of

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
NOTE = {"type": "note", "text": "x"}


class Clock:
    """A clock that runs a second a look, and that somebody may set; first it reads `readings`."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment
        self.readings: list[datetime] = []

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.readings.pop(0) if self.readings else self.moment


def with_clock(table: Table, store: EventStore, clock: Clock) -> Table:
    """The same caller at another process, whose clock is this one."""
    sources = Sources(now=clock.now, random=SOURCES.random)
    return Table(compose(store, RULESETS, SIGNER, sources), table.who)


async def moments(store: EventStore, encounter: UUID) -> list[str]:
    """What the events of a log say of when they were."""
    stored = await store.log.events(encounter, after=0, until=1000, limit=1000)
    return [msgspec.json.decode(each.body)["at"] for each in stored]


def behind_noon(*seconds: int) -> list[str]:
    return [timestamp(NOON + timedelta(seconds=each)) for each in seconds]


async def test_the_events_of_a_list_keep_the_latest_moment_of_a_clock_that_goes_back(
    table: Table, store: EventStore
) -> None:
    clock = Clock()
    there = with_clock(table, store, clock)
    encounter = await there.started()
    clock.readings = [NOON + timedelta(minutes=1), NOON, NOON + timedelta(minutes=2)]
    await there.act(encounter, NOTE, NOTE, NOTE)
    assert (await moments(store, encounter))[2:] == behind_noon(60, 60, 120)


async def test_a_head_in_memory_is_not_undercut(table: Table, store: EventStore) -> None:
    clock = Clock()
    there = with_clock(table, store, clock)
    encounter = await there.started()
    last = (await moments(store, encounter))[-1]
    clock.moment = NOON - timedelta(days=1)
    await there.act(encounter, end_turn("r1"))
    await there.act(encounter, NOTE)
    assert (await moments(store, encounter))[2:] == [last, last]


async def test_a_head_that_was_compressed_is_not_undercut(table: Table, store: EventStore) -> None:
    clock = Clock()
    there = with_clock(table, store, clock)
    encounter = await there.started()
    last = (await moments(store, encounter))[-1]
    for _ in range(2):
        await cache_of(there).rest()
    assert encounter in cache_of(there)._idle
    clock.moment = NOON - timedelta(days=1)
    await there.act(encounter, NOTE)
    assert (await moments(store, encounter))[2:] == [last]


async def test_after_a_restart_the_head_of_the_store_is_not_undercut(
    table: Table, store: EventStore
) -> None:
    encounter = await with_clock(table, store, Clock()).started()
    last = (await moments(store, encounter))[-1]
    slow = Clock(NOON - timedelta(days=1))
    await with_clock(table, store, slow).act(encounter, NOTE)
    assert (await moments(store, encounter))[2:] == [last]


async def test_a_head_with_a_snapshot_behind_it_is_not_undercut(
    table: Table, store: EventStore
) -> None:
    there = with_clock(table, store, Clock())
    encounter = await there.started()
    await there.act(encounter, NOTE)
    await there.act(encounter, {"type": "rewind", "to": 2})
    await there.encounters.writes.settle()
    assert 4 in await store.snapshots.seqs(encounter, ENGINE_VERSION)
    last = (await moments(store, encounter))[-1]
    slow = Clock(NOON - timedelta(days=1))
    await with_clock(table, store, slow).act(encounter, NOTE)
    assert (await moments(store, encounter))[4:] == [last]


async def test_two_processes_never_undercut_one_another(table: Table, store: EventStore) -> None:
    fast, slow = Clock(), Clock(NOON - timedelta(hours=1))
    one, other = with_clock(table, store, fast), with_clock(table, store, slow)
    encounter = await one.started()
    for _ in range(3):
        await other.act(encounter, NOTE)
        await one.act(encounter, NOTE)
    told = await moments(store, encounter)
    assert told == sorted(told)
    assert len(set(told[1:])) == 4


def test_an_event_that_says_no_moment_has_none() -> None:
    assert moment_in(b'{"at":"2030-01-01T12:00:00.000Z","seq":1}') == behind_noon(0)[0]
    for body in (b'{"seq":1}', b'{"at":7}', b'{"at":"noon"}', b"[]"):
        assert moment_in(body) == ""
