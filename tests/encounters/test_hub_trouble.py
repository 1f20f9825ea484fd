"""Clients that do not read, seats that change, keys that end, a database that is away."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import msgspec
import pytest

from service.encounters.housekeeping import housekeeping
from service.encounters.principal import SCOPES, Principal, seat_principal
from service.engine.visibility.scope import Viewer
from service.errors import NewerVersion, Unavailable
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.eventstore.timeouts import Patience
from service.live import catch_up, recent_events
from service.live.followed_encounter import LITTLE_WAITING, MOST_WAITING
from service.live.hub import LOOK_SECONDS
from tests.conftest import user_of
from tests.encounters.following import Client, FakeSink, joined, looking, until, visible
from tests.encounters.table import Table, beside, creation, fighter, new_table
from tests.eventstore.relay import Relay
from tests.live.hearing import until as patiently
from tests.patience import PATIENCE_SECONDS

NOTE = {"type": "note", "text": "what was said"}
LONG = {"type": "note", "text": "a long story " * 150}
SECRET = {"type": "note", "gm_text": "what nobody heard"}


def change(seat: str, **what: object) -> dict[str, object]:
    return {"type": "change_seat", "seat": seat} | what


def chatter(table: Table, encounter: UUID, times: int) -> "asyncio.Future[list[object]]":
    """Much that is said: more than anybody leaves unread."""
    return asyncio.gather(*[table.act(encounter, *[LONG] * 20) for _ in range(times)])


# --- clients that do not read ---------------------------------------------------------------------


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
    table.encounters.hub._catching._patience_seconds = 0.2
    client, quick = await joined(table, encounter), await joined(table, encounter)
    client.sink.reads = False
    await chatter(table, encounter, 12)
    await client.over()
    assert client.sink.last_word == ("resync", "too_slow")
    assert client.sink.is_closed
    after = client.sink.told[-1]["after"]
    assert after == client.sink.cursor
    assert table.encounters.hub.tally.resyncs == 1
    again = await joined(table, encounter, after)
    for each in (again, quick):
        await each.at(242)
    assert client.sink.seqs + again.sink.seqs == quick.sink.seqs


async def test_a_client_of_several_encounters_that_reads_nothing(table: Table) -> None:
    first, second = await table.started(), await table.started()
    table.encounters.hub._catching._patience_seconds = 0.1
    sink = FakeSink()
    sink.reads = False
    subscription = await table.encounters.hub.follow_many(
        table.who, {first: "0", second: None}, sink
    )
    await asyncio.gather(chatter(table, first, 6), chatter(table, second, 6))
    await asyncio.wait_for(subscription.closed(), PATIENCE_SECONDS)
    assert sink.told[-1] == {"type": "resync", "reason": "too_slow"}
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
    assert client.sink.told[-1]["after"] == "0-00000000"
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
        told = [len(client.sink.records) for client in clients]
        await table.encounters.hub.settle()
        assert told == [len(client.sink.records) for client in clients]
    await table.encounters.hub.settle()
    assert table.encounters.hub.channels == {}
    assert table.encounters.hub.pages._reading == {}


async def test_those_who_catch_up_alike_read_the_log_once(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    await chatter(table, encounter, 10)
    reads = 0
    real = store.log.events

    async def counted(*given: object, **named: object) -> object:
        nonlocal reads
        reads += 1
        return await real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(store.log, "events", counted)
    clients = [await joined(table, encounter, "0") for _ in range(50)]
    for client in clients:
        await client.at(202)
        assert client.sink.seqs == list(range(1, 203))
    assert reads == 4


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


# --- seats that change ---------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["here", "elsewhere"])
async def test_a_changed_role_changes_the_view_and_is_said_with_a_hello(
    table: Table, store: EventStore, place: str
) -> None:
    encounter = await table.started()
    writer = table if place == "here" else beside(table, store)
    rita, olaf = table.seat("rita"), table.seat("olaf")
    clients = [await joined(rita, encounter), await joined(olaf, encounter)]
    async with looking(table):
        for action in (
            SECRET,
            change("rita", role="gm"),
            SECRET,
            change("rita", role="observer"),
            SECRET,
            NOTE,
        ):
            await writer.act(encounter, action)
            seq = (await table.encounters.reads.view(table.who, encounter, None)).seq
            for client in clients:
                await client.at(seq)
            await until(lambda: table.encounters.hub.channels[encounter]._behind == {})
    sink = clients[0].sink
    order = [each.get("role", each.get("seq")) for each in sink.told if each["type"] != "presence"]
    assert order == ["player", 3, 4, "gm", 5, 6, "observer", 7, 8]
    knew = {each["seq"]: len(each["parts"]) for each in sink.of("event")}
    assert (knew[3], knew[5], knew[7]) == (0, 1, 0)
    assert len(clients[1].sink.of("hello")) == 1
    assert clients[1].sink.of("event") == await visible(olaf, encounter, "2")


@pytest.mark.parametrize("place", ["here", "elsewhere"])
async def test_a_removed_seat_is_told_goodbye_at_once(
    table: Table, store: EventStore, place: str
) -> None:
    encounter = await table.started()
    writer = table if place == "here" else beside(table, store)
    rita, bob = table.seat("rita"), table.seat("bob")
    gone = [await joined(rita, encounter) for _ in range(2)]
    stays = await joined(bob, encounter)
    late = await joined(rita, encounter, "0")
    await writer.act(encounter, {"type": "remove_seat", "seat": "rita"})
    async with looking(table):
        await writer.act(encounter, SECRET)
        await stays.at(4)
        for client in (*gone, late):
            await client.over()
            assert client.sink.last_word == ("bye", "revoked")
            assert 4 not in client.sink.seqs
    assert stays.sink.of("event") == await visible(bob, encounter, "2")


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
    assert client.sink.told[before]["role"] == "player"
    # It was the GM then, and so keeps what it could see.
    since = client.sink.told[before + 1]["seq"]
    assert client.sink.told[before + 1 :] == await visible(client.table, encounter, str(since - 1))


async def test_control_over_people_comes_with_a_hello(table: Table) -> None:
    encounter = await table.started()
    client = await joined(table.seat("olaf"), encounter)
    await table.act(encounter, {"type": "change_seat", "seat": "olaf", "role": "player"})
    await until(lambda: len(client.sink.of("hello")) == 2)
    assign = {"type": "assign_control", "seat": "olaf", "combatants": ["b1"]}
    await table.act(encounter, assign)
    await until(lambda: len(client.sink.of("hello")) == 3)
    assert [each["role"] for each in client.sink.of("hello")] == ["observer", "player", "player"]


@pytest.mark.parametrize("combatants", [(), ("b2",)])
async def test_control_over_somebody_unseen_is_said_with_as_many_hellos_as_over_nobody(
    table: Table, combatants: tuple[str, ...]
) -> None:
    hidden = fighter("b2", "blue", 9, 9, hidden=True)
    people = (fighter("r1", "red", 0, 0), fighter("b1", "blue", 6, 0), hidden)
    encounter = await table.started(creation(*people))
    client = await joined(table.seat("olaf"), encounter)
    for hellos, controlled in ((2, combatants), (3, ())):
        await table.act(encounter, change("olaf", combatants=controlled))
        await until(lambda: len(client.sink.of("hello")) == hellos)  # noqa: B023 - waited for here
    kinds = [each["type"] for each in client.sink.told if each["type"] != "presence"]
    assert kinds == ["hello", "event", "hello", "event", "hello"]


async def test_what_is_opened_at_the_end_is_open_to_those_who_follow(table: Table) -> None:
    encounter = await table.started()
    await table.act(encounter, SECRET)
    client = await joined(table.seat("olaf"), encounter)
    await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    await client.at(4)
    late = await joined(table.seat("olaf"), encounter, "0")
    await late.at(4)
    assert late.sink.of("event") == await visible(late.table, encounter)
    assert b"what nobody heard" in late.sink.records[3].body


async def test_streams_of_keys_and_tokens_that_ended_are_closed(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    key = UUID(bytes=secrets.token_bytes(16))
    await store.access.create_api_key(
        NewApiKey(
            id=key,
            tenant=table.who.tenant,
            name="a key",
            secret_hash=secrets.token_bytes(32),
            scopes=SCOPES,
        )
    )
    who = Principal(key_id=key, tenant=table.who.tenant, scopes=frozenset(SCOPES))
    keyed = await joined(Table(table.encounters, who), encounter)
    acting = await joined(Table(table.encounters, who).seat("rita"), encounter)
    token = seat_principal(table.who.tenant, encounter, "bob", secrets.token_bytes(32))
    seated = await joined(Table(table.encounters, token), encounter)
    await table.encounters.hub.judge()
    await seated.over()
    assert seated.sink.last_word == ("bye", "revoked")
    assert not keyed.sink.is_closed
    await store.access.revoke_api_key(table.who.tenant, key)
    await table.encounters.hub.judge()
    for client in (keyed, acting):
        await client.over()
        assert client.sink.last_word == ("bye", "revoked")


# --- deadlines ------------------------------------------------------------------------------------


async def test_changed_deadlines_are_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = await table.started()
    count = 0

    async def told(_: object, viewer: Viewer) -> msgspec.Raw:
        turn = f"{count if viewer.is_gm else min(count, 1)}"
        return msgspec.Raw(msgspec.json.encode([{"turn": turn, "paused": viewer.is_gm}]))

    here = table.encounters.hub
    monkeypatch.setattr(here._retiming, "_timers", told)
    clients = [await joined(each, encounter) for each in (table, table.seat("rita"))]
    count = 1
    here.retimed(encounter)
    here.retimed(UUID(int=5))
    await until(lambda: all(each.sink.of("timers") for each in clients))
    for client in clients:
        is_gm = client.table is table
        assert client.sink.of("timers")[0]["timers"] == [{"turn": "1", "paused": is_gm}]
        assert client.sink.records[-1].place is None
    count = 2
    here.retimed(encounter)
    await until(lambda: len(clients[0].sink.of("timers")) == 2)
    # To the other one nothing has changed, so that it hears nothing.
    assert len(clients[1].sink.of("timers")) == 1


# --- a database that is away ----------------------------------------------------------------------


@asynccontextmanager
async def away(dsns: Dsns) -> AsyncIterator[None]:
    """Nobody gets in, and whoever is in is thrown out."""
    name = dsns.app.rpartition("/")[2]
    elsewhere = await asyncpg.connect(dsns.admin.replace(name, "postgres"))
    try:
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await elsewhere.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )
        yield
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        await elsewhere.close()


@pytest.fixture
async def own_store(empty_database: Dsns) -> AsyncIterator[EventStore]:
    app, eraser = user_of(empty_database.app), user_of(empty_database.eraser)
    await upgrade(empty_database.owner, app_role=app, eraser_role=eraser)
    opened = await EventStore.open(empty_database.app, patience=Patience(connect_seconds=3.0))
    yield opened
    await opened.close()


async def test_streams_stay_open_while_the_database_is_away(
    own_store: EventStore, empty_database: Dsns
) -> None:
    table = await new_table(own_store)
    other = beside(table, own_store)
    encounter = await table.started()
    await chatter(table, encounter, 5)
    complaints: list[Exception] = []
    async with table.encounters.hub.running(complaints.append):
        live = await joined(table, encounter)
        behind = Client(table.seat("rita"), encounter)
        behind.sink.reads = False
        await behind.join("0")
        async with away(empty_database):
            with pytest.raises(Unavailable):
                await joined(table, encounter)
            behind.sink.read_on()
            await until(lambda: bool(complaints))
            assert not live.sink.is_closed
            assert not behind.sink.is_closed
        for _ in range(70):
            await other.act(encounter, NOTE)
        for client in (live, behind):
            await client.at(172)
        assert behind.sink.of("event") == await visible(behind.table, encounter)
        assert live.sink.seqs == list(range(103, 173))
        assert len(complaints) <= 2
    for client in (live, behind):
        assert client.sink.last_word == ("bye", "shutdown")
    for each in (table, other):
        await each.encounters.writes.settle()


@pytest.mark.slow
async def test_a_database_that_is_away_is_looked_for_often_and_read_before_a_poll_that_backs_off(
    own_store: EventStore, empty_database: Dsns
) -> None:
    table = await new_table(own_store)
    encounter = await table.started()
    missed: list[Exception] = []
    answered: list[object] = []
    async with Relay(empty_database.app) as relay:
        followed, polled = [await EventStore.open(relay.dsn, pool_size=2) for _ in range(2)]
        here = beside(table, followed)

        def looks() -> int:
            return sum(followed.databases["shared"].latency.counts)

        async def poll() -> None:
            answered.append(await polled.tails.heads([encounter]))

        async with here.encounters.hub.running(lambda _: None):
            client = await joined(here, encounter)
            await relay.stop()
            async with housekeeping(poll, LOOK_SECONDS, missed.append):
                await until(lambda: len(missed) == 1)
                before = looks()
                await patiently(lambda: len(missed) == 3, lambda: missed, PATIENCE_SECONDS)
                # In the same time, in which the poll waited twice and four times as long.
                assert looks() - before > 2 * len(missed)
                assert answered == []
                await table.act(encounter, NOTE)
                await relay.start()
                await client.at(3)
                assert answered == []
        for store in (followed, polled):
            await store.close()
    for each in (table, here):
        await each.encounters.writes.settle()


async def test_a_process_that_is_too_old_for_an_event_sends_everybody_away(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    client = await joined(table.seat("rita"), encounter)
    other = beside(table, store)
    await other.act(encounter, change("rita", role="observer"))

    async def unknown(*_: object) -> None:
        raise NewerVersion(encounter=str(encounter))

    watch = table.encounters.hub._watch
    monkeypatch.setattr(watch, "_current", unknown)
    async with looking(table):
        await client.over()
    assert client.sink.last_word == ("resync", "newer_version")


async def test_what_nobody_expected_ends_streams_and_is_reported(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    hub_here = table.encounters.hub
    reported: list[Exception] = []
    hub_here.failed = reported.append
    live = await joined(table, encounter)
    monkeypatch.setattr(hub_here.channels[encounter], "_send", broken)
    await table.act(encounter, NOTE)
    await live.over()
    monkeypatch.setattr(hub_here.pages, "read", broken)
    behind = await joined(table, encounter, "0")
    await behind.over()
    for client in (live, behind):
        assert client.sink.last_word == ("bye", "failed")
    assert len(reported) == 2


def broken(*_: object) -> Callable[[], None]:
    raise RuntimeError("a mistake of ours")
