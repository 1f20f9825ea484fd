"""What changes of the ground: changes that everyone knows, and secret ones laid over them.

Each change states its part of the ground whole, so the last one of a part counts; `key` names the
part. Changes are kept sorted by key, so that equal ground has equal bytes.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from msgspec import UNSET, UnsetType

T = TypeVar("T")
K = TypeVar("K", str, int, tuple[str, int, int])
"""What names a part of the ground: an id, a row or column, or its kind, column and row."""

GridKey = tuple[str, int, int]
"""What names a cell (`cell`) or a border (`h`, `v`) of a grid: kind, x, y."""


class OnGrid(Protocol):
    """What lies in a cell."""

    @property
    def x(self) -> int:
        """Column."""

    @property
    def y(self) -> int:
        """Row."""


class BesideCell(OnGrid, Protocol):
    """What lies on a side of a cell."""

    @property
    def axis(self) -> str:
        """`v` its west side, `h` its north side."""


class GridChange(Protocol):
    """A change of one cell or one border, exactly one of which it states."""

    @property
    def cell(self) -> OnGrid | UnsetType:
        """The cell."""

    @property
    def border(self) -> BesideCell | UnsetType:
        """The border."""


def key_on_grid(change: GridChange) -> GridKey:
    """The cell or border that a change is about."""
    if change.cell is not UNSET:
        return "cell", change.cell.x, change.cell.y
    if change.border is not UNSET:
        return change.border.axis, change.border.x, change.border.y
    raise ValueError("a terrain change names a cell or a border")


FEW: Final = 8
"""How many times as many earlier changes there are where later ones are few."""


def overlay(before: tuple[T, ...], after: tuple[T, ...], key: Callable[[T], K]) -> tuple[T, ...]:
    """Earlier changes, sorted, with later ones in their place."""
    if len(after) < len(before) // FEW:
        return _inserted(before, after, key)
    by_key = {key(change): change for change in (*before, *after)}
    return tuple(by_key[part] for part in sorted(by_key))


def _inserted(before: tuple[T, ...], after: tuple[T, ...], key: Callable[[T], K]) -> tuple[T, ...]:
    """The same for a few changes laid over many: each is looked for."""
    laid = list(before)
    for change in after:
        part = key(change)
        at = bisect_left(laid, part, key=key)
        is_there = at < len(laid) and key(laid[at]) == part
        laid[at : at + is_there] = (change,)
    return tuple(laid)


def change_ground(
    public: tuple[T, ...],
    secret: tuple[T, ...],
    changes: tuple[T, ...],
    *,
    is_secret: bool,
    key: Callable[[T], K],
) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Public and secret changes after new ones; a part that is stated openly is no secret."""
    if is_secret:
        return public, overlay(secret, changes, key)
    stated = frozenset(map(key, changes))
    hidden = tuple(change for change in secret if key(change) not in stated)
    return overlay(public, changes, key), hidden
