"""A stream whose records carry what they change of the client's document.

How this works. A `PatchedStream` stands between the hub and a client's sink: the hub writes to it
as to any sink, and a task of its own passes on what comes, in order, each event with the patch from
the document that this client has to the one behind the event. Documents, patches and the records
that hold them are made once for all who see the same and have the same. What waits here counts as
unread, so a client that is slow falls behind as on any stream.

What a client has is always the document that was told last, whatever its rights are by now: the
patch to the next one is made from that, so there is no way to hold a wrong one. Where rights
changed, where text was erased or parts were opened, older events show otherwise than they did;
then a `resync` follows that says so, and brings the whole document.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.encounters.cache import LoadedEncounter
from service.encounters.documents import NOTHING, Document, Documents
from service.encounters.principal import Principal
from service.engine.vocabulary.values import By
from service.errors import NewerVersion, NotFound, Unauthenticated, Unavailable
from service.live.fair_queue import FairQueue
from service.live.records import Bye, Outgoing, Record, Resync, ResyncReason, unplaced
from service.live.sinks import ByteSink, Sink, Subscription

RETRY_SECONDS: Final = 0.25
"""The pause before the database is asked again."""

SHARED: Final = 256
SHARED_BYTES: Final = 8 << 20
"""Records with patches that are kept for others who are to be told the same, and the bytes of the
documents that they keep with them; the last one is kept whatever its size."""

OPENED: Final = frozenset({"encounter_ended", "seed_revealed", "parts_opened"})
"""Effects that may open parts of earlier events: if they say so."""


class _Effect(Struct):
    type: str
    opened: str = "none"


class _Event(Struct):
    effects: tuple[_Effect, ...] = ()


class _Told(Struct):
    """What a record of an event tells of its effects."""

    event: _Event
    seen: _Event | UnsetType = UNSET


_TOLD: Final = msgspec.json.Decoder(_Told)

CallerOf = Callable[[Principal, UUID, LoadedEncounter | None], tuple[LoadedEncounter, By]]
"""The encounter, if this caller may ask for it, and as whom. Raises NotFound, Unauthenticated."""


@dataclass(frozen=True, slots=True)
class DocumentSources:
    """Where documents come from: `recent` is the encounter as this process last saw it."""

    documents: Documents
    asking: CallerOf
    recent: Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]
    current: Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]


class PatchedRecords:
    """Records of events with patches, made once for all who are told the same."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Record, Document, Document], Record] = OrderedDict()
        self._size = 0

    def record(self, record: Record, before: Document, after: Document) -> Record:
        """The record with the patch between these documents."""
        key = (record, before, after)
        kept = self._kept.get(key)
        if kept is None:
            steps = msgspec.json.encode(after.patch_from(before))
            kept = self._kept[key] = extended(record, b"patch", steps)
            self._size += len(after.text)
            while len(self._kept) > 1 and (len(self._kept) > SHARED or self._size > SHARED_BYTES):
                (_, _, gone), _ = self._kept.popitem(last=False)
                self._size -= len(gone.text)
        return kept


