"""A stream whose records carry more: what they change of the client's document, and their story.

How this works. An `ExtendedStream` is between the hub and a client's sink: the hub writes to it
as to any sink. What needs nothing added is passed on at once; for an event it asks
`SharedAdditions`, and what comes meanwhile waits here, in order. It counts as unread, so a client
that is slow falls behind as on any stream.

What a client has is always the document that was shown last, whatever its rights are by now: the
patch to the next one is made from that, so there is no way to hold a wrong one. Where rights
changed, where text was erased or parts were opened, older events show otherwise than they did;
then a `resync` follows that says so, and brings the whole document. Of several encounters on one
stream each has its own document.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET

from service.encounters.documents import NOTHING, Document
from service.encounters.principal import Principal
from service.encounters.requests import Additions
from service.errors import NewerVersion
from service.live.extended_records import extended, told_anew
from service.live.records import Outgoing, Record, Resync, farewell, unplaced
from service.live.shared_additions import RecordAdditions, SharedAdditions
from service.live.sinks import ByteSink, Sink, Subscription


class _Held:
    """What the client has of one encounter.

    `is_resuming`: it has the document at its cursor already. `is_far`: it missed too much to be
    shown it event by event, and gets the document instead. `is_over`: nothing more is shown of it.
    """

    __slots__ = ("document", "has_hello", "is_far", "is_over", "is_resuming")

    def __init__(self, *, is_resuming: bool, is_far: bool) -> None:
        self.is_resuming = is_resuming
        self.is_far = is_far
        self.is_over = False
        self.has_hello = False
        self.document: Document = NOTHING


class StreamStart(NamedTuple):
    """Where a client comes from: `after` behind which it is shown events, None for from now on.

    `is_far`: that was too far back for it, and is left out.
    """

    after: str | None
    is_far: bool


class ExtendedStream:
    """The sink of one client's stream, of one encounter or several; `begin` lets it begin."""

    framing = None

    def __init__(
        self,
        sink: Sink,
        who: Principal,
        cursors: Mapping[UUID, StreamStart],
        additions: Additions,
        shared: SharedAdditions,
        failed: Callable[[Exception], None],
        *,
        is_of_many: bool = False,
    ) -> None:
        self.who = who
        self.additions = additions
        self.is_closed = False
        self._sink = sink
        self._shared = shared
        self._failed = failed
        self._is_of_many = is_of_many
        self._waiting: deque[Record] = deque()
        self._queued = 0
        self._is_held = True
        self._is_over = False
        self._subscription: Subscription | None = None
        self._held = {
            encounter: _Held(is_resuming=cursor.after is not None, is_far=cursor.is_far)
            for encounter, cursor in cursors.items()
        }

    # --- for the hub -------------------------------------------------------------------------

    @property
    def line(self) -> ByteSink:
        """Nothing is written past what waits."""
        raise RuntimeError("a stream with patches is written record by record")

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken yet, those that wait here among them."""
        return self._sink.waiting + self._queued

    def begin(self, subscription: Subscription) -> None:
        """Pass on what comes, until the stream is over."""
        self._subscription = subscription
        self._go_on()

    def write(self, record: Outgoing) -> None:
        """Take one record or several, to be passed on behind what came before."""
        for each in record.records:
            self._queued += each.size
            self._waiting.append(each)
        if not self._is_held:
            self._go_on()

    def keep_alive(self) -> None:
        """Send a few bytes that mean nothing, ahead of what waits."""
        self._sink.keep_alive()

    def close(self) -> None:
        """End the stream behind what was written."""
        self.is_closed = True
        if not self._is_held:
            self._go_on()

    # --- for the additions -------------------------------------------------------------------

    @property
    def is_gone(self) -> bool:
        """Whether it is over, or its owner let go of it."""
        let_go = self._subscription is not None and self._subscription.is_over
        return self._is_over or (let_go and not self.is_closed)

    def tell(self, added: RecordAdditions | None) -> None:
        """Pass the next record on with what is added, if anything is."""
        if self.is_gone:
            return
        record = self._waiting[0]
        if added is None:
            self._sink.write(record)
        elif record.kind == "hello":
            self._greet(record, added.document)
        else:
            held = self._held[record.encounter]
            before, held.document = held.document, added.document
            records = self._shared.records
            self._sink.write(records.record(record, before, added.document, added.story))
            if added.again is not None:
                self._sink.write(added.again)
        self._drop_next()
        self._go_on()

    def fail(self, error: Exception) -> None:
        """End the stream; if only this process cannot read it, the next record's encounter."""
        if self.is_gone:
            return
        if isinstance(error, NewerVersion):
            encounter = self._waiting[0].encounter
            self._held[encounter].is_over = True
            body = Resync(encounter=str(encounter), reason="newer_version")
            self._sink.write(unplaced(encounter, body))
            if all(held.is_over for held in self._held.values()):
                self._end()
            else:
                self._go_on()
            return
        self._failed(error)
        encounter = next(iter(self._held))
        named = UNSET if self._is_of_many else str(encounter)
        self._sink.write(unplaced(encounter, farewell(named, "failed")))
        self._end()

    def give_up(self) -> None:
        """Tell why it ends, and nothing else of what waits: whoever comes back learns that."""
        if self.is_gone:
            return
        self._drop_next()
        if self._waiting:
            self._sink.write(self._waiting[-1])
        self._end()

    # -----------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Pass on what waits, up to a record for which it has to ask."""
        self._is_held = False
        while self._waiting and not self.is_gone:
            record = self._waiting[0]
            is_told = not self._held[record.encounter].is_over
            if is_told and self._is_extended(record):
                self._is_held = True
                self._shared.ask(record, self)
                return
            if is_told:
                self._sink.write(record)
            self._drop_next()
        if self.is_closed and not self._is_over:
            self._end()

    def _is_extended(self, record: Record) -> bool:
        if record.kind == "hello":
            return self.additions.has_document
        return record.kind == "event"

    def _drop_next(self) -> None:
        self._queued -= self._waiting.popleft().size

    def _end(self) -> None:
        """Nothing is shown any more."""
        self._is_over = True
        self._waiting.clear()
        self._queued = 0
        self._sink.close()
        if self._subscription is not None:
            self._subscription.cancel()

    def _greet(self, record: Record, document: Document) -> None:
        """Pass a hello on, with the document or next to it."""
        held = self._held[record.encounter]
        held.document = document
        is_first, held.has_hello = not held.has_hello, True
        if not is_first:
            self._sink.write(record)
            self._sink.write(told_anew(record, "rights_changed", document))
        elif held.is_far:
            self._sink.write(record)
            self._sink.write(told_anew(record, "too_far_behind", document))
        elif held.is_resuming:
            digest = msgspec.json.encode(document.digest)
            self._sink.write(extended(record, b"document_sha256", digest))
        else:
            self._sink.write(extended(record, b"document", document.text))
