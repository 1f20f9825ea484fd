"""`warlog openapi`: write the published contract, or see whether it is up to date."""

from pathlib import Path
from typing import Annotated

import typer

from service.api.openapi import asyncapi
from service.api.openapi.document import document_bytes
from service.cli.console import out, tell_error
from service.cli.exits import Exit
from service.rulesets import RULESETS

PUBLISHED = Path("openapi")


def openapi(
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if one is out of date.")
    ] = False,
    folder: Annotated[
        Path, typer.Option(help="Where to write them, or what to compare with.")
    ] = PUBLISHED,
) -> None:
    """Write this build's OpenAPI and AsyncAPI documents; needs no database."""
    rulesets = tuple(RULESETS.values())
    documents = {
        folder / "openapi.json": document_bytes(rulesets),
        folder / "asyncapi.json": asyncapi.document_bytes(rulesets),
    }
    if check:
        _compare(documents)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for file, body in documents.items():
        file.write_bytes(body)
        out.print(f"wrote {file}")


def _compare(documents: dict[Path, bytes]) -> None:
    """Tell of each whether it is up to date. Raises Exit if one is not."""
    old = [
        file for file, body in documents.items() if not file.is_file() or file.read_bytes() != body
    ]
    for file in documents:
        if file in old:
            tell_error(f"{file} is out of date; run 'warlog openapi'")
        else:
            out.print(f"{file} is up to date")
    if old:
        raise typer.Exit(Exit.WRONG)
