"""What was worked out of a rule state, kept beside it and handed on to the states that follow.

How this works. A rule state is asked the same things again and again: who somebody is, who may know
what, where a line runs. The answers stand in its `lookups`, an attribute that is no field: it is
not encoded, compared or hashed, and `replace` does not copy it. Whoever applies an effect hands the
lookups on, so the states of one battle share them. Each answer stands with what it was worked out
of and is found only while that is the same: what an effect left alone is not worked out anew, and a
state that went another way (a preview, a rewind, a decision that lost a race) is told nothing
wrong. A perceived state begins with none, since an index of the true one names who is hidden.

A table that is full forgets everything, which bounds it.
"""

from typing import Generic, TypeVar

from service.engine.visibility.scope import Scope

K = TypeVar("K")
V = TypeVar("V")

MOST_ENTRIES = 512
"""Entries of one table."""


class Table(Generic[K, V]):
    """Answers by key, each with what it was worked out of: its inputs."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[K, tuple[tuple[object, ...], V]] = {}

    def find(self, key: K, inputs: tuple[object, ...]) -> V | None:
        """The answer, None unless it was worked out of equal inputs."""
        entry = self._entries.get(key)
        return entry[1] if entry is not None and entry[0] == inputs else None

    def keep(self, key: K, inputs: tuple[object, ...], answer: V) -> V:
        """Keep an answer in the place of the one before, and give it back."""
        if len(self._entries) >= MOST_ENTRIES and key not in self._entries:
            self._entries.clear()
        self._entries[key] = (inputs, answer)
        return answer

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._entries)


class Lookups:
    """The answers that every ruleset needs; rulesets extend it with tables of their own.

    `positions` says at which place of `combatants` an id was last found, `scoped` is a rule state
    with its scope.
    """

    __slots__ = ("positions", "scoped")

    def __init__(self) -> None:
        self.positions: dict[str, int] = {}
        self.scoped: tuple[object, Scope] | None = None
