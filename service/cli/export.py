"""`warlog export`: write the bundle of an encounter to a file."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from service.app import signer_of
from service.cli.audit import progress
from service.cli.database import open_database, with_store
from service.console import AsJson, err, print_json, tell_error
from service.errors import NotFound
from service.eventstore.store import EventStore
from service.exits import Exit
from service.replay.bundle.writer import bundle_lines, export_of, terms_of, viewer_named
from service.settings import from_environment


def export(
    encounter: Annotated[UUID, typer.Argument(help="The encounter's id.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to write [default: warlog-ENCOUNTER.ndjson]."),
    ] = None,
    viewer: Annotated[
        str, typer.Option(help="Whose parts to write: gm, observer or side:ID.")
    ] = "gm",
    *,
    as_json: AsJson = False,
) -> None:
    """Write a bundle: one file with everything needed to audit a battle offline.

    A GM's bundle holds every sealed part, so hand it only to those who may know everything. The
    seed is in it once it was revealed, the seal key never. Check it with 'warlog audit FILE'.
    """
    settings = from_environment(os.environ)
    path = output or Path(f"warlog-{encounter}.ndjson")

    async def work(store: EventStore) -> int:
        row = await store.log.head(encounter)
        if row is None:
            tell_error(f"there is no encounter {encounter}")
            raise typer.Exit(Exit.WRONG)
        terms = await terms_of(store.log, row)
        try:
            reader = viewer_named(viewer, terms)
        except NotFound as unknown:
            tell_error(f"there is no viewer {viewer!r}; there are {unknown.params['allowed']}")
            raise typer.Exit(Exit.USAGE) from None
        secret = await store.log.secret(encounter)
        signer = await signer_of(store, settings.signing_key)
        lines = bundle_lines(store.log, export_of(row, secret, terms, reader), signer)
        try:
            await written(path, lines, row.head_seq)
        except OSError as error:
            tell_error(f"cannot write {path} ({error.strerror}); name another file with -o")
            raise typer.Exit(Exit.USAGE) from None
        return row.head_seq

    with open_database(settings) as addresses:
        events = asyncio.run(with_store(addresses, work))
    if as_json:
        print_json({"file": str(path), "events": events})
    else:
        err.print(f"{path}: {events} events")


async def written(path: Path, lines: AsyncIterator[bytes], events: int) -> None:
    """Write the lines; the file appears under its name only when it is whole."""
    begun = path.with_name(path.name + ".part")
    try:
        with begun.open("wb") as file, progress() as bar:
            task = bar.add_task("events", total=events)
            async for line in lines:
                file.write(line)
                bar.advance(task)
        begun.replace(path)
    finally:
        begun.unlink(missing_ok=True)
