"""Whatever comes, in whatever order and however often: each event once, in order, or the truth."""

import asyncio
from random import Random
from uuid import UUID

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.fanout.messages import Missed, News, Presence
from tests.encounters.following import FakeSink, joined, looking, until, visible, wired
from tests.encounters.table import Table, beside, end_turn
from tests.encounters.test_restored import restore
from tests.patience import PATIENCE_SECONDS

NOTE = {"type": "note", "text": "what was said"}
SECRET = {"type": "note", "gm_text": "what nobody heard"}
MUCH_SECONDS = 3_600
STEP = {"type": "move", "combatant": "r1", "path": [{"x": 0, "y": 1}]}
BACK = {"type": "rewind", "to": 2}
TURN = {"type": "set_facing", "combatant": "r1", "facing": "S"}


class Counting:
    """Counts the reading of tails."""

    def __init__(self, store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        real = store.tails.behind

        async def counted(*given: object) -> object:
            self.count += 1
            return await real(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(store.tails, "behind", counted)


async def test_news_is_enough_where_nobody_may_know_more(
    table: Table, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, others = wired(table, store)
    client = await joined(there.seat("olaf"), encounter)
    assert others.followed == {encounter}
    counting = Counting(store, monkeypatch)
    for action in (STEP, SECRET, end_turn("r1")):
        await here.act(encounter, action)
    await until(lambda: len(wires.news) == 3)
    for news in wires.news:
        there.encounters.hub.heard(news)
    await client.at(5)
    assert client.sink.of("event") == await visible(client.table, encounter, "2")
    assert counting.count == 0
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
        there.encounters.hub.heard(news)
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
        there.encounters.hub.heard(each)
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
    told = wires.news[0]
    forged = News(
        encounter=encounter,
        seq=3,
        base=2,
        hash=told.hash,
        recorded_at=told.recorded_at,
        body=told.body,
        commits=told.commits,
        parts=(),
    )
    here.encounters.hub.heard(forged)
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
        await until(lambda: len(wires.news) == seq - 2)  # noqa: B023 - waited for right here
        told = wires.news[-1]
        there.encounters.hub.heard(
            News(
                encounter=encounter,
                seq=seq,
                base=told.base,
                hash=told.hash,
                recorded_at=told.recorded_at,
                body=body,
                commits=told.commits,
                parts=(),
            )
        )
        await client.at(seq)
    there.encounters.hub.heard(Missed(encounters=(encounter, UUID(int=1))))


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
        hub.tell(encounter, stored[at : at + 1], live.state.linear)
    await client.at(6)
    assert client.sink.of("event") == await visible(table, encounter, "2")


async def test_a_cursor_that_the_channel_has_not_reached_yet(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    other = beside(table, store)
    first = await joined(table, encounter)
    await other.act(encounter, NOTE)
    await other.act(encounter, NOTE)
    second = await joined(table.seat("rita"), encounter)
    assert second.sink.cursor is not None
    assert second.sink.cursor.startswith("4-")
    await first.at(4)
    await table.act(encounter, NOTE)
    for client in (first, second):
        await client.at(5)
    assert (first.sink.seqs, second.sink.seqs) == ([3, 4, 5], [5])


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
    assert here.sink.told[-1] == there.sink.told[-1] == (await visible(table, encounter))[-1]


async def test_text_that_is_gone_is_not_kept_for_those_who_catch_up(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    said = {"type": "note", "text": "a word to be erased"}
    await table.act(encounter, said)
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


@pytest.mark.parametrize("regrown", [0, 1, 2, 3])
async def test_whoever_followed_a_history_that_is_lost_is_told_so(
    table: Table, store: EventStore, database: Dsns, regrown: int
) -> None:
    encounter, kept = await table.started(), await table.started()
    clients = [await joined(each, encounter) for each in (table, table.seat("rita"))]
    many = FakeSink()
    await table.encounters.hub.follow_many(table.who, {kept: None, encounter: None}, many)
    for _ in range(2):
        await table.act(encounter, NOTE)
    for client in clients:
        await client.at(4)
    await restore(database, encounter, 2)
    fresh_one = beside(table, store)
    for _ in range(regrown):
        await fresh_one.act(encounter, SECRET)
    async with looking(table):
        for client in clients:
            await client.over()
            assert client.sink.last_word == ("resync", "history_diverged")
            assert "after" not in client.sink.told[-1]
            assert client.sink.seqs == [3, 4]
        await until(lambda: many.told[-1]["type"] == "resync")
        await table.act(kept, NOTE)
        await until(lambda: many.seqs[-1] == 3)
    again = await joined(table, encounter, "0")
    await until(lambda: len(again.sink.seqs) == 2 + regrown)


async def test_own_writes_behind_a_restored_log_are_no_part_of_what_was_followed(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await table.started()
    for _ in range(4):
        await table.act(encounter, NOTE)
    client = await joined(table, encounter)
    await restore(database, encounter, 3)
    await table.act(encounter, SECRET)
    await client.over()
    assert client.sink.last_word == ("resync", "history_diverged")
    assert client.sink.seqs == []


async def test_an_encounter_that_a_restored_database_does_not_have(
    table: Table, database: Dsns
) -> None:
    encounter = await table.started()
    client = await joined(table, encounter)
    admin = await asyncpg.connect(database.admin)
    await admin.execute("SET session_replication_role = replica")
    for name in ("event", "event_part", "secret", "seat", "command", "creation", "encounter_blob"):
        await admin.execute(f"DELETE FROM {name} WHERE encounter_id = $1", encounter)
    await admin.execute("DELETE FROM encounter WHERE id = $1", encounter)
    await admin.close()
    async with looking(table):
        await client.over()
    assert client.sink.last_word == ("bye", "deleted")


async def test_presence_is_known_in_all_processes_and_forgotten_with_them(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    there, others = wired(table, store)
    master = await joined(here, encounter)
    rita = await joined(here.seat("rita"), encounter)
    second = await joined(here.seat("rita"), encounter)
    bob = await joined(there.seat("bob"), encounter)
    assert master.sink.of("presence") == [
        {
            "type": "presence",
            "encounter": str(encounter),
            "ruleset": "crossfire-d6",
            "seat": "rita",
            "present": True,
        }
    ]

    def pass_on() -> None:
        for hub, queue in ((there.encounters.hub, wires), (here.encounters.hub, others)):
            told, queue.told = queue.told, []
            for message in told:
                hub.heard(message)

    async def until_present(seats: set[str]) -> None:
        def are_known() -> bool:
            pass_on()
            return all(
                set(each.encounters.hub.present(encounter)) == seats for each in (here, there)
            )

        await until(are_known)

    await until_present({"rita", "bob"})
    late = await joined(there.seat("olaf"), encounter)
    assert late.sink.told[0]["presence"] == ["bob", "olaf", "rita"]
    await until_present({"rita", "bob", "olaf"})
    late.leave()
    rita.leave()
    await until_present({"rita", "bob"})
    second.leave()
    await until_present({"bob"})
    [channel] = here.encounters.hub.channels.values()
    channel.attendance.forget(float("inf"))
    channel.attend()
    assert here.encounters.hub.present(encounter) == ()
    changes = [(each["seat"], each["present"]) for each in master.sink.of("presence")]
    assert changes == [
        ("rita", True),
        ("bob", True),
        ("olaf", True),
        ("olaf", False),
        ("rita", False),
        ("bob", False),
    ]
    assert bob.sink.of("presence")[0]["seat"] == "rita"


async def test_a_process_that_begins_to_listen_asks_who_is_here(
    table: Table, store: EventStore
) -> None:
    encounter = await table.started()
    here, wires = wired(table, store)
    await joined(here.seat("rita"), encounter)
    wires.told.clear()
    here.encounters.hub.heard(Missed(encounters=(encounter,)))
    await until(lambda: bool(wires.told))
    wires.told.clear()
    for number in range(100):
        stranger = Presence(encounter=encounter, process=f"stranger {number}", seats=())
        here.encounters.hub.heard(stranger)
    await until(lambda: bool(wires.told))
    # They are all answered at once.
    process = here.encounters.hub.fanout.process
    assert wires.told == [Presence(encounter=encounter, process=process, seats=("rita",))]


async def test_a_long_poll_hears_of_what_happens_anywhere(table: Table, store: EventStore) -> None:
    encounter = await table.started()
    here, _ = wired(table, store)
    there, wires = wired(table, store)

    async def waited(after: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await here.encounters.wait(here.who, encounter, after, MUCH_SECONDS)

    async def is_waited() -> None:
        await until(lambda: encounter in here.encounters.hub.waiters)

    own = asyncio.create_task(waited("2"))
    await is_waited()
    await here.act(encounter, NOTE)
    await own
    heard = asyncio.create_task(waited("3"))
    await is_waited()
    await there.act(encounter, NOTE)
    await until(lambda: len(wires.news) == 1)
    here.encounters.hub.heard(wires.news[0])
    await heard
    found = asyncio.create_task(waited("4"))
    await is_waited()
    await beside(table, store).act(encounter, NOTE)
    async with looking(here):
        await found
    gone = asyncio.create_task(waited("5"))
    await is_waited()
    await table.encounters.writes.delete(table.who, encounter)
    async with looking(here):
        await gone
    await here.encounters.hub.look()
