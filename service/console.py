"""The terminal: results go to `out`, everything else to `err`."""

import sys
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.text import Text

out: Final = Console(highlight=False, soft_wrap=True)
err: Final = Console(stderr=True, highlight=False, soft_wrap=True)

AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, one object per line.")
]
"""The option of every command that has a result."""


def print_json(value: object) -> None:
    """Print a result as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def tell_error(message: str) -> None:
    """Say on one line what went wrong; the message is not read as markup."""
    err.print(Text.assemble(("warlog: ", "bold red"), message))
