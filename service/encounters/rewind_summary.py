"""What rewinds undid and whose events they were, from the log, as each caller may see it.

How this works. What rewinds did to a log up to a head never changes, so it is kept for the
encounters that were asked for last, and continues with the rewinds that came since. A log that does
not continue what is kept, as after a restored backup, is read again. Of an undone event the body is
read, and its parts only where the body does not say what was asked for.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.encounters.responses import EventRecord
from service.encounters.undone_events import MOST_TOLD, WHOSE, Undoing, UndoneEvent
from service.engine.battle.timeline import Run, Timeline, last_of, size_of
from service.eventstore.log_reads import Log
from service.eventstore.records import StoredEvent

MOST_KEPT: Final = 20_000
"""Rewinds that are kept of all encounters together, and one more for each: half a kilobyte each."""


class _History(NamedTuple):
    """The rewinds of a log up to a head, and by seq which of them undid an event."""

    head: tuple[int, str]
    rewinds: tuple[tuple[int, int], ...]
    timeline: Timeline
    undoer: Callable[[int], int | None]

    @property
    def size(self) -> int:
        """What it counts for among all that is kept."""
        return len(self.rewinds) + 1


class RewindSummaries:
    """What the rewinds of the encounters of one process undid."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._kept: OrderedDict[UUID, _History] = OrderedDict()
        self._size = 0

    async def undoer_of(
        self, encounter: UUID, page: Sequence[StoredEvent], head: tuple[int, str]
    ) -> Callable[[int], int | None]:
        """By seq the rewind that undid an event of a page, so that it does not count at the head.

        `head` is the seq and the hash of the head, in hex.
        """
        if page and page[-1].seq < head[0]:
            return (await self._history(encounter, head)).undoer
        rewinds = tuple((each.seq, each.base) for each in page if each.base != each.seq - 1)
        return Timeline(rewinds).undone_by(head[0]) if rewinds else _none_undone

    async def undoing_of(
        self,
        encounter: UUID,
        rewind: StoredEvent,
        head: tuple[int, str],
        shown: Callable[[StoredEvent], EventRecord],
    ) -> Undoing | UnsetType:
        """What an event undid and brought back, if it is a rewind; `shown` is how one is seen.

        A rewind to the event before it undoes nothing.
        """
        if rewind.base == rewind.seq - 1:
            return UNSET
        timeline = (await self._history(encounter, head)).timeline
        undone, restored = timeline.difference(rewind.seq - 1, rewind.base)
        return Undoing(
            undone_count=size_of(undone),
            undone=await self._undone_events(encounter, undone, shown),
            restored_count=size_of(restored),
            restored=await self._undone_events(encounter, restored, shown),
        )

    async def _history(self, encounter: UUID, head: tuple[int, str]) -> _History:
        known = self._kept.get(encounter)
        if known is None or not await self._continues(encounter, known, head):
            known = _History((0, ""), (), Timeline(), _none_undone)
        if known.head != head:
            known = await self._continued(encounter, known, head)
        self._keep(encounter, known)
        return known

    def _keep(self, encounter: UUID, history: _History) -> None:
        before = self._kept.pop(encounter, None)
        self._size += history.size - (0 if before is None else before.size)
        self._kept[encounter] = history
        while self._size > MOST_KEPT:
            self._size -= self._kept.popitem(last=False)[1].size

    async def _continues(self, encounter: UUID, known: _History, head: tuple[int, str]) -> bool:
        """Whether the log up to this head continues from what is kept of it."""
        seq, known_hash = known.head
        if seq >= head[0]:
            return known.head == head
        stored = await self._log.events(encounter, after=seq - 1, until=seq, limit=1)
        return bool(stored) and stored[0].hash.hex() == known_hash

    async def _continued(self, encounter: UUID, known: _History, head: tuple[int, str]) -> _History:
        later = await self._log.rewinds(encounter, known.head[0])
        later = tuple(each for each in later if each[0] <= head[0])
        if not later:
            return known._replace(head=head)
        rewinds = known.rewinds + later
        timeline = Timeline(rewinds)
        return _History(head, rewinds, timeline, timeline.undone_by(head[0]))

    async def _undone_events(
        self,
        encounter: UUID,
        runs: Sequence[Run],
        shown: Callable[[StoredEvent], EventRecord],
    ) -> tuple[UndoneEvent, ...]:
        """The last of them; `shown` says what was asked for where the body does not."""
        latest = last_of(runs, MOST_TOLD)
        seqs = [seq for run in latest for seq in range(run.first, run.last + 1)]
        bodies = await self._log.bodies_at(encounter, seqs)
        whose = {seq: WHOSE.decode(body) for seq, body in bodies}
        unsaid = [seq for seq, each in whose.items() if each.action is UNSET]
        for stored in await self._log.events_at(encounter, unsaid):
            seen = shown(stored).seen
            if seen is not UNSET:
                whose[stored.seq] = WHOSE.decode(seen)
        return tuple([each.as_undone(seq) for seq, each in whose.items()])


def marked(record: EventRecord, undoer: Callable[[int], int | None]) -> EventRecord:
    """The record of an event, with the rewind that undid it, if one did."""
    rewind = undoer(record.seq)
    return record if rewind is None else replace(record, undone_by=rewind)


def _none_undone(seq: int) -> None:
    """Where nothing was rewound every event counts."""
