"""Corners of following: rights that change with news, last steps, races of those who come."""

import asyncio
import dataclasses
from uuid import UUID

import pytest

from service.encounters.loaded import LoadedEncounter
from service.engine.visibility.scope import GAME_MASTER
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.live.followed_encounter import MOST_WAITING
from service.live.log_pages import Pages, Wanted
from service.live.outgoing_event import told
from service.live.recent_events import BYTES, EVENTS, Recent
from service.live.records import Record
from service.live.sinks import ByteSink
from service.live.subscribe import JOINING
from tests.encounters.following import Client, FakeSink, joined, until, visible, wired
from tests.encounters.table import Table, beside
from tests.encounters.test_hub_order import Counting
from tests.encounters.test_restored import restore

NOTE: dict[str, object] = {"type": "note", "text": "what was said"}
SECRET: dict[str, object] = {"type": "note", "gm_text": "what nobody heard"}
END = {"type": "end_encounter", "reveal": "later", "open": "all"}
MUCH = 100_000


def change(seat: str, role: str) -> dict[str, object]:
    return {"type": "change_seat", "seat": seat, "role": role}


async def stalled(table: Table, encounter: UUID) -> Client:
    """A client that was greeted and read nothing since, so that it is behind."""
    client = Client(table, encounter)
    client.sink.unread = MUCH
    return await client.join()


