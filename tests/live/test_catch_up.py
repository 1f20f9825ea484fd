"""Followers behind the live end: slow readers, the last steps, stretches of the log read once."""

import asyncio

import pytest

from service.engine.visibility.scope import GAME_MASTER
from service.eventstore.store import EventStore
from service.live import catch_up, presence, recent_events
from service.live.followed_encounter import LITTLE_WAITING, MOST_WAITING
from service.live.log_pages import Pages, StretchKey
from service.live.outgoing_event import committed_events
from service.live.recent_events import BYTES, EVENTS, RecentEvents
from tests.encounters.table import Table, beside
from tests.live.clients import (
    NOTE,
    SECRET,
    CallCount,
    Client,
    FakeSink,
    change,
    chatter,
    joined,
    looking,
    stalled,
    visible,
    wired,
)
from tests.patience import PATIENCE_SECONDS, until


async def test_who_was_behind_is_told_who_came_and_went_meanwhile(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0.0)
    encounter = await table.started()
    bob = await joined(table.seat("bob"), encounter)
    client = await stalled(table, encounter)
    rita = await joined(table.seat("rita"), encounter)
    olaf = await joined(table.seat("olaf"), encounter)
    bob.leave()
    olaf.leave()
    table.encounters.hub.report_absences()
    await table.act(encounter, NOTE)
    assert len(client.sink.records) == 1
    client.sink.read_on()

    def present() -> dict[str, bool]:
        return {each["seat"]: each["present"] for each in client.sink.of("presence")}

    # Olaf came and went within a second, of which it need not hear.
    await until(lambda: present() | {"olaf": False} == {"bob": False, "rita": True, "olaf": False})
    rita.leave()
    table.encounters.hub.report_absences()
    await until(lambda: present() == {"bob": False, "rita": False} | present())
    assert client.sink.bodies[-1] == client.sink.of("presence")[-1]


