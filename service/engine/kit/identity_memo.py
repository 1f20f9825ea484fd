"""Remembers what pure functions made of immutable values, found again by the values' identity.

States share whatever an action leaves alone, so most questions of one action were asked about the
very same objects before. A memory holds its values, hence an identity cannot come to mean another
object while it is known; identities serve looking things up and never leave. Whatever is not
remembered is made anew and is the same. A full memory forgets everything, which bounds it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar, TypeVarTuple

V = TypeVar("V")
Ts = TypeVarTuple("Ts")


class Memory(Generic[V]):
    """What was made of values, at most so many results."""

    __slots__ = ("_kept", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[tuple[int, ...], tuple[tuple[object, ...], V]] = {}

    def find(self, *values: object) -> V | None:
        """What was made of these very objects, None if that is not known."""
        known = self._kept.get(tuple(map(id, values)))
        return None if known is None else known[1]

    def keep(self, made: V, *values: object) -> V:
        """Remember what was made of them, and give it back."""
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[tuple(map(id, values))] = (values, made)
        return made

    def __len__(self) -> int:
        """How many results are remembered."""
        return len(self._kept)


def remembered(most: int) -> Callable[[Callable[[*Ts], V]], Callable[[*Ts], V]]:
    """A pure function of immutable values that remembers its last results, `most` of them."""

    def wrap(function: Callable[[*Ts], V]) -> Callable[[*Ts], V]:
        kept: dict[tuple[int, ...], tuple[tuple[object, ...], V]] = {}
        recall = kept.get

        @wraps(function)
        def remembering(*values: *Ts) -> V:
            key = tuple(map(id, values))
            known = recall(key)
            if known is not None:
                return known[1]
            made = function(*values)
            if len(kept) >= most:
                kept.clear()
            kept[key] = (values, made)
            return made

        return remembering

    return wrap
