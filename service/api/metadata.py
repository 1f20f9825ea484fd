"""Finds the metadata in a body and keeps them as they came.

How this works. Whatever is under the key `metadata` is its sender's own: any JSON object, with
keys, fractions and nulls that nothing else here has. So it is cut out of the text before the rest
is read, and a token is left in its place that nobody outside can know; the reader lays the text
itself there once it knows the path. An unescaped `"metadata"` before a colon is a key: a quotation
mark inside a string is escaped. A text that is no JSON is left alone: the reader says where it
breaks.
"""

import json
import re
import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct

KEY: Final = "metadata"

_LETTERS: Final = "".join(rf"(?:{letter}|\\u(?i:{ord(letter):04x}))" for letter in KEY)
_PLACE: Final = re.compile(rf'(?<!\\)"{_LETTERS}"[ \t\r\n]*:[ \t\r\n]*(?=\{{)')
_TOKEN: Final = secrets.token_hex(16)


class Stated(Struct, frozen=True):
    """Metadata as they came: `text`, and the `tree` it represents with all numbers as 0."""

    text: str
    tree: object


class Cut(Struct, frozen=True):
    """A text with tokens where metadata stood, and what stood there."""

    text: str
    stated: tuple[Stated, ...]

    def find(self, value: object) -> Stated | None:
        """What stood where this token is; None if it is no token."""
        if not isinstance(value, str) or not value.startswith(_TOKEN):
            return None
        return self.stated[int(value[len(_TOKEN) :])]


def cut(
    text: str,
    pairs: Callable[[list[tuple[str, object]]], object],
    constant: Callable[[str], object],
) -> Cut:
    """Cut all metadata out of a body.

    `pairs` makes an object of its members, `constant` whatever represents NaN and infinities.
    Raises RecursionError for an object that is nested too deep to be read.
    """
    scan = json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=_number,
        parse_float=_number,
        parse_constant=constant,
    ).raw_decode
    pieces: list[str] = []
    stated: list[Stated] = []
    behind = 0
    while (place := _PLACE.search(text, behind)) is not None:
        try:
            tree, end = scan(text, place.end())
        except json.JSONDecodeError:
            break
        pieces += [text[behind : place.end()], f'"{_TOKEN}{len(stated)}"']
        stated.append(Stated(text[place.end() : end], tree))
        behind = end
    return Cut("".join([*pieces, text[behind:]]), tuple(stated))


def _number(_: str) -> int:
    """Any number: metadata may hold every kind, and no value of one matters."""
    return 0
