"""`warlog audit`: decide a battle again, event by event, and say where it differs."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, NamedTuple
from uuid import UUID

import typer
from msgspec import UNSET
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.cli.database import open_database, with_store
from service.cli.kept_receipts import UnreadableReceipts, receipts_in
from service.cli.reporting import conclusion, exit_of, failure_lines, problem_line, write_report
from service.console import AsJson, err, out, print_json, tell_error
from service.eventstore.records import Cursor, EncounterRow
from service.eventstore.store import EventStore
from service.exits import Exit
from service.replay.audit.audits import audit_bundle, audit_row, witness_of
from service.replay.audit.receipt_check import KeptReceipt, Witness
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import EventVerdict, Report
from service.rulesets import RULESETS
from service.server.garbage_collection import collect_seldom
from service.settings import from_environment

PAGE = 100


def audit(
    target: Annotated[
        str | None,
        typer.Argument(help="A bundle's file (- for standard input), or an encounter's id."),
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Audit every stored encounter of every tenant.")
    ] = False,
    public_key: Annotated[
        str | None,
        typer.Option(help="The key (64 hex digits) that receipts must be signed with."),
    ] = None,
    receipts: Annotated[
        Path | None,
        typer.Option(
            help="A file of receipts that a client kept, one to a line, to hold against the log;"
            " without a target, against the log of every encounter that they name."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Audit a bundle offline, or encounters in the database.

    A file is judged by nothing but what it contains; no database is touched. An encounter is
    judged with the service's own seed and every sealed part, so read its report as the GM's.

    What was rewritten as a whole, or cut off at the end, no audit of the log alone can find: that
    is what receipts are for. Those of a bundle are checked with the key in it, unless --public-key
    names the one that you have from elsewhere.

    Exits with 0 if all is clean, 1 if anything is wrong, 3 if something could not be judged (an
    unknown ruleset version) or reached.
    """
    if [target is not None or receipts is not None, everything].count(True) != 1:
        tell_error("name a file or an encounter, or --receipts, or say --all by itself")
        raise typer.Exit(Exit.USAGE)
    collect_seldom()
    if everything:
        raise typer.Exit(audit_all(as_json=as_json))
    kept = Kept(() if receipts is None else read_receipts(receipts), checked_key(public_key))
    if target is None:
        raise typer.Exit(audit_named(kept, as_json=as_json))
    report = audit_one(target, kept)
    print_report(report, as_json=as_json)
    raise typer.Exit(exit_of(report))


class Kept(NamedTuple):
    """What the reader has from elsewhere: receipts, and the key that signs (hex), if any."""

    receipts: tuple[KeptReceipt, ...] = ()
    public_key: str | None = None


def checked_key(public_key: str | None) -> str | None:
    """The key as the service writes it. Exits where it is none."""
    if public_key is None or re.fullmatch("[0-9A-Fa-f]{64}", public_key):
        return public_key and public_key.lower()
    tell_error("--public-key takes 64 hex digits, as /.well-known/warlog-keys.json lists them")
    raise typer.Exit(Exit.USAGE)


def read_receipts(path: Path) -> tuple[KeptReceipt, ...]:
    """The receipts of a file. Exits where there is none, or something else in it."""
    try:
        return receipts_in(path)
    except OSError as error:
        tell_error(f"{path} cannot be read: {error.strerror}")
    except UnreadableReceipts as unreadable:
        tell_error(f"{path}, {unreadable.where}: {unreadable.why}")
    raise typer.Exit(Exit.USAGE)


def print_report(report: Report, *, as_json: bool) -> None:
    """The report for people or for scripts."""
    if as_json:
        print_json(report)
    else:
        write_report(report)


def audit_named(kept: Kept, *, as_json: bool) -> Exit:
    """Audit every encounter that receipts name, each with its own."""
    named: dict[str, list[KeptReceipt]] = {}
    for receipt in kept.receipts:
        named.setdefault(receipt.encounter, []).append(receipt)

    async def work(store: EventStore) -> Exit:
        worst = Exit.OK
        for encounter, own in named.items():
            report = await audit_id(store, encounter, kept._replace(receipts=tuple(own)))
            if report is None:
                worst = worse(worst, Exit.WRONG)
                tell_error(f"there is no encounter {encounter}, of which receipts were kept")
                continue
            worst = worse(worst, exit_of(report))
            print_report(report, as_json=as_json)
        return worst

    with open_database(from_environment(os.environ)) as addresses:
        return asyncio.run(with_store(addresses, work))


