"""What is added to records of streams, worked out once for all streams that are at the same one.

How this works. A stream with additions asks for its next record, and goes no further until it has
been shown. All that ask for the same record wait in one line, which one task serves: it looks at
the encounter once, makes what is added once for each caller, and shows one stream behind the
other. So those who follow live are shown together, however many they are; whoever lags behind or
resumes asks for earlier records, alone or with those who are as far.

While the database is away the line is kept and asked for again; a stream that is to end does not
wait for that.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from service.encounters.cache import LoadedEncounter
from service.encounters.documents import NOTHING, Document, Documents
from service.encounters.narrations import narration, takes_out_of_play
from service.encounters.principal import Principal
from service.encounters.requests import Additions
from service.encounters.views import viewer_then
from service.engine.vocabulary.values import By
from service.errors import Forbidden, NewerVersion, NotFound, Unauthenticated, Unavailable
from service.live.extended_records import ExtendedRecords, reason_in, seen_in, told_anew
from service.live.fair_queue import FairQueue
from service.live.records import Record, ResyncReason

PER_TURN: Final = 64
"""Streams that are sent to in one turn of the event loop."""

RETRY_SECONDS: Final = 0.25
"""The pause before the database is asked again."""

CallerOf = Callable[[Principal, UUID, LoadedEncounter | None], tuple[LoadedEncounter, By]]
"""The encounter, if this caller may ask for it, and as whom.

Raises NotFound, Unauthenticated, Forbidden."""


@dataclass(frozen=True, slots=True)
class DocumentSources:
    """Where what is added comes from: `recent` is the encounter as this process last saw it."""

    documents: Documents
    asking: CallerOf
    recent: Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]
    current: Callable[[UUID, UUID], Awaitable[LoadedEncounter | None]]


class RecordAdditions(NamedTuple):
    """What is added to a record for one caller: the document behind it, the story in JSON.

    `again` shows the whole document, where earlier events show otherwise from this one on.
    """

    document: Document
    story: bytes
    again: Record | None


class Reader(Protocol):
    """A stream that asks what is added to its next record.

    One call answers it; once it is gone that does nothing.
    """

    @property
    def who(self) -> Principal:
        """The caller."""
        ...

    @property
    def additions(self) -> Additions:
        """What is wanted."""
        ...

    @property
    def is_closed(self) -> bool:
        """Whether it is to end behind what it has been given."""
        ...

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads it any more."""
        ...

    def tell(self, added: RecordAdditions | None) -> None:
        """This is added; None: nothing, since its seat or the battle is gone."""
        ...

    def fail(self, error: Exception) -> None:
        """What is added cannot be shown; NewerVersion: not by this process."""
        ...

    def give_up(self) -> None:
        """It is to end, and the database is away."""
        ...