async def test_the_last_steps_lack_nothing_that_the_news_lacked(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    live = await joined(there.seat("olaf"), encounter)
    client = await stalled(there, encounter)
    for _ in range(3):
        await here.act(encounter, SECRET)
    await until(lambda: len(wires.news) == 3)
    for news in wires.news:
        there.encounters.hub.receive(news)
    await live.at(5)
    client.sink.read_on()
    await client.at(5)
    assert client.sink.of("event") == await visible(there, encounter, "2")


async def test_the_last_steps_bring_no_text_that_is_gone(table: Table) -> None:
    encounter = await table.started()
    client = await stalled(table, encounter)
    await table.act(encounter, {"type": "note", "text": "a word to be erased"})
    await table.act(encounter, {"type": "erase", "seqs": [3]})
    await until(lambda: table.encounters.hub.channels[encounter].seq == 4)
    client.sink.read_on()
    await client.at(4)
    assert b"a word to be erased" not in b"".join(each.body for each in client.sink.records)


async def test_what_does_not_follow_a_place_is_not_given(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    await table.act(encounter, *[NOTE] * 3)
    live = await table.encounters.writes._cache.current(encounter, table.who.tenant)
    assert live is not None
    stored = await store.log.events(encounter, after=2, limit=10, audiences=None)
    run = committed_events(encounter, stored, live.state.linear)
    recent = RecentEvents()
    assert recent.behind(2, run[0].prev[:8]) == []
    recent.add(run)
    assert recent.behind(2, run[0].prev[:8]) == run
    assert recent.behind(3, run[0].hash[:8]) == run[1:]
    for seq, hash8 in ((1, run[0].prev[:8]), (2, "00000000"), (5, run[2].hash[:8])):
        assert recent.behind(seq, hash8) == []
    recent.add(run * EVENTS)
    assert len(recent) == EVENTS
    assert EVENTS * run[0].size < BYTES
    key = StretchKey(encounter, 0, 1, 5, ((1, GAME_MASTER),))
    stretch = await Pages(store.log).read(key, live.terms)
    assert stretch is not None
    assert stretch.behind(2, "00000000") is None
    assert stretch.behind(0, "11111111") is None
    rest = stretch.behind(2, run[0].prev[:8])
    assert rest is not None
    assert [record.seq for page in rest for record in page.records] == [3, 4, 5]


async def test_text_that_is_gone_is_not_kept_for_those_who_catch_up(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    note = {"type": "note", "text": "a word to be erased"}
    await table.act(encounter, note)
    other = beside(table, store)
    for each in (table, other):
        await (await joined(each, encounter, "0")).at(3)
        assert each.encounters.hub.pages.size > 0
    await table.act(encounter, {"type": "erase", "seqs": [3]})
    async with looking(other):
        for each in (table, other):
            late = await joined(each, encounter, "0")
            await late.at(4)
            assert b"a word to be erased" not in b"".join(r.body for r in late.sink.records)
        await until(lambda: all(b"a word" not in body for body in remembered(other)))


def remembered(table: Table) -> list[bytes]:
    """What a process keeps for those who catch up."""
    stretches = table.encounters.hub.pages._kept.values()
    chunks = [chunk for stretch in stretches for chunk in stretch.chunks]
    return [record.body for chunk in chunks for record in chunk.records]


async def test_a_client_that_reads_again_misses_nothing(table: Table) -> None:
    encounter = await table.started()
    slow, quick = await joined(table, encounter), await joined(table, encounter)
    slow.sink.reads = False
    await chatter(table, encounter, 10)
    await quick.at(202)
    [channel] = table.encounters.hub.channels.values()
    assert len(channel._behind) == 1
    assert MOST_WAITING < slow.sink.unread < 2 * MOST_WAITING
    assert 0 < len(channel._recent) <= recent_events.EVENTS
    held = slow.sink.unread
    await chatter(table, encounter, 5)
    await quick.at(302)
    assert slow.sink.unread == held
    slow.sink.read_on()
    await slow.at(302)
    assert slow.sink.of("event") == quick.sink.of("event")
    await table.act(encounter, NOTE)
    await slow.at(303)
    assert channel._behind == {}
    assert len(channel._recent) == 0


async def test_a_client_that_reads_a_little_at_a_time_is_never_given_much(table: Table) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 10)
    client = Client(table, encounter)
    client.sink.reads = False
    await client.join("0")
    most = 0
    while client.sink.seqs[-1:] != [202]:
        most = max(most, client.sink.unread)
        client.sink.unread = max(0, client.sink.unread - 40_000)
        await asyncio.sleep(0.005)
    assert client.sink.seqs == list(range(1, 203))
    assert most < LITTLE_WAITING + 80_000


async def test_a_client_that_reads_nothing_is_sent_away_and_told_where_it_stands(
    table: Table,
) -> None:
    encounter = await table.started()
    table.encounters.hub._catch_ups._patience_seconds = 0.2
    client, quick = await joined(table, encounter), await joined(table, encounter)
    client.sink.reads = False
    await chatter(table, encounter, 12)
    await client.over()
    assert client.sink.last_word == ("resync", "too_slow")
    assert client.sink.is_closed
    after = client.sink.bodies[-1]["after"]
    assert after == client.sink.cursor
    assert table.encounters.hub.tally.resyncs == 1
    again = await joined(table, encounter, after)
    for each in (again, quick):
        await each.at(242)
    assert client.sink.seqs + again.sink.seqs == quick.sink.seqs


async def test_a_client_of_several_encounters_that_reads_nothing(table: Table) -> None:
    first, second = await table.started(), await table.started()
    table.encounters.hub._catch_ups._patience_seconds = 0.1
    sink = FakeSink()
    sink.reads = False
    subscription = await table.encounters.hub.follow_many(
        table.who, {first: "0", second: None}, sink
    )
    await asyncio.gather(chatter(table, first, 6), chatter(table, second, 6))
    await asyncio.wait_for(subscription.closed(), PATIENCE_SECONDS)
    assert sink.bodies[-1] == {"type": "resync", "reason": "too_slow"}
    assert table.encounters.hub.channels == {}


async def test_who_missed_too_much_is_sent_away(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 2)
    monkeypatch.setattr(catch_up, "MOST_MISSED", 30)
    client = await joined(table, encounter, "0")
    await client.over()
    assert client.sink.last_word == ("resync", "too_far_behind")
    assert client.sink.bodies[-1]["after"] == "0-00000000"
    other = await joined(table, encounter, "12")
    await other.at(42)


async def test_clients_that_vanish_while_they_catch_up_leave_nothing_behind(table: Table) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 10)
    for pause in (0, 0.001, 0.005, 0.01):
        clients = [await joined(table, encounter, "0") for _ in range(5)]
        await asyncio.sleep(pause)
        for client in clients:
            client.leave()
        committed_events = [len(client.sink.records) for client in clients]
        await table.encounters.hub.settle()
        assert committed_events == [len(client.sink.records) for client in clients]
    await table.encounters.hub.settle()
    assert table.encounters.hub.channels == {}
    assert table.encounters.hub.pages._reading == {}


async def test_those_who_catch_up_alike_read_the_log_once(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 10)
    reads = CallCount(monkeypatch, store.log, "events")
    clients = [await joined(table, encounter, "0") for _ in range(50)]
    for client in clients:
        await client.at(202)
        assert client.sink.seqs == list(range(1, 203))
    assert reads.count == 4


async def test_what_is_remembered_is_bounded_in_bytes(table: Table) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 10)
    pages = table.encounters.hub.pages
    pages._most_bytes = 2_000_000
    for asker in (table, table.seat("rita"), table.seat("olaf")):
        client = await joined(asker, encounter, "0")
        await client.at(202)
        assert 0 < pages.size <= 2_000_000
        assert pages.size == sum(stretch.weight for stretch in pages._kept.values())
        assert set(pages._kept) == pages._of[encounter]
        client.leave()
        assert (pages.size, pages._kept, pages._of) == (0, {}, {})


async def test_a_seat_that_is_changed_while_it_catches_up(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, change("rita", role="gm"))
    for _ in range(8):
        await table.act(encounter, *[{"type": "note", "gm_text": "x" * 2000}] * 16)
    client = Client(table.seat("rita"), encounter)
    client.sink.reads = False
    await client.join("0")
    await until(lambda: client.sink.unread > LITTLE_WAITING)
    await table.act(encounter, change("rita", role="player"))
    await until(lambda: table.encounters.hub.channels[encounter].seq == 132)
    before = len(client.sink.records)
    client.sink.read_on()
    await client.at(132)
    assert client.sink.seqs == list(range(1, 133))
    assert client.sink.bodies[before]["role"] == "player"
    # It was the GM then, and so keeps what it could see.
    since = client.sink.bodies[before + 1]["seq"]
    assert client.sink.bodies[before + 1 :] == await visible(
        client.table, encounter, str(since - 1)
    )
