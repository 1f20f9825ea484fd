"""What was done to a battle beside its rules: the game master's overrides, and rewinds; wire types.

Each is told as far as the reader may see it.
"""

from typing import Final

from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.vocabulary.values import By

MOST_CHANGES: Final = 20
"""Changes of one override that are listed, the first ones."""

MOST_RUNS: Final = 20
"""Runs of events of one rewind that are listed, the last ones."""


class Override(Struct, frozen=True, kw_only=True):
    """A change of the game master's, taken as given: what follows was decided again."""

    seq: int
    """Event that made it."""
    by: By
    """Who made it."""
    reason: str | UnsetType = UNSET
    """Why; absent where no reason was given, it was erased, or the reader may not know it."""
    changes: tuple[Raw, ...] = ()
    """The first 20 changes of the action that the reader may know, each as the action has it; a
    long one as a string with its beginning."""
    changes_count: int = 0
    """How many changes there are that the reader may know."""


class SeqRun(Struct, frozen=True, kw_only=True):
    """Events that follow one another in the log."""

    first: int
    """First of them."""
    last: int
    """Last of them."""


class Rewinding(Struct, frozen=True, kw_only=True):
    """A rewind, or a redo, which is one to an event that was undone."""

    seq: int
    """Event of the rewind."""
    from_seq: int
    """Event behind which it was made."""
    to: int
    """Event after which the battle continues."""
    by: By
    """Who made it."""
    undone_count: int
    """How many events counted before it and do not any more."""
    undone: tuple[SeqRun, ...]
    """Which those are: the last 20 runs, in the order of the log."""
    restored_count: int
    """How many events, undone before, count again since."""
    restored: tuple[SeqRun, ...]
    """Which those are: the last 20 runs, in the order of the log."""
