"""The answer to an uploaded bundle: what its audit shows, as it shows it.

How this works. The bundle goes through this process piece by piece into a job, and what the job
says goes out as it is; neither is ever whole here. Nothing goes out before the first record, so
that a body that is no bundle is answered with an ordinary problem. Meanwhile it is waited for the
client to be gone: then the job is ended.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, NoReturn, cast

import msgspec
from litestar.types import Receive, Scope, Send
from litestar.types.asgi_types import HTTPScope
from msgspec import Raw, Struct

from service.api.call import EVENT_STREAM, JSON, NDJSON
from service.api.headers import Pair
from service.api.response import refused
from service.api.services import Services
from service.api.streaming.attended import attended
from service.api.streaming.audit_failures import audit_failure, audit_memory, too_long
from service.api.streaming.streamed_body import StreamedBody
from service.api.streaming.transport import LINE, ChunkedLine
from service.encounters.principal import Principal
from service.errors import Malformed, Refused, WarlogError
from service.jobs.jobs import WAIT_SECONDS
from service.replay.audit.audit_records import (
    DAMAGES,
    MALFORMED,
    AuditRecordKind,
    BundleAuditOrder,
    piece_in,
)
from service.replay.audit.bundle_job import JOB
from service.replay.bundle.reader import DamagedBundle

_BEGINNING: Final = b"{"
_SPARE_SECONDS: Final = 30
"""What a client may take beyond the time of the audit to read its end."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How a media type writes records: what is before and behind each, and which it has."""

    media_type: str
    kinds: tuple[AuditRecordKind, ...]
    before: str = ""
    behind: str = ""
    is_wrapped: bool = True

    def head(self, kind: AuditRecordKind) -> bytes:
        wrapped = '{"type":"report","report":' if kind == "report" and self.is_wrapped else ""
        return self.before.format(kind=kind).encode() + wrapped.encode()

    def tail(self, kind: AuditRecordKind) -> bytes:
        wrapped = "}" if kind == "report" and self.is_wrapped else ""
        return wrapped.encode() + self.behind.encode()


_ALL: Final[tuple[AuditRecordKind, ...]] = ("progress", "event", "report")
_FORMS: Final = {
    JSON: _Form(media_type=JSON, kinds=("report",), is_wrapped=False),
    NDJSON: _Form(media_type=NDJSON, kinds=_ALL, behind="\n"),
    EVENT_STREAM: _Form(
        media_type=EVENT_STREAM, kinds=_ALL, before="event: {kind}\ndata: ", behind="\n\n"
    ),
}


_HEAD: Final[tuple[Pair, ...]] = (
    (b"cache-control", b"no-store, no-transform"),
    (b"vary", b"Authorization, Accept, Accept-Language, Warlog-Seat, Origin"),
    # Proxies are not to gather what is shown.
    (b"x-accel-buffering", b"no"),
)


class AuditFailure(Struct, frozen=True, kw_only=True, tag_field="type", tag="problem"):
    """The last record of an audit that could not be finished."""

    problem: Raw
    """What would have been answered, had nothing been shown before."""