class SharedAdditions:
    """The additions of one process, and who waits for them; `records` are those made of them."""

    def __init__(self, sources: DocumentSources, turns: FairQueue) -> None:
        self.records = ExtendedRecords()
        self._sources = sources
        self._turns = turns
        self._lines: dict[Record, deque[Reader]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, record: Record, reader: Reader) -> None:
        """Have a reader shown what is added to a record, in a later turn of the loop."""
        line = self._lines.get(record)
        if line is None:
            line = self._lines[record] = deque()
            task = asyncio.create_task(self._serve(record, line))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        line.append(reader)

    async def settle(self) -> None:
        """Wait until nobody waits: to be called when all streams are to end."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _serve(self, record: Record, line: deque[Reader]) -> None:
        """Tell all in a line, and those who join it meanwhile."""
        await self._turns.turn()
        while line:
            if not await self._tell_all(record, line):
                _let_end(line)
                await asyncio.sleep(RETRY_SECONDS if line else 0)
        del self._lines[record]

    async def _tell_all(self, record: Record, line: deque[Reader]) -> bool:
        """Tell all in a line; False if some are left in it, since the database is away."""
        try:
            look = await self._look(record, line[0].who.tenant)
        except NewerVersion as error:
            _fail_all(line, error)
            return True
        except Unavailable:
            return False
        except Exception as error:
            _fail_all(line, error)
            return True
        left: list[Reader] = []
        count = 0
        while line:
            reader = line.popleft()
            if not await _is_told(reader, look):
                left.append(reader)
            count += 1
            if count % PER_TURN == 0:
                await asyncio.sleep(0)
        line.extend(left)
        return not left

    async def _look(self, record: Record, tenant: UUID) -> "_Look":
        """The encounter behind a record. Raises NewerVersion, Unavailable.

        What is in memory may still have text that an event says is erased.
        """
        reason = reason_in(record) if record.kind == "event" else None
        battle = await self._sources.recent(record.encounter, tenant)
        if reason == "erased" or (battle is not None and battle.seq < record.seq):
            battle = await self._sources.current(record.encounter, tenant)
        return _Look(self._sources, self.records, record, reason, battle)


class _Look:
    """What is added to one record, as the encounter is now: made once for each caller."""

    def __init__(
        self,
        sources: DocumentSources,
        records: ExtendedRecords,
        record: Record,
        reason: ResyncReason | None,
        battle: LoadedEncounter | None,
    ) -> None:
        self._sources = sources
        self._records = records
        self._record = record
        self._reason = reason
        self._battle = battle
        self._stamp = None if battle is None else battle.stamp
        self._made: dict[tuple[Principal, Additions], RecordAdditions | Unavailable] = {}

    async def added(self, who: Principal, additions: Additions) -> RecordAdditions:
        """What is added for a caller.

        Raises what `CallerOf` raises; NewerVersion, Unavailable: both at once if it was so before.
        """
        battle = self._battle
        if battle is not None and battle.stamp != self._stamp:
            self._stamp = battle.stamp
            self._made.clear()
        made = self._made.get((who, additions))
        if made is None:
            battle, by = self._sources.asking(who, self._record.encounter, battle)
            try:
                made = await self._make(battle, by, additions)
            except Unavailable as error:
                made = error
            if battle.stamp == self._stamp:
                self._made[who, additions] = made
        if isinstance(made, Unavailable):
            raise made
        return made

    async def _make(self, battle: LoadedEncounter, by: By, additions: Additions) -> RecordAdditions:
        documents, record = self._sources.documents, self._record
        document, story, again = NOTHING, b"", None
        if additions.has_document:
            document = await documents.document(battle, by, record.seq, additions)
            if self._reason is not None:
                again = told_anew(record, self._reason, document)
        language = additions.narrate
        if language is not None and record.kind == "event":
            state = await documents.state(battle, record.seq)
            viewer = viewer_then(by, battle.state.linear, battle.sides, record.seq)
            event, before = seen_in(record), None
            if takes_out_of_play(battle.ruleset, event):
                before = await documents.state(battle, record.seq - 1)
            story = self._records.narration(
                record,
                viewer,
                language,
                lambda: narration(battle.ruleset, state, before, viewer, event, language),
            )
        return RecordAdditions(document, story, again)


async def _is_told(reader: Reader, look: _Look) -> bool:
    """Tell one; False if it has to wait, since the database is away."""
    if reader.is_gone:
        return True
    try:
        try:
            added = await look.added(reader.who, reader.additions)
        except (Forbidden, NotFound, Unauthenticated):
            added = None
        reader.tell(added)
    except NewerVersion as error:
        reader.fail(error)
    except Unavailable:
        return False
    except Exception as error:  # a stream must end rather than stay silent
        reader.fail(error)
    return True


def _fail_all(line: deque[Reader], error: Exception) -> None:
    while line:
        line.popleft().fail(error)


def _let_end(line: deque[Reader]) -> None:
    """Take those out of a line that are to end, or have."""
    for _ in range(len(line)):
        reader = line.popleft()
        if reader.is_closed or reader.is_gone:
            reader.give_up()
        else:
            line.append(reader)
