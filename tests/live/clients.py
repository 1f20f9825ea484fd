"""Clients for tests of streams: sinks that keep what they are given, and may be slow or stuck."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from service.app import compose
from service.eventstore.store import EventStore
from service.fanout.fanout import FanoutTally, OnMessage, new_process
from service.fanout.messages import EncounterMessage, News
from service.live.records import Framing, Outgoing, Record
from service.live.sinks import ByteSink, Subscription
from service.rulesets import RULESETS
from tests.encounters.table import SIGNER, SOURCES, Table
from tests.patience import PATIENCE_SECONDS, until

NOTE: Final[dict[str, object]] = {"type": "note", "text": "what was said"}
SECRET: Final[dict[str, object]] = {"type": "note", "gm_text": "what nobody heard"}
LONG: Final[dict[str, object]] = {"type": "note", "text": "a long story " * 150}

MUCH: Final = 100_000
"""Unread bytes: more than a live stream may have."""

MUCH_SECONDS: Final = 3_600


def bare(record: Record) -> bytes:
    """A record as it is."""
    return record.body


class FakeSink:
    """What a client was shown. `reads`: it takes what it is given; else all of it waits."""

    def __init__(self) -> None:
        self.framing: Framing | None = None
        self.records: list[Record] = []
        self.is_closed = False
        self.reads = True
        self.unread = 0
        self.writes = 0
        self.comments = 0

    def write(self, record: Outgoing) -> None:
        assert not self.is_closed
        self.writes += 1
        assert record.framed(bare) == b"".join(each.body for each in record.records)
        self.records += record.records
        if not self.reads:
            self.unread += len(record.framed(bare))

    @property
    def line(self) -> ByteSink:
        raise AssertionError("without `how` everything is given to `write`")

    @property
    def waiting(self) -> int:
        return self.unread

    def keep_alive(self) -> None:
        self.comments += 1

    def close(self) -> None:
        assert not self.is_closed
        self.is_closed = True

    def read_on(self) -> None:
        """Take everything, and from now on at once."""
        self.reads, self.unread = True, 0

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all records."""
        return [msgspec.json.decode(record.body) for record in self.records]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The bodies of the records of a kind."""
        return [each for each in self.bodies if each["type"] == kind]

    @property
    def seqs(self) -> list[int]:
        """The events, in the order they came."""
        return [record.seq for record in self.records if record.kind == "event"]

    @property
    def cursor(self) -> str | None:
        """What the client resumes behind."""
        places = (each.place for each in reversed(self.records) if each.place is not None)
        return next(places, None)

    @property
    def last_word(self) -> tuple[str, str]:
        """Kind and reason of the last record."""
        last = self.bodies[-1]
        return last["type"], last["reason"]


class Client:
    """Somebody who follows one encounter at one process."""

    def __init__(self, table: Table, encounter: UUID) -> None:
        self.table = table
        self.encounter = encounter
        self.sink = FakeSink()
        self.subscription: Subscription | None = None

    async def join(self, after: str | None = None) -> "Client":
        self.subscription = await self.table.encounters.hub.follow(
            self.table.who, self.encounter, after, self.sink
        )
        return self

    def leave(self) -> None:
        if self.subscription is not None:
            self.subscription.cancel()

    async def at(self, seq: int) -> None:
        """Wait for the event of this seq."""
        await until(lambda: self.sink.seqs[-1:] == [seq])

    async def greeted(self, times: int) -> None:
        """Wait for so many hellos in all."""
        await until(lambda: len(self.sink.of("hello")) == times)

    async def has_caught_up(self, cursor: str) -> None:
        """Wait until it is there."""
        await until(lambda: self.sink.cursor == cursor)

    async def over(self) -> None:
        assert self.subscription is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.subscription.closed()


async def joined(table: Table, encounter: UUID, after: str | None = None) -> Client:
    """A client that was greeted."""
    return await Client(table, encounter).join(after)


class RecordedFanout:
    """What one process sends the others, kept until a test lets it through, in any order."""

    def __init__(self) -> None:
        self.process = new_process()
        self.tally = FanoutTally()
        self.is_deaf = False
        self.waiting = 0
        self.messages: list[EncounterMessage] = []
        self.followed: set[UUID] = set()

    async def run(self, hear: OnMessage) -> None:
        """Nothing comes by itself: a test lets it through."""
        await asyncio.get_running_loop().create_future()

    def publish(self, message: EncounterMessage) -> None:
        self.messages.append(message)

    def follow(self, encounter: UUID) -> None:
        self.followed.add(encounter)

    def leave(self, encounter: UUID) -> None:
        self.followed.discard(encounter)

    @property
    def news(self) -> list[News]:
        """What was shown of events, in order."""
        return [each for each in self.messages if isinstance(each, News)]

    async def latest(self, count: int) -> News:
        """Wait until so much news was shown; the last of it."""
        await until(lambda: len(self.news) == count)
        return self.news[-1]


def wired(table: Table, store: EventStore) -> tuple[Table, RecordedFanout]:
    """The same caller at a process that has others next to it."""
    wires = RecordedFanout()
    encounters = compose(store, RULESETS, SIGNER, SOURCES, fanout=wires)
    return Table(encounters, table.who), wires


@asynccontextmanager
async def looking(*tables: Table) -> AsyncIterator[None]:
    """Processes that look at the logs as often as they can."""

    async def look(table: Table) -> None:
        while True:
            await table.encounters.hub.poll_logs()
            await asyncio.sleep(0.02)

    tasks = [asyncio.create_task(look(table)) for table in tables]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def visible(table: Table, encounter: UUID, after: str | None = None) -> list[dict[str, Any]]:
    """The events as the log shows them to this caller, in the form of records.

    A stream shows an event as it comes: what undid it later only pages say.
    """
    page = await table.encounters.reads.events(table.who, encounter, after, 10_000)
    told = [msgspec.json.decode(msgspec.json.encode(each)) for each in page.events]
    for each in told:
        each.pop("undone_by", None)
    return [{"type": "event", "encounter": str(encounter)} | each for each in told]


def change(seat: str, **fields: object) -> dict[str, object]:
    """An action that changes a seat."""
    return {"type": "change_seat", "seat": seat} | fields


def chatter(table: Table, encounter: UUID, times: int) -> "asyncio.Future[list[object]]":
    """Notes of more bytes than anybody may leave unread: 20 events each time."""
    return asyncio.gather(*[table.act(encounter, *[LONG] * 20) for _ in range(times)])


async def stalled(table: Table, encounter: UUID) -> Client:
    """A client that was greeted and read nothing since, so that it is behind."""
    client = Client(table, encounter)
    client.sink.unread = MUCH
    return await client.join()


class CallCount:
    """How often a method is called, from now to the end of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, method: str) -> None:
        self.count = 0
        real = getattr(owner, method)

        def counted(*values: object, **named: object) -> object:
            self.count += 1
            return real(*values, **named)

        monkeypatch.setattr(owner, method, counted)