class AuditStream:
    """The answer to one bundle: an ASGI application."""

    def __init__(
        self, services: Services, who: Principal, order: BundleAuditOrder, media_type: str
    ) -> None:
        self._services = services
        self._who = who
        self._order = order
        self._form = _FORMS[media_type]
        self._has_begun = False
        self._is_within = False
        self._unfinished = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve it to its end.

        Raises TooMany, Unavailable, DamagedBundle, Malformed, Refused, TooLarge, RequestTimeout
        before anything went out; later ones are the last record.
        """
        limits, request = self._services.limits, cast(HTTPScope, scope)
        body = StreamedBody(
            request,
            receive,
            limit=limits.audit_bytes,
            seconds=limits.request_seconds,
            longest=limits.audit_seconds,
        )
        line: ChunkedLine = scope["state"][LINE]
        line.expect_life()
        # Who has the whole answer may ask again at once: the end is sent when the place is free.
        failure = await self._failure(body, send)
        if failure is None:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif isinstance(failure, TimeoutError):
            # Whoever reads so slowly is shown nothing more.
            self._require_nothing_told(self._too_long())
            line.cut()
        else:
            await self._fail(request, failure, send, line)

    async def _failure(self, body: StreamedBody, send: Send) -> WarlogError | TimeoutError | None:
        """Answer but for the end; what went wrong. Raises TooMany."""
        longest = self._services.limits.audit_seconds + WAIT_SECONDS + _SPARE_SECONDS
        aside = self._services.concurrency.aside()
        with self._services.audits.place(self._who), aside:
            try:
                async with asyncio.timeout(longest):
                    await attended(self._tell(body, send), body.left())
            except (WarlogError, TimeoutError) as failure:
                return failure
        return None

    async def _tell(self, body: StreamedBody, send: Send) -> None:
        """Tell what the job says."""
        pieces = aiter(body.pieces())
        first = await anext(pieces, b"")
        if not first.startswith(_BEGINNING):
            # What is none at first sight needs no process.
            raise DamagedBundle(1, "unreadable" if first else "truncated")
        async with aclosing(self._lines(first, pieces)) as lines:
            async for line in lines:
                kind, is_last, piece = piece_in(line)
                await self._pass_on(kind, is_last, piece, send)

    def _lines(self, first: bytes, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        order = msgspec.json.encode(self._order) + b"\n"

        async def fed() -> AsyncIterator[bytes]:
            yield order
            yield first
            async for piece in pieces:
                yield piece

        seconds = self._services.limits.audit_seconds
        return self._services.jobs.run(
            JOB,
            fed(),
            seconds=seconds,
            memory_bytes=audit_memory(self._services.limits.audit_bytes),
            source="client",
            tenant=str(self._who.tenant),
        )

    async def _pass_on(
        self, kind: AuditRecordKind, is_last: bool, piece: bytes, send: Send
    ) -> None:
        """Send a piece of a record. Raises DamagedBundle, Malformed."""
        if kind in ("damage", "malformed"):
            # Also one that is longer than a piece.
            self._unfinished += piece
            if is_last:
                self._raise(kind, self._unfinished)
            return
        form = self._form
        if kind not in form.kinds:
            return
        await self._begin(send)
        head = b"" if self._is_within else form.head(kind)
        tail = form.tail(kind) if is_last else b""
        self._is_within = not is_last
        await send({"type": "http.response.body", "body": head + piece + tail, "more_body": True})

    def _raise(self, kind: AuditRecordKind, record: bytes) -> NoReturn:
        """Raises DamagedBundle or Malformed, as the job shows it."""
        if kind == "damage":
            damage = DAMAGES.decode(record)
            raise DamagedBundle(damage.line, damage.reason, **damage.params)
        raise Malformed(**MALFORMED.decode(record))

    async def _begin(self, send: Send) -> None:
        if not self._has_begun:
            self._has_begun = True
            head = [*_HEAD, (b"content-type", self._form.media_type.encode())]
            await send({"type": "http.response.start", "status": 200, "headers": head})

    async def _fail(
        self, scope: HTTPScope, error: WarlogError, send: Send, line: ChunkedLine
    ) -> None:
        """Tell an error as the last record; raise it where nothing went out yet.

        An answer that is broken off within a record is cut, so that nobody takes it for whole.
        """
        told = self._told(error)
        self._require_nothing_told(told)
        if self._is_within or not self._form.is_wrapped:
            line.cut()
            return
        problem = AuditFailure(problem=Raw(refused(scope, told, self._services).body))
        body = b"".join(
            (
                self._form.before.format(kind="problem").encode(),
                msgspec.json.encode(problem),
                self._form.behind.encode(),
            )
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _require_nothing_told(self, error: WarlogError) -> None:
        """Raises the error while it can be answered as a problem."""
        if not self._has_begun:
            raise error

    def _told(self, error: WarlogError) -> WarlogError:
        """What became of the job, as the client is shown it."""
        return audit_failure(error, self._services.limits)

    def _too_long(self) -> Refused:
        return too_long(self._services.limits)
