"""What people wrote, as it may stand within a sentence of the service."""

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})


def plain(text: str) -> str:
    """A text without control characters, line ends and marks of direction.

    So that a name can neither end a line nor pretend to be something else.
    """
    return "".join(each for each in text if unicodedata.category(each) not in _UNSAFE).strip()


def in_one_line(text: str, longest: int) -> str:
    """A text of several lines in one, cut short behind `longest` letters."""
    line = plain(" ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
