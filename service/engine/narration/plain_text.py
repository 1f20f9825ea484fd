"""What people wrote, as it may stand within a sentence of the service."""

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_ISOLATE: Final = "\u2068"
_END: Final = "\u2069"


def plain(text: str) -> str:
    """A text without control characters, line ends and marks of direction.

    So that a name can neither end a line nor pretend to be something else.
    """
    return "".join(each for each in text if unicodedata.category(each) not in _UNSAFE).strip()


def isolated(text: str) -> str:
    """A plain text between U+2068 and U+2069 if it has letters that are written from the right.

    So that they do not turn the numbers and signs of the sentence around them.
    """
    if text.isascii() or not any(map(_is_from_the_right, text)):
        return text
    return f"{_ISOLATE}{text}{_END}"


def in_one_line(text: str, longest: int) -> str:
    """A text of several lines in one, cut short behind `longest` letters, and isolated."""
    line = plain(" ".join(text.split()))
    return isolated(line if len(line) <= longest else f"{line[: longest - 1]}…")


def _is_from_the_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT
