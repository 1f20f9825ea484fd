"""What rewinds undid: whose each event is and what was asked for, as far as that is read."""

from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.vocabulary.values import By

MOST_TOLD: Final = 100
"""Undone events that are listed one by one, the last ones."""


class UndoneEvent(Struct, frozen=True, kw_only=True):
    """An event that a rewind undid or brought back: `by` says whose it was.

    `action` is what was asked for; absent where the caller may not know.
    """

    seq: int
    """Place of the event in the log."""
    by: By
    """Who asked for it."""
    action: str | UnsetType = UNSET
    """`type` of the action; absent where the caller may not know it."""


class Undoing(Struct, frozen=True, kw_only=True):
    """What a rewind undid, and what a redo brought back: the last of them, in order.

    The counts are those of all; only events that counted until then are among them.
    """

    undone_count: int
    """How many events counted before the rewind and do not any more."""
    undone: tuple[UndoneEvent, ...]
    """The last 100 of those undone, in the order of the log."""
    restored_count: int
    """How many events, undone before, count again since the rewind."""
    restored: tuple[UndoneEvent, ...]
    """The last 100 of those brought back, in the order of the log."""


class _Action(Struct):
    type: str


class WhoseEvent(Struct):
    """Of an event whose it was, and what was asked for where that may be known."""

    by: By
    action: _Action | UnsetType = UNSET

    def as_undone(self, seq: int) -> UndoneEvent:
        """As one of those that a rewind undid."""
        action = UNSET if self.action is UNSET else self.action.type
        return UndoneEvent(seq=seq, by=self.by, action=action)


WHOSE: Final = msgspec.json.Decoder(WhoseEvent)
