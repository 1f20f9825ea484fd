"""`warlog openapi`: write the published contract, or see whether it is up to date.

The clients' copies of the places of text are written with it.
"""

from pathlib import Path
from typing import Annotated

import typer

from service.api.docs.text_places import client_copies
from service.api.openapi import asyncapi
from service.api.openapi.document import document_bytes
from service.api.routes import CALLS
from service.console import AsJson, out, print_json, tell_error
from service.exits import Exit
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
    as_json: AsJson = False,
) -> None:
    """Write this build's OpenAPI and AsyncAPI documents, and the clients' table of places of text.

    Needs no database.
    """
    rulesets = tuple(RULESETS.values())
    documents = {
        folder / "openapi.json": document_bytes(CALLS, rulesets),
        folder / "asyncapi.json": asyncapi.document_bytes(rulesets),
        **{folder / file: body for file, body in client_copies(RULESETS).items()},
    }
    current = {
        file: file.is_file() and file.read_bytes() == body for file, body in documents.items()
    }
    if not check:
        for file, body in documents.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body)
    for file, was_current in current.items():
        if as_json:
            print_json({"file": str(file), "was_current": was_current, "written": not check})
        elif not check:
            out.print(f"wrote {file}")
        elif was_current:
            out.print(f"{file} is up to date")
        else:
            tell_error(f"{file} is out of date; run 'warlog openapi'")
    if check and not all(current.values()):
        raise typer.Exit(Exit.WRONG)
