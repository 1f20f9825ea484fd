"""`warlog audit`: decide a battle again, event by event, and say where it differs."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO
from uuid import UUID

import typer
from msgspec import UNSET
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.cli.console import AsJson, err, out, print_json, tell_error
from service.cli.database import open_database, with_store
from service.cli.exits import Exit
from service.cli.garbage import collect_seldom
from service.cli.reporting import conclusion, exit_of, failure_lines, problem_line, tell
from service.eventstore.records import Cursor, EncounterRow
from service.eventstore.store import EventStore
from service.replay.auditing import audit_bundle, audit_row
from service.replay.reading import DamagedBundle
from service.replay.verdicts import EventVerdict, Report
from service.rulesets import RULESETS
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
        typer.Option(help="The key (64 hex digits) a bundle's receipt must be signed with."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Audit a bundle offline, or encounters in the database.

    A file is judged by nothing but what it contains; no database is touched. An encounter is
    judged with the service's own seed and every sealed part, so read its report as the GM's.

    Exits with 0 if all is clean, 1 if anything is wrong, 3 if something could not be judged (an
    unknown ruleset version) or reached.
    """
    if (target is None) != everything:
        tell_error("name a file or an encounter, or say --all")
        raise typer.Exit(Exit.USAGE)
    collect_seldom()
    if everything:
        raise typer.Exit(audit_all(as_json=as_json))
    report = audit_one(str(target), public_key)
    if as_json:
        print_json(report)
    else:
        tell(report)
    raise typer.Exit(exit_of(report))


def audit_one(target: str, public_key: str | None) -> Report:
    """Audit a file or an encounter. Exits where there is none, or no bundle in the file."""
    if target == "-" or Path(target).is_file():
        try:
            return audit_file(target, public_key)
        except DamagedBundle as damage:
            tell_error(f"{target} is no sound bundle: line {damage.line}, {damage.reason}")
            raise typer.Exit(Exit.WRONG) from None
    try:
        encounter = UUID(target)
    except ValueError:
        tell_error(f"{target} is neither a file nor an encounter's id")
        raise typer.Exit(Exit.USAGE) from None

    async def work(store: EventStore) -> Report | None:
        row = await store.log.head(encounter)
        return None if row is None else await audit_with_bar(store, row)

    with open_database(from_environment(os.environ)) as addresses:
        report = asyncio.run(with_store(addresses, work))
    if report is None:
        tell_error(f"there is no encounter {encounter}")
        raise typer.Exit(Exit.WRONG)
    return report


def audit_file(target: str, public_key: str | None) -> Report:
    """Audit a bundle; how far it is shows as bytes read. Raises DamagedBundle."""
    with opened(target) as (file, size), progress() as bar:
        task = bar.add_task("bytes", total=size)

        def lines() -> Iterator[bytes]:
            for line in file:
                yield line
                bar.advance(task, len(line))

        return audit_bundle(lines(), RULESETS, public_key=public_key)


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
    """A bar on standard error that is gone when the work is done; none where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar


async def audit_with_bar(store: EventStore, row: EncounterRow) -> Report:
    """Audit a stored encounter; how far it is shows as events judged."""
    with progress() as bar:
        task = bar.add_task("events", total=row.head_seq)

        def step(_: EventVerdict) -> None:
            bar.advance(task)

        return await audit_row(store, row, RULESETS, progress=step)


def audit_all(*, as_json: bool) -> Exit:
    """Audit every stored encounter: a line for each that is not clean, and a count."""

    async def work(store: EventStore) -> Exit:
        found = Exit.OK
        audited = 0
        with progress() as bar:
            task = bar.add_task("encounters", total=None)
            async for row in every_encounter(store):
                report = await audit_row(store, row, RULESETS)
                audited += 1
                bar.advance(task)
                found = worse(found, exit_of(report))
                if as_json:
                    print_json(report)
                elif not report.clean:
                    tell_briefly(report)
        if not as_json:
            out.print(f"{audited} encounters audited")
        return found

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
