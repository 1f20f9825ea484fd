"""Whose each event was and which one it continues: so that an audit says what a rewind undid.

Behind an event that is missing or unreadable nothing is said of rewinds.
"""

from itertools import islice

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.encounters.responses import Undoing, UndoneEvent
from service.encounters.undone_events import MOST_TOLD, WHOSE
from service.engine.battle.undo import undone
from service.engine.log.event import Event, view_of_event
from service.engine.visibility.scope import Viewer
from service.replay.log.sealed_event import Evidence, filled_parts, is_complete
from service.replay.report.differences import UNREADABLE


class _Place(Struct):
    seq: int
    base: int


_PLACE = msgspec.json.Decoder(_Place)


class RewindHistory:
    """The events of one log, as far as it was audited."""

    def __init__(self) -> None:
        self._bases: dict[int, int] = {}
        self._events: dict[int, UndoneEvent] = {}

    def note(
        self, evidence: Evidence, seq: int, sides: tuple[str, ...], viewer: Viewer
    ) -> Undoing | UnsetType:
        """Remember event `seq` as this viewer may see it; what it undid, if it is a rewind."""
        if seq != len(self._events) + 1:
            return UNSET
        try:
            place = _PLACE.decode(evidence.body)
            self._events[seq] = _event_of(evidence, seq, sides, viewer)
        except (*UNREADABLE, LookupError, TypeError, StopIteration):
            return UNSET
        if place.base == seq - 1 or not 0 < place.base < seq:
            return UNSET
        self._bases[seq] = place.base
        gone, back = undone(self._bases, seq - 1, place.base)
        return Undoing(
            undone_count=len(gone),
            undone=self._latest(gone),
            restored_count=len(back),
            restored=self._latest(back),
        )

    def note_sound(
        self, event: Event, evidence: Evidence, sides: tuple[str, ...], viewer: Viewer
    ) -> None:
        """Remember an event that the rules confirm and that is no rewind."""
        if viewer.is_gm and event.seq == len(self._events) + 1:
            action = str(event.action.__struct_config__.tag)
            self._events[event.seq] = UndoneEvent(seq=event.seq, by=event.by, action=action)
        else:
            self.note(evidence, event.seq, sides, viewer)

    def _latest(self, seqs: list[int]) -> tuple[UndoneEvent, ...]:
        events = (self._events.get(seq) for seq in reversed(seqs))
        latest = islice((event for event in events if event is not None), MOST_TOLD)
        return tuple(reversed(tuple(latest)))


def _event_of(evidence: Evidence, seq: int, sides: tuple[str, ...], viewer: Viewer) -> UndoneEvent:
    event = WHOSE.decode(evidence.body)
    if event.action is not UNSET or not is_complete(evidence, sides):
        return event.as_undone(seq)
    visible = view_of_event(evidence.body, filled_parts(evidence), sides, viewer)
    return WHOSE.decode(visible).as_undone(seq)
