"""`warlog audit FILE --include`: what there is to tell of each event, as the service tells it."""

from collections.abc import Iterable
from typing import get_args

import typer

from service.console import escaped, out, print_json, tell_error
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
"""What can be told in lines; the rest is JSON."""


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
    lines: Iterable[bytes], order: BundleAuditOrder, audit: BundleAudit, *, as_json: bool
) -> Report:
    """Audit a bundle and tell of each event as it is judged; the report.

    Raises DamagedBundle, Malformed.
    """
    for _, record in audited(lines, order, audit):
        if isinstance(record, Report):
            if as_json:
                print_json(AuditConclusion(report=record))
            return record
        if isinstance(record, AuditedEvent):
            tell_event(record, as_json=as_json)
    raise AssertionError("an audit ends with its report")


def tell_event(record: AuditedEvent, *, as_json: bool) -> None:
    """One event: a record, or a line for each viewpoint."""
    if as_json:
        print_json(record)
        return
    verdict = record.verdict
    head = f"{verdict.seq:>6}  {verdict.verdict:<15}"
    if not record.views:
        out.print(head.rstrip())
    for view in record.views:
        whose = "" if len(record.views) == 1 else f"{view.viewpoint}: "
        told = view.narration if isinstance(view.narration, str) else ""
        out.print(f"{head}  {escaped(whose + told)}".rstrip())
