"""Where two JSON values first differ, in document order with keys sorted."""

from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from service.engine.log import canonical

UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding raises for bytes of another shape, no JSON, no UTF-8, or nested too deeply."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A path and the two values there; a value that is not there is UNSET."""

    path: str
    stored: Raw | UnsetType
    recomputed: Raw | UnsetType


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
        return Raw(canonical.encode(value))
    except (canonical.NotCanonical, msgspec.EncodeError, TypeError, OverflowError, RecursionError):
        return Raw(b'"?"')
