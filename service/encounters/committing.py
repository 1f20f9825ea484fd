"""One durable commit for many encounters at a time: group commit without a timer.

How this works. Whoever has decided something hands its append over and waits. While one batch is
on its way to the disk, what comes in meanwhile gathers, and goes out as the next batch as soon as
the writer is idle: under load batches grow by themselves, without load nothing waits. A batch
names each encounter once; appends of one encounter that follow one another go out as one append,
all or none of it, and if one of them may be why that fails each is tried alone, so that one does
not spoil the others. What is the database's own trouble is told to all of them as it is: after a
lost answer above all, since whoever tries again finds what may be their own events in the way.
Heads are signed for the whole batch, after the commit, off the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from service.encounters.answers import Receipt
from service.encounters.receipts import Signer
from service.errors import OutcomeUnknown, Unavailable
from service.eventstore.records import Append, Appended, Failed, Outcome
from service.eventstore.writing import Writer

BATCH = 128
"""Appends that go out in one statement at most."""

BACKLOG = 4096
"""Appends that may wait; more are refused at once."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of an append; stored ones come with the signed head behind them."""

    outcome: Outcome
    receipt: Receipt | None = None


@dataclass(slots=True)
class _Waiting:
    append: Append
    done: asyncio.Future[Settled]


class Committer:
    """Gathers appends and commits them in batches, in the order they came per encounter."""

    def __init__(self, writer: Writer, signer: Signer, backlog: int = BACKLOG) -> None:
        self._writer = writer
        self._backlog = backlog
        self._signer = signer
        self._queue: deque[_Waiting] = deque()
        self._task: asyncio.Task[None] | None = None

    def submit(self, append: Append) -> asyncio.Future[Settled]:
        """Hand an append over; the future says what became of it.

        Raises Unavailable("overloaded") when too many wait already: nothing was written.
        """
        if len(self._queue) >= self._backlog:
            raise Unavailable("overloaded", retry_after=1)
        done: asyncio.Future[Settled] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(append, done))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return done

    async def settle(self) -> None:
        """Wait until nothing is on its way."""
        while self._task is not None:
            await asyncio.shield(self._task)

    async def _drain(self) -> None:
        try:
            while self._queue:
                batch = self._next_batch()
                try:
                    await self._commit(batch)
                except Exception as error:  # whoever waits must hear of it, whatever it is
                    for waiting in (each for group in batch for each in group):
                        if not waiting.done.done():
                            waiting.done.set_exception(error)
        finally:
            self._task = None

    def _next_batch(self) -> list[list[_Waiting]]:
        """The next appends, those of one encounter that follow one another together.

        One that continues another head than the one before it waits for the batch after.
        """
        groups: dict[UUID, list[_Waiting]] = {}
        left: deque[_Waiting] = deque()
        held: set[UUID] = set()
        for _ in range(min(BATCH, len(self._queue))):
            waiting = self._queue.popleft()
            encounter = waiting.append.encounter_id
            group = groups.setdefault(encounter, [])
            if encounter in held or (group and not _continues(group[-1].append, waiting.append)):
                held.add(encounter)
                left.append(waiting)
            else:
                group.append(waiting)
        self._queue.extendleft(reversed(left))
        return list(groups.values())

    async def _commit(self, groups: list[list[_Waiting]]) -> None:
        outcomes = await self._writer.append([_joined(group) for group in groups])
        stored = []
        for group, outcome in zip(groups, outcomes, strict=True):
            if isinstance(outcome, Appended):
                stored += [(waiting, outcome) for waiting in group]
            elif len(group) == 1 or _is_of_none(outcome):
                for waiting in group:
                    waiting.done.set_result(Settled(outcome))
            else:
                stored += await self._singly(group)
        await self._acknowledge(stored)

    async def _singly(self, group: list[_Waiting]) -> list[tuple[_Waiting, Appended]]:
        """Each append of one encounter by itself, since together they could not be stored."""
        stored = []
        for waiting in group:
            [outcome] = await self._writer.append([waiting.append])
            if isinstance(outcome, Appended):
                stored.append((waiting, outcome))
            else:
                waiting.done.set_result(Settled(outcome))
        return stored

    async def _acknowledge(self, stored: list[tuple[_Waiting, Appended]]) -> None:
        if not stored:
            return
        heads = [
            (str(waiting.append.encounter_id), last.seq, last.hash.hex())
            for waiting, _ in stored
            for last in waiting.append.events[-1:]
        ]
        receipts = await self._signer.receipts(heads)
        for (waiting, outcome), receipt in zip(stored, receipts, strict=True):
            waiting.done.set_result(Settled(outcome, receipt))


@contextmanager
def once_stored() -> Iterator[None]:
    """What fails after the events were stored must not be told as if they were not.

    Raises OutcomeUnknown instead of any Unavailable: asking again under the same key resolves it.
    """
    try:
        yield
    except Unavailable as error:
        raise OutcomeUnknown() from error


def _is_of_none(outcome: Outcome) -> bool:
    """Whether no append by itself can be why several were not stored together."""
    return isinstance(outcome, Failed) and isinstance(outcome.error, Unavailable)


def _continues(before: Append, after: Append) -> bool:
    last = before.events[-1]
    return (after.expected_seq, after.expected_hash) == (last.seq, last.hash)


def _joined(group: list[_Waiting]) -> Append:
    """Appends that follow one another as one, behind the first one's head."""
    first, last = group[0].append, group[-1].append
    if len(group) == 1:
        return first
    return Append(
        encounter_id=first.encounter_id,
        expected_seq=first.expected_seq,
        expected_hash=first.expected_hash,
        events=tuple(event for each in group for event in each.append.events),
        commands=tuple(command for each in group for command in each.append.commands),
        status=last.status,
    )