class PatchedStream:
    """The sink of one client's stream of one encounter.

    `is_resuming`: the client has the document at its cursor already. `is_far`: it missed too much
    to be told it event by event, and gets the document instead.
    """

    framing = None

    def __init__(
        self,
        sink: Sink,
        who: Principal,
        encounter: UUID,
        sources: DocumentSources,
        shared: PatchedRecords,
        turns: FairQueue,
        failed: Callable[[Exception], None],
        *,
        is_resuming: bool,
        is_far: bool,
    ) -> None:
        self._sink = sink
        self._who = who
        self._encounter = encounter
        self._sources = sources
        self._shared = shared
        self._turns = turns
        self._failed = failed
        self._is_resuming = is_resuming
        self._is_far = is_far
        self._queue: asyncio.Queue[Record | None] = asyncio.Queue()
        self._queued = 0
        self._is_closed = False
        self._has_hello = False
        self._document: Document = NOTHING

    @property
    def line(self) -> ByteSink:
        """Nothing is written past the queue."""
        raise RuntimeError("a stream with patches is written record by record")

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet, those that wait here among them."""
        return self._sink.waiting + self._queued

    def write(self, record: Outgoing) -> None:
        """Take one record or several, to be passed on behind what came before."""
        for each in record.records:
            self._queued += each.size
            self._queue.put_nowait(each)

    def close(self) -> None:
        """End the stream behind what was written."""
        self._is_closed = True
        self._queue.put_nowait(None)

    async def run(self, subscription: Subscription) -> None:
        """Pass on what comes until the stream is over."""
        passing = asyncio.ensure_future(self._pass_all())
        over = asyncio.ensure_future(subscription.closed())
        try:
            await asyncio.wait({passing, over}, return_when=asyncio.FIRST_COMPLETED)
            if self._is_closed:
                await passing
        finally:
            passing.cancel()
            over.cancel()
            await asyncio.gather(passing, over, return_exceptions=True)
            subscription.cancel()

    async def _pass_all(self) -> None:
        try:
            while (record := await self._queue.get()) is not None:
                await self._turns.turn()
                await self._pass(record)
                self._queued -= record.size
        except NewerVersion:
            self._sink.write(self._resync("newer_version"))
        except Unavailable:
            self._tell_the_end()
        except Exception as error:  # a stream must end rather than stay silent
            self._failed(error)
            body = Bye(encounter=str(self._encounter), reason="failed")
            self._sink.write(unplaced(self._encounter, body))
        self._sink.close()

    def _tell_the_end(self) -> None:
        """Tell why it ends, and nothing else of what waits: whoever comes back is told that."""
        waiting = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        last = [record for record in waiting if record is not None][-1:]
        for record in last:
            self._sink.write(record)

    async def _pass(self, record: Record) -> None:
        match record.kind:
            case "hello":
                await self._greet(record)
            case "event":
                await self._tell(record)
            case _:
                self._sink.write(record)

    async def _greet(self, record: Record) -> None:
        document = await self._document_at(record.seq)
        if document is None:
            self._sink.write(record)
            return
        self._document = document
        is_first, self._has_hello = not self._has_hello, True
        if is_first and self._is_resuming and not self._is_far:
            digest = msgspec.json.encode(document.digest)
            self._sink.write(extended(record, b"document_sha256", digest))
        elif is_first and not self._is_far:
            self._sink.write(extended(record, b"document", document.text))
        else:
            self._sink.write(record)
            reason: ResyncReason = "too_far_behind" if is_first else "rights_changed"
            self._sink.write(self._resync(reason, record))

    async def _tell(self, record: Record) -> None:
        reason = _reason_in(record)
        after = await self._document_at(record.seq, is_erased=reason == "erased")
        if after is None:
            self._sink.write(record)
            return
        self._sink.write(self._shared.record(record, self._document, after))
        self._document = after
        if reason is not None:
            self._sink.write(self._resync(reason, record))

    def _resync(self, reason: ResyncReason, behind: Record | None = None) -> Record:
        """The stream goes on behind this record, and with the whole document; else it ends."""
        body = Resync(
            encounter=str(self._encounter),
            reason=reason,
            after=UNSET if behind is None or behind.place is None else behind.place,
            document=UNSET if behind is None else Raw(self._document.text),
        )
        return unplaced(self._encounter, body)

    async def _document_at(self, seq: int, *, is_erased: bool = False) -> Document | None:
        """The client's document after an event; None where its seat or the battle is gone.

        What is in memory may still have text that an event says is erased. Raises NewerVersion;
        Unavailable while the database is away if the stream is to end.
        """
        while True:
            try:
                battle = await self._sources.recent(self._encounter, self._who.tenant)
                if is_erased or (battle is not None and battle.seq < seq):
                    battle = await self._sources.current(self._encounter, self._who.tenant)
                battle, by = self._sources.asking(self._who, self._encounter, battle)
                return await self._sources.documents.document(battle, by, seq)
            except (NotFound, Unauthenticated):
                return None
            except NewerVersion:
                raise
            except Unavailable:
                if self._is_closed:
                    raise
                await asyncio.sleep(RETRY_SECONDS)


def extended(record: Record, name: bytes, value: bytes) -> Record:
    """A record with one member more."""
    body = b'%b,"%b":%b}' % (record.body[:-1], name, value)
    return Record(record.kind, record.encounter, record.seq, record.hash8, body)


def _reason_in(record: Record) -> ResyncReason | None:
    """Why events before this one show otherwise than they did, if they do."""
    told = _TOLD.decode(record.body)
    effects = (told.event if told.seen is UNSET else told.seen).effects
    if any(effect.type == "erased" for effect in effects):
        return "erased"
    if any(effect.type in OPENED and effect.opened != "none" for effect in effects):
        return "opened"
    return None
