"""Streams with patches that are at the same event share the work, and nothing else."""

import asyncio
from functools import partial
from typing import Any
from uuid import UUID

import jsonpatch
import pytest

from service.encounters.cache import LoadedEncounter
from service.encounters.documents import Document
from service.encounters.requests import Additions
from service.engine.vocabulary.values import By
from service.errors import DatabaseAway, NewerVersion
from service.live import shared_additions
from service.live.followed_encounter import MOST_WAITING
from service.live.records import Record
from service.live.shared_additions import PER_TURN
from tests.encounters.table import Table
from tests.live.clients import LONG, NOTE, Client, FakeSink
from tests.patience import until

PATCHED = Additions(state=True)


class PatchedClient(Client):
    """Somebody who keeps the document of one encounter from a stream."""

    async def join(self, after: str | None = None) -> "PatchedClient":
        self.subscription = await self.table.encounters.hub.follow_extended(
            self.table.who, self.encounter, after, self.sink, PATCHED
        )
        await self.greeted(1)
        return self

    def held(self, document: Any = None) -> Any:
        """What it has in the end; `document` is what it had at its cursor."""
        for body in self.sink.bodies:
            document = body.get("document", document)
            if body["type"] == "event":
                document = jsonpatch.apply_patch(document, body["patch"])
        return document

    def event(self, seq: int) -> Record:
        """What it was shown of an event."""
        [told] = [each for each in self.sink.records if (each.kind, each.seq) == ("event", seq)]
        return told


async def patched(table: Table, encounter: UUID, after: str | None = None) -> PatchedClient:
    """A client that was greeted."""
    return await PatchedClient(table, encounter).join(after)


