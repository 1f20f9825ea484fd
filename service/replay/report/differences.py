"""Where two JSON values first differ, in document order with keys sorted, and which die does."""

from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.log import canonical

UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding raises for bytes of another shape, no JSON, no UTF-8, or nested too deeply."""

MOST_SHOWN: Final = 500
"""Bytes of a JSON value that is shown whole."""


class DrawDifference(Struct, frozen=True, kw_only=True):
    """A die that the record has otherwise than the dice and the rules give it.

    `purpose` and `sides` are those of the rules, of a die that they do not roll those stored.
    """

    stream: int
    """Dice stream: 0 public, 1 and up the sides in their order, 255 the game master's."""
    number: int
    """Place of the draw within its stream of this event, from 1."""
    purpose: str
    """What the die is rolled for."""
    sides: int
    """Sides of the die."""
    stored: int | UnsetType = UNSET
    """Face that the log has; absent where it has no such draw."""
    recomputed: int | UnsetType = UNSET
    """Face that it should be; absent where the rules roll no such die or nobody can tell the face.
    """


@dataclass(frozen=True, slots=True)
class Difference:
    """A path and the two values there; a value that is not there is UNSET, a long one a string.

    `draw` is the first die that differs, there or elsewhere.
    """

    path: str
    stored: Raw | UnsetType
    recomputed: Raw | UnsetType
    draw: DrawDifference | UnsetType = UNSET


def first_difference(stored: object, recomputed: object, path: str = "$") -> Difference | None:
    """The first place where two trees of JSON values differ; None if they are the same."""
    if isinstance(stored, dict) and isinstance(recomputed, dict):
        return _among_members(stored, recomputed, path)
    if isinstance(stored, list) and isinstance(recomputed, list):
        return _among_elements(stored, recomputed, path)
    # True == 1 in Python, not in JSON.
    if type(stored) is type(recomputed) and stored == recomputed:
        return None
    return difference(path, stored, recomputed)


def difference(path: str, stored: object, recomputed: object) -> Difference:
    """The difference between two values; UNSET stands for none."""
    return Difference(path=path, stored=_raw(stored), recomputed=_raw(recomputed))


def shortened(value: Raw) -> Raw:
    """A JSON value to be shown; in the place of a long one a string with its beginning and `…`."""
    encoded = bytes(value)
    if len(encoded) <= MOST_SHOWN:
        return value
    beginning = encoded[:MOST_SHOWN].decode(errors="ignore")
    return Raw(msgspec.json.encode(f"{beginning}…"))


def _among_members(
    stored: dict[str, object], recomputed: dict[str, object], path: str
) -> Difference | None:
    for name in sorted(stored.keys() | recomputed.keys()):
        first, second = stored.get(name, UNSET), recomputed.get(name, UNSET)
        differs = first_difference(first, second, f"{path}.{name}")
        if differs is not None:
            return differs
    return None


def _among_elements(stored: list[object], recomputed: list[object], path: str) -> Difference | None:
    for index in range(max(len(stored), len(recomputed))):
        first = stored[index] if index < len(stored) else UNSET
        second = recomputed[index] if index < len(recomputed) else UNSET
        differs = first_difference(first, second, f"{path}[{index}]")
        if differs is not None:
            return differs
    return None


def _raw(value: object) -> Raw | UnsetType:
    """The value as JSON to be shown; `"?"` for one that canonical JSON cannot hold."""
    if value is UNSET:
        return UNSET
    try:
        return shortened(Raw(canonical.encode(value)))
    except (canonical.NotCanonical, msgspec.EncodeError, TypeError, OverflowError, RecursionError):
        return Raw(b'"?"')