async def test_news_of_a_changed_role_changes_the_view(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, _ = wired(table, store)
    rita, bob = there.seat("rita"), there.seat("bob")
    clients = [await joined(rita, encounter), await joined(bob, encounter)]
    actions: list[dict[str, object]] = [
        change("rita", "gm"),
        SECRET,
        change("rita", "player"),
        SECRET,
    ]
    for seq, action in enumerate(actions, start=3):
        await here.act(encounter, action)
        await until(lambda: len(wires.news) == seq - 2)  # noqa: B023 - waited for right here
        there.encounters.hub.heard(wires.news[-1])
        for client in clients:
            await client.at(seq)
    await until(lambda: len(clients[0].sink.of("hello")) == 3)
    for client in clients:
        assert client.sink.of("event") == await visible(client.table, encounter, "2")
    await here.act(encounter, {"type": "remove_seat", "seat": "rita"})
    await until(lambda: len(wires.news) == 5)
    there.encounters.hub.heard(wires.news[-1])
    await clients[0].over()
    assert clients[0].sink.last_word == ("bye", "revoked")
    await clients[1].at(7)


async def test_what_was_opened_stays_open_for_what_follows(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table.seat("olaf"), encounter)
    for action in (END, SECRET, {"type": "rewind", "to": 2}, SECRET):
        await table.act(encounter, action)
    await client.at(6)
    assert client.sink.of("event") == await visible(client.table, encounter, "2")
    knew = [len(each["parts"]) for each in client.sink.of("event")]
    assert knew == [0, 1, 0, 0]


async def test_a_list_of_actions_that_changes_rights_in_the_middle(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, change("rita", "gm"))
    client = await joined(table.seat("rita"), encounter)
    late = await stalled(table.seat("rita"), encounter)
    await table.act(encounter, SECRET, change("rita", "player"), SECRET, NOTE)
    await client.at(7)
    late.sink.read_on()
    await late.at(7)
    for each in (client, late):
        assert each.sink.of("event") == await visible(each.table, encounter, "3")
        assert [bool(event["parts"]) for event in each.sink.of("event")] == [
            True,
            False,
            False,
            True,
        ]


async def test_who_was_behind_is_told_who_came_and_went_meanwhile(table: Table) -> None:
    encounter = await table.started()
    bob = await joined(table.seat("bob"), encounter)
    client = await stalled(table, encounter)
    rita = await joined(table.seat("rita"), encounter)
    olaf = await joined(table.seat("olaf"), encounter)
    bob.leave()
    olaf.leave()
    await table.act(encounter, NOTE)
    assert len(client.sink.records) == 1
    client.sink.read_on()

    def present() -> dict[str, bool]:
        return {each["seat"]: each["present"] for each in client.sink.of("presence")}

    # Olaf came and went within a second, of which it need not hear.
    await until(lambda: present() | {"olaf": False} == {"bob": False, "rita": True, "olaf": False})
    rita.leave()
    await until(lambda: present() == {"bob": False, "rita": False} | present())
    assert client.sink.told[-1] == client.sink.of("presence")[-1]


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
        there.encounters.hub.heard(news)
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


async def test_a_burst_is_sent_without_reading_the_log(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    counting = Counting(store, monkeypatch)
    await asyncio.gather(*[table.act(encounter, *[NOTE] * 30) for _ in range(6)])
    await client.at(182)
    assert client.sink.seqs == list(range(3, 183))
    assert counting.count == 0


async def test_a_cursor_of_the_restored_log_where_the_lost_one_is_followed(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    for _ in range(3):
        await table.act(encounter, NOTE)
    old = await joined(table, encounter)
    await restore(database, encounter, 3)
    other = beside(table, store)
    for _ in range(2):
        await other.act(encounter, SECRET)
    view = await other.encounters.reads.view(table.who, encounter, None)
    client = await joined(table, encounter, f"5-{view.hash[:8]}")
    await client.over()
    assert client.sink.last_word == ("resync", "history_diverged")
    await table.encounters.hub.look()
    await old.over()
    again = await joined(table, encounter, f"5-{view.hash[:8]}")
    await table.act(encounter, NOTE)
    await again.at(6)


class SlowLook:
    """The first look at the database takes until it may end; `count` are all of them."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        entrance = table.encounters.hub._entrance
        self.real = entrance._sources.current
        self.count = 0
        self.is_under_way, self.may_end = asyncio.Event(), asyncio.Event()
        sources = dataclasses.replace(entrance._sources, current=self.current)
        monkeypatch.setattr(entrance, "_sources", sources)

    async def current(self, wanted: UUID, tenant: UUID) -> LoadedEncounter | None:
        self.count += 1
        is_first = self.count == 1
        found = await self.real(wanted, tenant)
        if is_first:
            self.is_under_way.set()
            await self.may_end.wait()
        return found


def comes_in(table: Table) -> int:
    """How many are coming in; all of them share the look that is under way."""
    return JOINING - table.encounters.hub._entrance._turns._value


async def test_a_seat_that_comes_while_others_look_is_found(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    look = SlowLook(table, monkeypatch)
    first = [asyncio.create_task(joined(table, encounter)) for _ in range(20)]
    await look.is_under_way.wait()
    await other.act(encounter, {"type": "add_seat", "seat": {"id": "nina", "role": "observer"}})
    late = asyncio.create_task(joined(table.seat("nina"), encounter))
    await until(lambda: comes_in(table) == 21)
    look.may_end.set()
    assert (await late).sink.told[0]["seat"] == "nina"
    await asyncio.gather(*first)
    assert look.count == 2


async def test_a_hello_is_never_older_than_what_the_client_has(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    look = SlowLook(table, monkeypatch)
    first = asyncio.create_task(joined(table, encounter))
    await look.is_under_way.wait()
    await other.act(encounter, NOTE)
    view = await other.encounters.reads.view(table.who, encounter, None)
    late = asyncio.create_task(joined(table, encounter, f"3-{view.hash[:8]}"))
    await until(lambda: comes_in(table) == 2)
    look.may_end.set()
    assert (await late).sink.told[0]["seq"] == 3
    await (await first).at(3)


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
        self.how = framed
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
    await table.act(encounter, NOTE)
    await table.act(encounter, *[SECRET] * 5)
    pieces = [client.sink.wire.pieces for client in clients if isinstance(client.sink, DirectSink)]
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
    channel.beat_at = 0.0
    await table.encounters.hub.beat()
    assert client.sink.of("heartbeat") == []
    assert len(other.sink.of("heartbeat")) == 1
    client.sink.read_on()
    await table.act(encounter, NOTE)
    await client.at(3)


async def test_what_does_not_follow_a_place_is_not_given(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    await table.act(encounter, *[NOTE] * 3)
    live = await table.encounters.writes._cache.current(encounter, table.who.tenant)
    assert live is not None
    stored = await store.log.events(encounter, after=2, limit=10, audiences=None)
    run = told(encounter, stored, live.state.linear)
    recent = Recent()
    assert recent.behind(2, run[0].prev[:8]) == []
    recent.add(run)
    assert recent.behind(2, run[0].prev[:8]) == run
    assert recent.behind(3, run[0].hash[:8]) == run[1:]
    for seq, hash8 in ((1, run[0].prev[:8]), (2, "00000000"), (5, run[2].hash[:8])):
        assert recent.behind(seq, hash8) == []
    recent.add(run * EVENTS)
    assert len(recent) == EVENTS
    assert EVENTS * run[0].size < BYTES
    wanted = Wanted(encounter, 0, 1, 5, ((1, GAME_MASTER),))
    stretch = await Pages(store.log).read(wanted, live.terms)
    assert stretch is not None
    assert stretch.behind(2, "00000000") is None
    assert stretch.behind(0, "11111111") is None
    rest = stretch.behind(2, run[0].prev[:8])
    assert rest is not None
    assert [record.seq for page in rest for record in page.records] == [3, 4, 5]
