"""Stretches of logs as views see them: read and encoded once for all followers that catch up alike.

How this works. A log is cut into stretches of so many events, counted from event 1, the last one as
far as it goes; so clients that catch up from different places read the same ones. A stretch is
encoded for the runs of rights a reader has in it. Encoded stretches are cached, bounded in bytes,
least recently used first out; a second request for a stretch that is being read waits for that
read. The key has the number of erasures of the encounter, so that erased text is never served from
the cache. Stretches of an encounter without a follower are not cached.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.encounters.cache import EncounterTerms
from service.encounters.views import event_record
from service.eventstore.log_reads import Log
from service.eventstore.records import StoredEvent
from service.live.outgoing_event import prev_of
from service.live.records import Page, Record, event_out
from service.live.view_rights import Runs

EVENTS: Final = 64
"""Events of a stretch."""

CHUNK_BYTES: Final = 64 * 1024
"""Bytes that go out with one write, unless a single event has more."""

READS_AT_ONCE: Final = 8
"""Stretches that are read at the same time."""

CACHE_BYTES: Final = 32 << 20
"""The bound of the cache. Service default."""

FRAMED_FACTOR: Final = 2.2
RECORD_BYTES: Final = 400
"""The estimate of a stretch: for each byte of it, framed once, and for each record."""


class Stretch(Struct, frozen=True, kw_only=True):
    """The events from `first` to `last`; `prev8` are the first digits of the hash before them."""

    first: int
    last: int
    prev8: str
    chunks: tuple[Page, ...]

    @property
    def weight(self) -> int:
        """The estimate of what it takes, in bytes."""
        size = sum([chunk.size for chunk in self.chunks])
        return int(FRAMED_FACTOR * size) + RECORD_BYTES * (self.last - self.first + 1)

    def behind(self, seq: int, hash8: str) -> Iterator[Page] | None:
        """The events behind a place in it or right before it; None on another history."""
        records = [record for chunk in self.chunks for record in chunk.records]
        at = seq - self.first
        if (self.prev8 if at < 0 else records[at].hash8) != hash8:
            return None
        return self._behind(seq)

    def _behind(self, seq: int) -> Iterator[Page]:
        for chunk in self.chunks:
            if chunk.records[0].seq > seq:
                yield chunk
            elif chunk.seq > seq:
                yield Page(tuple([record for record in chunk.records if record.seq > seq]))


class StretchKey(Struct, frozen=True):
    """Names a stretch: the log, its first and last event, and the views of the reader in it."""

    encounter: UUID
    erasures: int
    first: int
    last: int
    runs: Runs


class Pages:
    """The cache of stretches."""

    def __init__(self, log: Log, most_bytes: int = CACHE_BYTES) -> None:
        self._log = log
        self._most_bytes = most_bytes
        self._kept: OrderedDict[StretchKey, Stretch] = OrderedDict()
        self._of: dict[UUID, set[StretchKey]] = {}
        self._weight = 0
        self._reading: dict[StretchKey, asyncio.Task[Stretch | None]] = {}
        self._turns = asyncio.Semaphore(READS_AT_ONCE)

    @property
    def size(self) -> int:
        """The estimate of what the cache takes, in bytes."""
        return self._weight

    async def read(self, key: StretchKey, terms: EncounterTerms) -> Stretch | None:
        """A stretch; None if the log does not go so far.

        Raises DatabaseAway or DatabaseSlow.
        """
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        task = self._reading.get(key)
        if task is None:
            task = self._reading[key] = asyncio.create_task(self._read(key, terms))
            task.add_done_callback(lambda done: self._keep(key, done))
        # Shielded: a reader that is cancelled must not cancel the read that others wait for.
        return await asyncio.shield(task)

    def open(self, encounter: UUID) -> None:
        """Cache stretches of this encounter from now on."""
        self._of.setdefault(encounter, set())

    def close(self, encounter: UUID) -> None:
        """Cache nothing of it any more, not even stretches that are being read."""
        self.forget(encounter)
        self._of.pop(encounter, None)

    def forget(self, encounter: UUID) -> None:
        """Drop the cached stretches of an encounter."""
        for key in self._of.get(encounter, ()):
            self._weight -= self._kept.pop(key).weight
        if encounter in self._of:
            self._of[encounter] = set()

    async def settle(self) -> None:
        """Wait until nothing is being read."""
        while self._reading:
            await asyncio.wait(self._reading.values())

    def _keep(self, key: StretchKey, done: asyncio.Task[Stretch | None]) -> None:
        del self._reading[key]
        if done.cancelled() or done.exception() is not None:
            return
        stretch = done.result()
        kept = self._of.get(key.encounter)
        if stretch is None or kept is None or stretch.weight > self._most_bytes:
            return
        kept.add(key)
        self._kept[key] = stretch
        self._weight += stretch.weight
        while self._weight > self._most_bytes:
            oldest, gone = self._kept.popitem(last=False)
            self._of[oldest.encounter].discard(oldest)
            self._weight -= gone.weight

    async def _read(self, key: StretchKey, terms: EncounterTerms) -> Stretch | None:
        async with self._turns:
            stored = await self._log.events(
                key.encounter,
                after=key.first - 1,
                until=key.last,
                limit=EVENTS,
                audiences=None,
            )
        if len(stored) != key.last - key.first + 1:
            return None
        return Stretch(
            first=key.first,
            last=key.last,
            prev8=prev_of(stored[0])[:8],
            chunks=tuple(_chunks(_records(key, stored, terms))),
        )


def stretch_at(seq: int, head: int) -> tuple[int, int]:
    """The first and last event of the stretch that event `seq` is in, in a log up to `head`."""
    first = (seq - 1) // EVENTS * EVENTS + 1
    return first, min(first + EVENTS - 1, head)


def _records(
    key: StretchKey, stored: tuple[StoredEvent, ...], terms: EncounterTerms
) -> Iterator[Record]:
    later = list(reversed(key.runs))
    _, viewer = later.pop()
    for event in stored:
        if later and later[-1][0] <= event.seq:
            _, viewer = later.pop()
        yield event_out(key.encounter, event_record(event, viewer, terms))


def _chunks(records: Iterator[Record]) -> Iterator[Page]:
    chunk: list[Record] = []
    size = 0
    for record in records:
        if chunk and size + record.size > CHUNK_BYTES:
            yield Page(tuple(chunk))
            chunk, size = [], 0
        chunk.append(record)
        size += record.size
    yield Page(tuple(chunk))
