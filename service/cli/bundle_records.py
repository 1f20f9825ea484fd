"""`warlog audit FILE --include`: what there is to tell of each event, as the service shows it.

How this works. As JSON each event is shown as soon as it is judged, and the report is the last
record. In words the verdict comes first, so the lines of the events wait in a file meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import get_args

import typer

from service.console import escaped, print_json, tell_error
from service.engine.vocabulary.catalogue import Language
from service.exits import Exit
from service.replay.audit.audit_records import (
    AuditConclusion,
    AuditedEvent,
    BundleAuditOrder,
    Inclusion,
)
from service.replay.audit.bundle_audit import BundleAudit
from service.replay.audit.bundle_job import audited
from service.replay.report.verdicts import Report

TEXTS: frozenset[Inclusion] = frozenset({"verdict", "narration"})
"""What can be reported in lines; the rest is JSON."""


def order_of(
    include: str, viewpoint: str | None, language: Language, *, as_json: bool
) -> BundleAuditOrder:
    """What is asked for, of words with commas between. Exits where there is no such thing."""
    known: tuple[Inclusion, ...] = get_args(Inclusion)
    words = [word.strip() for word in include.split(",")]
    chosen = tuple(each for each in known if each in words)
    if not chosen or {*words} - {*known}:
        tell_error(f"--include takes {', '.join(known)}, with commas between")
        raise typer.Exit(Exit.USAGE)
    if not as_json and {*chosen} - TEXTS:
        tell_error("--include state, table, scene and explanation need --json")
        raise typer.Exit(Exit.USAGE)
    viewpoints = () if viewpoint is None else tuple(dict.fromkeys(viewpoint.split(",")))
    return BundleAuditOrder(include=chosen, viewpoints=viewpoints, language=language)


def tell_records(
    lines: Iterable[bytes],
    order: BundleAuditOrder,
    audit: BundleAudit,
    tell: Callable[[AuditedEvent | AuditConclusion], None],
) -> Report:
    """Audit a bundle and tell of each event as it is judged, then of the report; the report.

    Raises DamagedBundle, Malformed.
    """
    for _, record in audited(lines, order, audit):
        if isinstance(record, Report):
            tell(AuditConclusion(report=record))
            return record
        if isinstance(record, AuditedEvent):
            tell(record)
    raise AssertionError("an audit ends with its report")


def print_record(record: AuditedEvent | AuditConclusion) -> None:
    """One record as a line of JSON."""
    print_json(record)


def record_lines(record: AuditedEvent | AuditConclusion) -> Iterator[str]:
    """One event in words, a line for each viewpoint; nothing for the report."""
    if isinstance(record, AuditConclusion):
        return
    verdict = record.verdict
    head = f"{verdict.seq:>6}  {verdict.verdict:<15}"
    if not record.views:
        yield head.rstrip()
    for view in record.views:
        whose = "" if len(record.views) == 1 else f"{view.viewpoint}: "
        told = view.narration if isinstance(view.narration, str) else ""
        yield f"{head}  {escaped(whose + told)}".rstrip()
