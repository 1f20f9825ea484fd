"""The two places a command may write to: results go to `out`, everything else to `err`."""

from typing import Final

from rich.console import Console
from rich.text import Text

out: Final = Console(highlight=False, soft_wrap=True)
err: Final = Console(stderr=True, highlight=False, soft_wrap=True)


def tell_error(message: str) -> None:
    """Say on one line what went wrong; the message is not read as markup."""
    err.print(Text.assemble(("warlog: ", "bold red"), message))
