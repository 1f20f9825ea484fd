"""Whose an event is and what was asked for, as far as that is read of one that was undone."""

from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.encounters.responses import UndoneEvent
from service.engine.vocabulary.values import By

MOST_TOLD: Final = 100
"""Undone events that are listed one by one, the last ones."""


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
