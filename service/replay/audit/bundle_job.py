"""The audit of an uploaded bundle, as a job: see `service.jobs`.

It is fed a line that says what is asked (`BundleAuditOrder`) and behind it the bundle. It knows
nothing but these: no seed, no key and no log of the service's own.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, BinaryIO, Final

import msgspec

from service.errors import Malformed
from service.replay.audit.audit_records import (
    ORDERS,
    AuditedEvent,
    AuditedView,
    AuditProgress,
    AuditRecordKind,
    BundleAuditOrder,
    BundleDamage,
    lines_of,
)
from service.replay.audit.bundle_audit import BundleAudit
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.bundle.reader import MAX_LINE_BYTES, DamagedBundle
from service.replay.report.verdicts import Report
from service.rulesets import RULESETS

AuditRecord = AuditProgress | AuditedEvent | Report

JOB: Final = f"{__name__}:audit_fed"

PROGRESS_EVENTS: Final = 200
"""Progress is told each time that so many events were judged."""


def audit_fed(lines: BinaryIO) -> Iterator[bytes]:
    """Every record of the audit, in pieces."""
    order = ORDERS.decode(lines.readline())
    try:
        keys = {kid: bytes.fromhex(key) for kid, key in order.keys.items()}
        kept = Kept(trusted=TrustedKeys(keys))
        audit = BundleAudit(RULESETS, kept, with_luck=order.luck)
        for kind, record in audited(bounded(lines), order, audit):
            yield from lines_of(kind, msgspec.json.encode(record))
    except DamagedBundle as damage:
        params = {name: damage.params[name] for name in damage.params.keys() - {"line", "reason"}}
        told = BundleDamage(line=damage.line, reason=damage.reason, params=params)
        yield from lines_of("damage", msgspec.json.encode(told))
    except Malformed as error:
        yield from lines_of("malformed", msgspec.json.encode(error.params))


def bounded(lines: BinaryIO) -> Iterator[bytes]:
    """The lines of a bundle, of which none is read much further than one may be long."""
    return iter(lambda: lines.readline(MAX_LINE_BYTES + 1), b"")


def audited(
    lines: Iterable[bytes], order: BundleAuditOrder, audit: BundleAudit
) -> Iterator[tuple[AuditRecordKind, AuditRecord]]:
    """The records of an audit: progress, events if they are asked for, then the report.

    Raises DamagedBundle, Malformed for a viewpoint that the bundle's parts do not allow.
    """
    views = _viewing(order)
    events = length = 0
    for line in lines:
        length += len(line)
        verdict = audit.feed(line)
        if verdict is None:
            continue
        events += 1
        if order.include:
            yield "event", AuditedEvent(verdict=verdict, views=views(audit, verdict.seq))
        if events % PROGRESS_EVENTS == 0:
            yield "progress", AuditProgress(events=events, bytes=length)
    report = audit.report()
    yield "progress", AuditProgress(events=events, bytes=length)
    yield "report", report


def _viewing(order: BundleAuditOrder) -> Callable[[BundleAudit, int], tuple[AuditedView, ...]]:
    """What makes the views behind an event, if there is more to show than verdicts."""
    if not {*order.include} - {"verdict"}:
        return lambda audit, seq: ()
    # Takes longer to import than many a bundle to audit.
    views: Any = import_module("service.replay.audit.bundle_views")
    after: Callable[[BundleAudit, int], tuple[AuditedView, ...]] = views.BundleViews(order).after
    return after
