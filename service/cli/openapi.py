"""`warlog openapi`: write the published contract, or see whether it is up to date."""

from pathlib import Path
from typing import Annotated

import typer

from service.api.openapi.document import document_bytes
from service.cli.console import out, tell_error
from service.cli.exits import Exit
from service.rulesets import RULESETS

PUBLISHED = Path("openapi") / "openapi.json"


def openapi(
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if it is out of date.")
    ] = False,
    output: Annotated[
        Path, typer.Option(help="The file to write, or to compare with.")
    ] = PUBLISHED,
) -> None:
    """Write the OpenAPI document of this build; needs no database."""
    body = document_bytes(tuple(RULESETS.values()))
    if check:
        if not output.is_file() or output.read_bytes() != body:
            tell_error(f"{output} is out of date; run 'warlog openapi'")
            raise typer.Exit(Exit.WRONG)
        out.print(f"{output} is up to date")
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(body)
    out.print(f"wrote {output}")
