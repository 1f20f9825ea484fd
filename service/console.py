"""The terminal: results go to `out`, everything else to `err`."""

import re
import sys
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

out: Final = Console(highlight=False, soft_wrap=True)
err: Final = Console(stderr=True, highlight=False, soft_wrap=True)

AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, one object per line.")
]
"""The option of every command that has a result."""


_UNSAFE: Final = re.compile(
    "[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066\u2067]"
)


def escaped(text: str) -> str:
    """What others wrote, for a line of markup: none of it is read as markup or by the terminal.

    Control characters other than the line end, and those that turn the direction of writing, are
    shown as `\\u202e`.
    """
    return escape(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_json(value: object) -> None:
    """Print a result as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def tell_error(message: str) -> None:
    """Say on one line what went wrong; the message is not read as markup."""
    err.print(Text.assemble(("warlog: ", "bold red"), message))
