"""Events in any order, lost or repeated: each follower gets each once and in order."""

import asyncio
from random import Random
from uuid import UUID

import pytest

from service.eventstore.store import EventStore
from service.fanout.messages import Missed, News
from service.live.followed_encounter import MOST_WAITING
from service.live.records import Record
from service.live.sinks import ByteSink
from tests.encounters.table import Table, beside, end_turn
from tests.live.clients import (
    NOTE,
    SECRET,
    CallCount,
    Client,
    FakeSink,
    joined,
    looking,
    visible,
    wired,
)
from tests.patience import until

STEP = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}
BACK = {"type": "rewind", "to": 2}
TURN = {"type": "set_facing", "combatant": "r1", "facing": "S"}


async def test_a_burst_is_sent_without_reading_the_log(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    reads = CallCount(monkeypatch, store.tails, "behind")
    await asyncio.gather(*[table.act(encounter, *[NOTE] * 30) for _ in range(6)])
    await client.at(182)
    assert client.sink.seqs == list(range(3, 183))
    assert reads.count == 0


class Line:
    """Keeps the bytes it is given."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.pieces.append(data)


class DirectSink(FakeSink):
    """A sink whose events may be written to its line."""

    def __init__(self) -> None:
        super().__init__()
        self.framing = framed
        self.wire = Line()

    @property
    def line(self) -> ByteSink:
        return self.wire


def framed(record: Record) -> bytes:
    """A record with its place."""
    return f"{record.place}\n".encode() + record.body


async def test_events_are_framed_once_and_written_to_the_line_itself(table: Table) -> None:
    encounter = await table.started()
    clients = [Client(each, encounter) for each in (table, table, table.seat("rita"))]
    for client in clients:
        client.sink = DirectSink()
        await client.join()
    pieces = [client.sink.wire.pieces for client in clients if isinstance(client.sink, DirectSink)]
    for each in pieces:
        each.clear()
    await table.act(encounter, NOTE)
    await table.act(encounter, *[SECRET] * 5)
    await until(lambda: all(len(each) == 2 for each in pieces))
    assert [one is other for one, other in zip(pieces[0], pieces[1], strict=True)] == [True] * 2
    for client, each in zip(clients, pieces, strict=True):
        late = await joined(client.table, encounter, "2")
        await late.at(8)
        assert b"".join(each) == b"".join(map(framed, late.sink.records[1:7]))


async def test_a_heartbeat_finds_who_leaves_too_much_unread(table: Table) -> None:
    encounter = await table.started()
    client, other = await joined(table, encounter), await joined(table, encounter)
    client.sink.unread = MOST_WAITING + 1
    channel = table.encounters.hub.channels[encounter]
    channel.heartbeat_at = 0.0
    await table.encounters.hub.send_heartbeats()
    assert client.sink.of("heartbeat") == []
    assert len(other.sink.of("heartbeat")) == 1
    client.sink.read_on()
    await table.act(encounter, NOTE)
    await client.at(3)


async def test_news_is_enough_where_nobody_may_know_more(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, others = wired(table, store)
    client = await joined(there.seat("olaf"), encounter)
    assert others.followed == {encounter}
    reads = CallCount(monkeypatch, store.tails, "behind")
    for action in (STEP, SECRET, end_turn("r1")):
        await here.act(encounter, action)
    await until(lambda: len(wires.news) == 3)
    for news in wires.news:
        there.encounters.hub.receive(news)
    await client.at(5)
    assert client.sink.of("event") == await visible(client.table, encounter, "2")
    assert reads.count == 0
    client.leave()
    assert others.followed == set()


async def test_what_news_does_not_bring_is_read(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    seats = (there, there.seat("rita"), there.seat("olaf"))
    clients = [await joined(seat, encounter) for seat in seats]
    await here.act(encounter, SECRET)
    await here.act(encounter, NOTE)
    await until(lambda: len(wires.news) == 2)
    for news in wires.news:
        there.encounters.hub.receive(news)
    for client in clients:
        await client.at(4)
        assert client.sink.of("event") == await visible(client.table, encounter, "2")


@pytest.mark.parametrize("seed", range(6))
async def test_news_in_any_order_lost_and_repeated(
    table: Table, store: EventStore, seed: int
) -> None:
    chance = Random(seed)
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    seats = [there, there.seat("rita"), there.seat("bob"), there.seat("olaf")]
    clients = [await joined(seat, encounter) for seat in seats]
    for _ in range(30):
        await here.act(encounter, chance.choice([NOTE, SECRET, TURN, BACK]))
    await until(lambda: len(wires.news) == 30)
    news = [each for each in wires.news for _ in range(chance.randint(0, 2))]
    news += wires.news[-1:]
    chance.shuffle(news)
    for each in news:
        there.encounters.hub.receive(each)
    for client in clients:
        await client.at(32)
        assert client.sink.of("event") == await visible(client.table, encounter, "2")


async def test_news_that_does_not_continue_what_is_known_is_not_believed(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    elsewhere = await table.started()
    here, wires = wired(table, store)
    client = await joined(here, encounter)
    await here.act(elsewhere, NOTE)
    await until(lambda: len(wires.news) == 1)
    first = wires.news[0]
    forged = News(
        encounter=encounter,
        seq=3,
        base=2,
        hash=first.hash,
        recorded_at=first.recorded_at,
        body=first.body,
        commits=first.commits,
        parts=(),
    )
    here.encounters.hub.receive(forged)
    await here.act(encounter, NOTE)
    await client.at(3)
    assert client.sink.of("event") == await visible(here, encounter, "2")


async def test_news_too_long_to_be_told_and_news_of_another_release_are_read(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    client = await joined(there, encounter)
    for seq, body in ((3, b""), (4, b'{"seq":4}')):
        await here.act(encounter, NOTE)
        latest = await wires.latest(seq - 2)
        there.encounters.hub.receive(
            News(
                encounter=encounter,
                seq=seq,
                base=latest.base,
                hash=latest.hash,
                recorded_at=latest.recorded_at,
                body=body,
                commits=latest.commits,
                parts=(),
            )
        )
        await client.at(seq)
    there.encounters.hub.receive(Missed(encounters=(encounter, UUID(int=1))))


async def test_own_commits_that_are_told_in_another_order(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    other = beside(table, store)
    client = await joined(table, encounter)
    for _ in range(4):
        await other.act(encounter, NOTE)
    stored = await store.log.events(encounter, after=2, limit=10, audiences=None)
    live = await table.encounters.writes._cache.current(encounter, table.who.tenant)
    assert live is not None
    hub = table.encounters.hub
    for at in (1, 0, 3, 1, 2):
        hub.announce(encounter, stored[at : at + 1], live.state.linear)
    await client.at(6)
    assert client.sink.of("event") == await visible(table, encounter, "2")


async def test_an_encounter_that_left_the_cache_is_followed_all_the_same(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    seat = await joined(table.seat("rita"), encounter)
    table.encounters.writes._cache.forget(encounter)
    await table.act(encounter, NOTE)
    table.encounters.writes._cache.forget(encounter)
    await beside(table, store).act(encounter, SECRET)
    async with looking(table):
        for each in (client, seat):
            await each.at(4)
            assert each.sink.of("event") == await visible(each.table, encounter, "2")


async def test_a_rewind_and_an_erasure_come_like_anything_else(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    here, there = await joined(table, encounter), await joined(other, encounter)
    for action in (STEP, NOTE, BACK, {"type": "erase", "seqs": [4]}, STEP):
        await table.act(encounter, action)
    async with looking(other):
        for client in (here, there):
            await client.at(7)
    assert here.sink.bodies[-1] == there.sink.bodies[-1] == (await visible(table, encounter))[-1]
