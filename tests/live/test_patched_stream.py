"""A stream with patches whose database is away: it stays open, and ends when it is to end."""

import asyncio
from typing import cast
from uuid import UUID

import pytest

from service.encounters.cache import caller_of
from service.encounters.documents import Document, Documents
from service.encounters.principal import Principal
from service.errors import DatabaseAway
from service.live.fair_queue import FairQueue
from service.live.patched_stream import (
    SHARED,
    SHARED_BYTES,
    DocumentSources,
    PatchedRecords,
    PatchedStream,
)
from service.live.records import Bye, Outgoing, Record, unplaced
from service.live.sinks import ByteSink, Subscription

ENCOUNTER = UUID(int=1)


class KeptSink:
    """What was written, and whether it was closed."""

    framing = None

    def __init__(self) -> None:
        self.told: list[str] = []
        self.is_closed = False
        self.waiting = 0

    @property
    def line(self) -> ByteSink:
        raise NotImplementedError

    def write(self, record: Outgoing) -> None:
        self.told += [each.kind for each in record.records]

    def close(self) -> None:
        self.is_closed = True


async def away(_: UUID, __: UUID) -> None:
    raise DatabaseAway


def stream_to(sink: KeptSink, failures: list[Exception]) -> PatchedStream:
    documents = cast("Documents", None)
    who = Principal(tenant=UUID(int=2), scopes=frozenset(), key_id=UUID(int=3))
    return PatchedStream(
        sink,
        who,
        ENCOUNTER,
        DocumentSources(documents, caller_of, away, away),
        PatchedRecords(),
        FairQueue(lambda: False),
        failures.append,
        is_resuming=False,
        is_far=False,
    )


async def test_it_ends_with_the_last_word_while_the_database_is_away() -> None:
    sink, failures = KeptSink(), list[Exception]()
    stream = stream_to(sink, failures)
    subscription = Subscription(lambda: None)
    stream.write(Record("hello", ENCOUNTER, 1, "0a1b2c3d", b'{"type":"hello"}'))
    running = asyncio.create_task(stream.run(subscription))
    await asyncio.sleep(0.05)
    assert (sink.told, running.done()) == ([], False)
    stream.write(Record("event", ENCOUNTER, 2, "0a1b2c3e", b'{"type":"event"}'))
    stream.write(unplaced(ENCOUNTER, Bye(reason="shutdown")))
    stream.close()
    subscription.end()
    await asyncio.wait_for(running, 5)
    assert (sink.told, sink.is_closed, failures) == (["bye"], True, [])


async def test_it_ends_when_its_owner_lets_go_while_the_database_is_away() -> None:
    sink, failures = KeptSink(), list[Exception]()
    stream = stream_to(sink, failures)
    subscription = Subscription(lambda: None)
    stream.write(Record("hello", ENCOUNTER, 1, "0a1b2c3d", b'{"type":"hello"}'))
    running = asyncio.create_task(stream.run(subscription))
    await asyncio.sleep(0.05)
    subscription.cancel()
    await asyncio.wait_for(running, 5)
    assert (sink.told, failures) == ([], [])


@pytest.mark.parametrize(("count", "size"), [(2 * SHARED, 10), (9, SHARED_BYTES // 4)])
def test_what_is_kept_for_others_is_bounded_in_number_and_in_bytes(count: int, size: int) -> None:
    shared = PatchedRecords()
    text = b'{"state":"%b"}' % (b"x" * size)
    documents = [Document(seq, text) for seq in range(count + 1)]
    records = [Record("event", ENCOUNTER, seq, "0" * 8, b'{"seq":1}') for seq in range(count + 1)]
    told = records[0]
    for seq in range(1, count + 1):
        told = shared.record(records[seq], documents[seq - 1], documents[seq])
        assert told.body == b'{"seq":1,"patch":[]}'
    assert len(shared._kept) <= min(SHARED, max(1, SHARED_BYTES // size))
    last = (records[count], documents[count - 1], documents[count])
    assert shared.record(*last) is told
