"""The audit of a stored log, as a job: see `service.jobs`.

How this works. The job is fed a line that says what is asked (`StoredAuditJob`), a line for each
event and each snapshot, and at last what is stored behind the log. Among them is the seed, as any
audit of the service's own needs it: it passes through a pipe and is written nowhere. The job knows
no address and no key of a signature. It says the report, in pieces.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.eventstore.records import Snapshot, StoredEvent
from service.eventstore.store import EventStore
from service.replay.audit.audit_records import lines_of
from service.replay.audit.audits import (
    AuditReader,
    StoredAuditPlan,
    ending_of,
    evidence_in,
    without_reasons,
)
from service.replay.audit.stored_audit import LogEnding, StoredAudit, StoredAuditOrder
from service.rulesets import RULESETS

JOB: Final = f"{__name__}:audit_fed"


class StoredAuditJob(Struct, frozen=True, kw_only=True):
    """The first line."""

    order: StoredAuditOrder
    reader: AuditReader


class EventLine(Struct, frozen=True, tag="event"):
    """The next event of the log."""

    event: StoredEvent


class SnapshotLine(Struct, frozen=True, tag="snapshot"):
    """The snapshot behind the last event."""

    snapshot: Snapshot


class EndingLine(Struct, frozen=True, tag="ending"):
    """The last line."""

    ending: LogEnding


_ORDERS: Final = msgspec.json.Decoder(StoredAuditJob)
_LINES: Final[msgspec.json.Decoder[EventLine | SnapshotLine | EndingLine]] = msgspec.json.Decoder(
    EventLine | SnapshotLine | EndingLine
)


async def lines_for(store: EventStore, plan: StoredAuditPlan) -> AsyncGenerator[bytes, None]:
    """What the job is fed, line by line, as it is read."""
    yield _line(StoredAuditJob(order=plan.order, reader=plan.reader))
    first, row = None, plan.order.row
    async with aclosing(evidence_in(store.log, row, store.snapshots)) as evidence:
        async for each in evidence:
            first = each if first is None else first
            yield _line(EventLine(each) if isinstance(each, StoredEvent) else SnapshotLine(each))
    ending = await ending_of(store.log, row, first)
    yield _line(EndingLine(replace(ending, can_be_rewritten=plan.can_be_rewritten)))


def _line(record: Struct) -> bytes:
    return msgspec.json.encode(record) + b"\n"


async def report_in(lines: AsyncIterator[bytes]) -> bytes:
    """The report (JSON) that a job said."""
    return b"".join([line[2:] async for line in lines])


def audit_fed(lines: BinaryIO) -> Iterator[bytes]:
    """The report, in pieces; to be read by `report_in`."""
    asked = _ORDERS.decode(lines.readline())
    audit = StoredAudit(RULESETS, asked.order, asked.reader.viewer_of)
    for line in lines:
        match _LINES.decode(line):
            case EventLine(event=event):
                audit.feed(event)
            case SnapshotLine(snapshot=snapshot):
                audit.feed(snapshot)
            case EndingLine(ending=ending):
                report = audit.report(ending)
                told = report if asked.order.viewer.is_gm else without_reasons(report)
                yield from lines_of("report", msgspec.json.encode(told))
