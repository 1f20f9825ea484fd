"""Whose each event was and which one it continues: so that an audit says what a rewind undid.

Behind an event that is missing or unreadable nothing is said of rewinds.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.encounters.undone_events import MOST_TOLD, WHOSE, Undoing, UndoneEvent
from service.engine.battle.timeline import Run, Timeline, last_of, size_of
from service.engine.log.event import Event, view_of_event
from service.engine.visibility.scope import Viewer
from service.replay.log.sealed_event import Evidence, filled_parts, is_complete
from service.replay.report.differences import UNREADABLE
from service.replay.report.interventions import MOST_RUNS, Rewinding, SeqRun


class _Place(Struct):
    seq: int
    base: int


_PLACE = msgspec.json.Decoder(_Place)


class RewindHistory:
    """The events of one log, as far as it was audited; `rewinds` are those among them."""

    def __init__(self) -> None:
        self.rewinds: list[Rewinding] = []
        self._timeline = Timeline()
        self._events: dict[int, UndoneEvent] = {}

    def note(
        self, evidence: Evidence, seq: int, sides: tuple[str, ...], viewer: Viewer
    ) -> Undoing | UnsetType:
        """Remember event `seq` as this viewer may see it; what it undid, if it is a rewind."""
        if seq != len(self._events) + 1:
            return UNSET
        try:
            place = _PLACE.decode(evidence.body)
            event = _event_of(evidence, seq, sides, viewer)
        except (*UNREADABLE, LookupError, TypeError, StopIteration):
            return UNSET
        self._events[seq] = event
        if place.base == seq - 1 or not 0 < place.base < seq:
            return UNSET
        undone, restored = self._timeline.difference(seq - 1, place.base)
        self._timeline.add(seq, place.base)
        rewinding = _rewinding(event, place.base, undone, restored)
        self.rewinds.append(rewinding)
        return Undoing(
            undone_count=rewinding.undone_count,
            undone=self._latest(undone),
            restored_count=rewinding.restored_count,
            restored=self._latest(restored),
        )

    def undone_by(self) -> Callable[[int], int | None]:
        """By seq the rewind since which an event does not count; None for every other event."""
        known = len(self._events)
        undoer = self._timeline.undone_by(known)
        return lambda seq: undoer(seq) if 1 <= seq <= known else None

    def note_sound(
        self, event: Event, evidence: Evidence, sides: tuple[str, ...], viewer: Viewer
    ) -> None:
        """Remember an event that the rules confirm and that is no rewind."""
        if viewer.is_gm and event.seq == len(self._events) + 1:
            action = str(event.action.__struct_config__.tag)
            self._events[event.seq] = UndoneEvent(seq=event.seq, by=event.by, action=action)
        else:
            self.note(evidence, event.seq, sides, viewer)

    def _latest(self, runs: Sequence[Run]) -> tuple[UndoneEvent, ...]:
        latest = last_of(runs, MOST_TOLD)
        return tuple(self._events[seq] for run in latest for seq in range(run.first, run.last + 1))


def _rewinding(
    event: UndoneEvent, to: int, undone: Sequence[Run], restored: Sequence[Run]
) -> Rewinding:
    return Rewinding(
        seq=event.seq,
        from_seq=event.seq - 1,
        to=to,
        by=event.by,
        undone_count=size_of(undone),
        undone=_listed(undone),
        restored_count=size_of(restored),
        restored=_listed(restored),
    )


def _listed(runs: Sequence[Run]) -> tuple[SeqRun, ...]:
    return tuple(SeqRun(first=run.first, last=run.last) for run in runs[-MOST_RUNS:])


def _event_of(evidence: Evidence, seq: int, sides: tuple[str, ...], viewer: Viewer) -> UndoneEvent:
    event = WHOSE.decode(evidence.body)
    if event.action is not UNSET or not is_complete(evidence, sides):
        return event.as_undone(seq)
    visible = view_of_event(evidence.body, filled_parts(evidence), sides, viewer)
    return WHOSE.decode(visible).as_undone(seq)
