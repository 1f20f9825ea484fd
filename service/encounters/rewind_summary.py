"""What a rewind undid and whose events they were, from the log, as each caller may see it."""

from collections.abc import Callable, Sequence
from uuid import UUID

from msgspec import UNSET, UnsetType

from service.encounters.responses import EventRecord, Undoing, UndoneEvent
from service.encounters.undone_events import MOST_TOLD, WHOSE
from service.engine.battle.timeline import Run, Timeline, last_of, size_of
from service.eventstore.log_reads import Log
from service.eventstore.records import StoredEvent


async def undoing_of(
    log: Log, encounter: UUID, rewind: StoredEvent, shown: Callable[[StoredEvent], EventRecord]
) -> Undoing | UnsetType:
    """What an event undid and brought back, if it is a rewind; `shown` is how the caller sees one.

    A rewind to the event before it undoes nothing.
    """
    if rewind.base == rewind.seq - 1:
        return UNSET
    timeline = Timeline(await log.rewinds(encounter))
    undone, restored = timeline.difference(rewind.seq - 1, rewind.base)
    return Undoing(
        undone_count=size_of(undone),
        undone=await _undone_events(log, encounter, last_of(undone, MOST_TOLD), shown),
        restored_count=size_of(restored),
        restored=await _undone_events(log, encounter, last_of(restored, MOST_TOLD), shown),
    )


async def _undone_events(
    log: Log,
    encounter: UUID,
    runs: Sequence[Run],
    shown: Callable[[StoredEvent], EventRecord],
) -> tuple[UndoneEvent, ...]:
    events = []
    for first, last in runs:
        stored = await log.events(
            encounter, after=first - 1, until=last, limit=MOST_TOLD, audiences=None
        )
        events += [_undone_event(shown(each)) for each in stored]
    return tuple(events)


def _undone_event(record: EventRecord) -> UndoneEvent:
    return WHOSE.decode(record.event if record.seen is UNSET else record.seen).as_undone(record.seq)