class Watch:
    """Stands before the documents: who came for which, and who is kept from them."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.came: list[tuple[int, object]] = []
        self.barred: dict[object, Exception] = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self._documents = table.encounters.reads.documents
        self._document = self._documents.document
        monkeypatch.setattr(self._documents, "document", self.document)

    async def document(
        self, battle: LoadedEncounter, by: By, seq: int, additions: Additions
    ) -> Document:
        self.came.append((seq, by.seat))
        await self.gate.wait()
        for barred in (by.seat, battle.row.id):
            if barred in self.barred:
                raise self.barred[barred]
        return await self._document(battle, by, seq, additions)

    def of(self, seq: int) -> list[object]:
        """The seats that came for the document behind an event."""
        return [seat for at, seat in self.came if at == seq]


@pytest.fixture
def watch(table: Table, monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(table, monkeypatch)


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_additions, "RETRY_SECONDS", 0.001)


async def test_all_who_see_the_same_are_told_one_record_that_is_made_once(
    table: Table, watch: Watch
) -> None:
    encounter = await table.started()
    clients = [await patched(table, encounter) for _ in range(2 * PER_TURN)]
    rita, olaf = [await patched(table.seat(seat), encounter) for seat in ("rita", "olaf")]
    for seq in (3, 4):
        await table.act(encounter, NOTE)
        for client in (*clients, rita, olaf):
            await client.at(seq)
        assert len({id(client.event(seq)) for client in clients}) == 1
        # Once for each seat, and once more for those that were written to a turn later.
        assert len(watch.of(seq)) <= 2 * 3
        assert rita.event(seq) is not clients[0].event(seq)
    last = [await patched(each, encounter) for each in (table, rita.table, olaf.table)]
    for holder, newcomer in zip((clients[-1], rita, olaf), last, strict=True):
        assert holder.held() == newcomer.held()


async def test_who_comes_from_an_earlier_cursor_goes_its_own_way_and_is_then_told_the_same(
    table: Table,
) -> None:
    encounter = await table.started()
    begun = await patched(table, encounter)
    known = begun.held()
    for _ in range(4):
        await table.act(encounter, NOTE)
    resumed = await patched(table, encounter, "2")
    further = await patched(table, encounter, "4")
    clients = (begun, resumed, further)
    for client in clients:
        await client.at(6)
    assert [client.sink.seqs for client in clients] == [[3, 4, 5, 6], [3, 4, 5, 6], [5, 6]]
    assert "document" not in resumed.sink.of("hello")[0]
    await table.act(encounter, NOTE)
    for client in clients:
        await client.at(7)
    assert begun.event(7) is resumed.event(7) is further.event(7)
    assert begun.held() == resumed.held(known) == (await patched(table, encounter)).held()


async def test_who_does_not_read_falls_behind_alone_and_misses_nothing(table: Table) -> None:
    encounter = await table.started()
    slow, quick = await patched(table, encounter), await patched(table, encounter)
    slow.sink.reads = False
    for seq in range(3, 103):
        await table.act(encounter, LONG)
        await quick.at(seq)
    assert MOST_WAITING < slow.sink.unread < 2 * MOST_WAITING
    assert slow.sink.seqs == list(range(3, 3 + len(slow.sink.seqs)))
    slow.sink.read_on()
    await slow.at(102)
    assert slow.sink.seqs == quick.sink.seqs
    assert slow.held() == quick.held()


async def test_who_goes_or_is_ended_while_it_waits_holds_up_nobody(
    table: Table, watch: Watch
) -> None:
    encounter = await table.started()
    gone, ended, removed, stays = [
        await patched(each, encounter) for each in (table, table, table.seat("olaf"), table)
    ]
    ending = list(table.encounters.hub._streams)[1]
    watch.gate.clear()
    await table.act(encounter, NOTE)
    await until(lambda: len(watch.of(3)) == 2)
    gone.leave()
    ending.bye("revoked")
    await table.act(encounter, {"type": "remove_seat", "seat": "olaf"})
    await removed.over()
    watch.gate.set()
    await stays.at(4)
    await until(lambda: ended.sink.is_closed and removed.sink.is_closed)
    assert gone.sink.seqs == []
    assert ended.sink.seqs == removed.sink.seqs == [3]
    assert "patch" in ended.sink.bodies[-2]
    assert "patch" in removed.sink.bodies[-2]
    assert ended.sink.last_word == removed.sink.last_word == ("bye", "revoked")
    assert stays.held() == (await patched(table, encounter)).held()


async def test_who_needs_the_database_waits_for_it_and_all_others_are_told(
    table: Table, watch: Watch
) -> None:
    encounter = await table.started()
    rita, olaf, master = [
        await patched(each, encounter) for each in (table.seat("rita"), table.seat("olaf"), table)
    ]
    watch.barred = {"rita": DatabaseAway(), "olaf": DatabaseAway()}
    await table.act(encounter, NOTE)
    await table.act(encounter, NOTE)
    await master.at(4)
    await until(lambda: watch.of(3).count("rita") > 2)
    assert rita.sink.seqs == olaf.sink.seqs == []
    del watch.barred["rita"]
    await rita.at(4)
    assert rita.held() == (await patched(rita.table, encounter)).held()
    table.encounters.hub.stop()
    await table.encounters.hub.settle()
    kinds = [record.kind for record in olaf.sink.records if record.kind != "presence"]
    assert (kinds, olaf.sink.is_closed) == (["hello", "bye"], True)


async def test_what_nobody_expected_ends_the_stream_that_it_happened_to(
    table: Table, watch: Watch
) -> None:
    encounter = await table.started()
    reported: list[Exception] = []
    table.encounters.hub.failed = reported.append
    rita, master = await patched(table.seat("rita"), encounter), await patched(table, encounter)
    watch.barred = {"rita": ZeroDivisionError()}
    await table.act(encounter, NOTE)
    await rita.over()
    assert (rita.sink.last_word, rita.sink.is_closed) == (("bye", "failed"), True)
    assert [type(error) for error in reported] == [ZeroDivisionError]
    await table.act(encounter, NOTE)
    await master.at(4)


def has_resyncs(sink: FakeSink, count: int) -> bool:
    """Whether it was sent so often that a stream cannot go on."""
    return len(sink.of("resync")) == count


async def test_of_several_the_one_that_cannot_be_read_here_ends_alone(
    table: Table, watch: Watch
) -> None:
    first, second = await table.started(), await table.started()
    sink = FakeSink()
    hub = table.encounters.hub
    subscription = await hub.follow_many(table.who, {first: None, second: None}, sink, PATCHED)
    await until(lambda: len(sink.of("hello")) == 2)
    for count, encounter in enumerate((first, second), 1):
        watch.barred[encounter] = NewerVersion()
        await table.act(encounter, NOTE)
        await until(partial(has_resyncs, sink, count))
        last = sink.bodies[-1]
        assert (last["encounter"], last["reason"]) == (str(encounter), "newer_version")
        assert sink.is_closed == subscription.is_over == (encounter == second)
    assert hub.channels == {}


async def test_who_may_not_ask_any_more_is_told_the_event_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = await table.started()
    olaf = await patched(table.seat("olaf"), encounter)
    additions, looking, gate = table.encounters.hub._additions, asyncio.Event(), asyncio.Event()
    look = additions._look

    async def held_up(record: Record, tenant: UUID) -> Any:
        looking.set()
        await gate.wait()
        return await look(record, tenant)

    monkeypatch.setattr(additions, "_look", held_up)
    await table.act(encounter, NOTE)
    await looking.wait()
    await table.act(encounter, {"type": "remove_seat", "seat": "olaf"})
    gate.set()
    await until(lambda: olaf.sink.is_closed)
    assert olaf.sink.seqs == [3]
    assert "patch" not in olaf.sink.of("event")[0]
    assert olaf.sink.last_word == ("bye", "revoked")