async def audit_id(store: EventStore, encounter: str, kept: Kept) -> Report | None:
    """Audit the encounter of this id; None if there is none, any more or at all."""
    try:
        row = await store.log.head(UUID(encounter))
    except ValueError:
        return None
    if row is None:
        return None
    witness = await witness_of(store, kept.receipts, public_key=kept.public_key)
    return await audit_with_bar(store, row, witness)


def audit_one(target: str, kept: Kept) -> Report:
    """Audit a file or an encounter. Exits where there is none, or no bundle in the file."""
    if target == "-" or Path(target).is_file():
        try:
            return audit_file(target, kept)
        except DamagedBundle as damage:
            tell_error(f"{target} is no sound bundle: line {damage.line}, {damage.reason}")
            raise typer.Exit(Exit.WRONG) from None
    try:
        encounter = UUID(target)
    except ValueError:
        tell_error(f"{target} is neither a file nor an encounter's id")
        raise typer.Exit(Exit.USAGE) from None

    async def work(store: EventStore) -> Report | None:
        return await audit_id(store, str(encounter), kept)

    with open_database(from_environment(os.environ)) as addresses:
        report = asyncio.run(with_store(addresses, work))
    if report is None:
        tell_error(f"there is no encounter {encounter}")
        raise typer.Exit(Exit.WRONG)
    return report


def audit_file(target: str, kept: Kept) -> Report:
    """Audit a bundle; how far it is shows as bytes read. Raises DamagedBundle."""
    with opened(target) as (file, size), progress() as bar:
        task = bar.add_task("bytes", total=size)

        def lines() -> Iterator[bytes]:
            for line in file:
                yield line
                bar.advance(task, len(line))

        return audit_bundle(lines(), RULESETS, public_key=kept.public_key, receipts=kept.receipts)


@contextmanager
def opened(target: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """The bytes of a file or of standard input, and how many there are if that is known."""
    if target == "-":
        yield sys.stdin.buffer, None
        return
    path = Path(target)
    with path.open("rb") as file:
        yield file, path.stat().st_size


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar on standard error, gone when the work is done; none where that is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar


async def audit_with_bar(store: EventStore, row: EncounterRow, witness: Witness) -> Report:
    """Audit a stored encounter; how far it is shows as events judged."""
    with progress() as bar:
        task = bar.add_task("events", total=row.head_seq)

        def step(_: EventVerdict) -> None:
            bar.advance(task)

        return await audit_row(store, row, RULESETS, progress=step, witness=witness)


def audit_all(*, as_json: bool) -> Exit:
    """Audit every stored encounter: a line for each that is not clean, and a count."""

    async def work(store: EventStore) -> Exit:
        worst = Exit.OK
        audited = 0
        with progress() as bar:
            task = bar.add_task("encounters", total=None)
            async for row in every_encounter(store):
                report = await audit_row(store, row, RULESETS)
                audited += 1
                bar.advance(task)
                worst = worse(worst, exit_of(report))
                if as_json:
                    print_json(report)
                elif not report.clean:
                    tell_briefly(report)
        if not as_json:
            out.print(f"{audited} encounters audited")
        return worst

    with open_database(from_environment(os.environ)) as addresses:
        return asyncio.run(with_store(addresses, work))


async def every_encounter(store: EventStore) -> AsyncIterator[EncounterRow]:
    """All encounters, tenant by tenant, oldest first."""
    for tenant in await store.access.tenants():
        after: Cursor | None = None
        while page := await store.log.encounters(tenant.id, after=after, limit=PAGE):
            for row in page:
                yield row
            after = Cursor(created_at=page[-1].created_at, id=page[-1].id)


def worse(first: Exit, second: Exit) -> Exit:
    """Something wrong outweighs something unavailable."""
    return next(
        (each for each in (Exit.WRONG, Exit.UNAVAILABLE) if each in (first, second)), Exit.OK
    )


def tell_briefly(report: Report) -> None:
    """An encounter that is not clean, among many."""
    out.print(f"{escape(report.encounter)}: {conclusion(report)}")
    if report.first_failure is not UNSET:
        for line in failure_lines(report.first_failure):
            out.print(f"  {line}")
    for problem in report.problems:
        out.print(f"  {problem_line(problem)}")
