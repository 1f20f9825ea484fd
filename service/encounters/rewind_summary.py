"""What a rewind undid and whose events they were, from the log, as each caller may see it."""

from collections.abc import Callable, Sequence
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.encounters.responses import EventRecord
from service.encounters.undone_events import MOST_TOLD, WHOSE, Undoing, UndoneEvent
from service.engine.battle.timeline import Run, Timeline, last_of, size_of
from service.eventstore.log_reads import Log
from service.eventstore.records import StoredEvent


async def undoer_of(
    log: Log, encounter: UUID, page: Sequence[StoredEvent], head: int
) -> Callable[[int], int | None]:
    """By seq the rewind that undid an event of a page, so that it does not count at the head.

    Rewinds before an event have no part in it; those behind the page are read.
    """
    if page and page[-1].seq < head:
        rewinds = await log.rewinds(encounter, page[0].seq)
    else:
        rewinds = tuple((each.seq, each.base) for each in page if each.base != each.seq - 1)
    if not rewinds:
        return lambda seq: None
    return Timeline(rewinds).undone_by(head)


def marked(record: EventRecord, undoer: Callable[[int], int | None]) -> EventRecord:
    """The record of an event, with the rewind that undid it, if one did."""
    rewind = undoer(record.seq)
    return record if rewind is None else replace(record, undone_by=rewind)


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
