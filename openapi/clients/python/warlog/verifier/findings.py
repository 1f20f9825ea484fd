"""What is found wrong, and how places and values are written in it."""

import json
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final, TypeAlias

from warlog.verifier.details import Detail, said

Step: TypeAlias = str | int
LONGEST_SHOWN: Final = 80
"""In UTF-16 units, as all implementations count them."""

_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")


class _Absent:
    """What is not there; JSON's null is None."""


ABSENT: Final = _Absent()


class Difference(Exception):
    """A difference that ends the check of an event or of the file.

    `code` is the word of the specification, `path` a place of an event as it writes it.
    """

    def __init__(self, code: str, detail: Detail, path: str | None = None) -> None:
        super().__init__(code, detail.told("en"))
        self.code = code
        self.detail = detail
        self.path = path


def path_text(steps: Sequence[Step], root: str = "$") -> str:
    """Steps as the specification writes them: `$.draws[0].face`."""
    return root + "".join(f"[{each}]" if type(each) is int else f".{each}" for each in steps)


def shown(value: Any) -> str | Detail:
    """A value in a message: its JSON, cut where it is long."""
    if isinstance(value, list | dict):
        return said("an object or array")
    if value is ABSENT:
        return said("nothing")
    text = _json_text(value)
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * LONGEST_SHOWN:
        return text
    return f"{units[: 2 * (LONGEST_SHOWN - 3)].decode('utf-16-le', 'replace')}..."


def well_formed(text: str) -> str:
    """A text in which no half of a surrogate pair is left, so that it can be written anywhere."""
    return _HALF_PAIR.sub("\ufffd", text)


def _json_text(value: Any) -> str:
    if isinstance(value, float):
        return _number_text(value)
    text = json.dumps(value, ensure_ascii=False)
    return _HALF_PAIR.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _number_text(value: float) -> str:
    """A number as RFC 8785 writes it."""
    if not math.isfinite(value):
        return "null"
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    digits, _, exponent = repr(value).partition("e")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"
