"""One durable commit for many encounters at a time: group commit without a timer.

How this works. A request hands its append over and waits. While one batch is on its way to the
disk, further appends gather; they go out as the next batch as soon as the writer is idle. Under
load batches grow by themselves, without load nothing waits. A batch names each encounter once:
appends of one encounter that follow one another go out as one append, all or none of it. If one of
them may be why that fails, each is tried alone, so that it does not spoil those before it; those
behind it continue a head that will never exist. A failure of the database itself is the outcome of
every append of the batch: after a lost answer above all, since a second try would find the first
one's events in the way.
While no commit is answered at all, the appends behind the batch that hangs are refused: they were
not sent, and a batch after that one would hang as well (`write_probe`).
An encounter whose row another session holds is set apart with all appends that come for it
meanwhile, and is tried again with later batches, until its row is free or its time is over; other
encounters do not wait. The heads of a batch are signed together, after the commit.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanContext, get_current_span, get_tracer

from service.encounters.receipts import Signer
from service.encounters.responses import Receipt
from service.errors import EncounterBusy, OutcomeUnknown, Unavailable
from service.eventstore.log_writes import Writer
from service.eventstore.records import (
    Append,
    Appended,
    Conflict,
    Duplicate,
    Failed,
    Held,
    Missing,
    Outcome,
)

BATCH = 128
"""Appends that go out in one statement at most."""

BACKLOG = 4096
"""Appends that may wait; more are refused at once."""

_TRACER: Final = get_tracer("warlog")

FIRST_PAUSE_SECONDS = 0.001
LONGEST_PAUSE_SECONDS = 0.016
"""Pauses between two tries of an encounter whose row is held: each twice the one before."""


class Committed(Appended, frozen=True, kw_only=True, tag="committed"):
    """Stored and durable, with the signed head behind it."""

    receipt: Receipt


CommitResult = Committed | Conflict | Duplicate | Missing | Failed
"""What becomes of an append in the end."""

_NotStored = Conflict | Duplicate | Missing | Failed


@dataclass(slots=True)
class BatchTally:
    """How many batches went out, with how many appends; those set apart count again each time."""

    batches: int = 0
    appends: int = 0


@dataclass(slots=True)
class _Waiting:
    append: Append
    done: asyncio.Future[CommitResult]
    request: SpanContext | None = None
    """Of the request that waits, if it is traced."""


@dataclass(slots=True)
class _Apart:
    """An encounter that another session holds: what waits for it, empty while it is tried.

    `until` is when to give up, by the loop's clock; `pause` the seconds before the next try.
    """

    until: float
    pause: float = FIRST_PAUSE_SECONDS
    waiting: deque[_Waiting] = field(default_factory=deque)


class Committer:
    """Gathers appends and commits them in batches, in the order they came per encounter."""

    def __init__(self, writer: Writer, signer: Signer, backlog: int = BACKLOG) -> None:
        self._writer = writer
        self._backlog = backlog
        self._signer = signer
        self._queue: deque[_Waiting] = deque()
        self._apart: dict[UUID, _Apart] = {}
        self._task: asyncio.Task[None] | None = None
        self._pauses: set[asyncio.Task[None]] = set()
        self.tally = BatchTally()
        writer.probe.when_stuck(self._refuse_waiting)

    def submit(self, append: Append) -> asyncio.Future[CommitResult]:
        """Hand an append over; the future says what became of it.

        Raises Unavailable("overloaded") when too many wait already: nothing was written.
        """
        behind = sum(len(apart.waiting) for apart in self._apart.values())
        if len(self._queue) + behind >= self._backlog:
            raise Unavailable("overloaded", retry_after=1)
        done: asyncio.Future[CommitResult] = asyncio.get_running_loop().create_future()
        span = get_current_span()
        request = span.get_span_context() if span.is_recording() else None
        self._queue.append(_Waiting(append, done, request))
        self._begin()
        return done

    async def settle(self) -> None:
        """Wait until nothing is on its way."""
        while self._task is not None or self._pauses:
            await asyncio.wait([*self._pauses, *([self._task] if self._task else [])])

    def _refuse_waiting(self) -> None:
        """Refuse the appends that were not sent yet: nothing is committed now."""
        refusal = self._writer.probe.refusal()
        paused = {each: apart for each, apart in self._apart.items() if apart.waiting}
        for encounter, apart in paused.items():
            del self._apart[encounter]
            _tell(apart.waiting, Failed(error=refusal))
            apart.waiting.clear()
        _tell(self._queue, Failed(error=refusal))
        self._queue.clear()

    def _begin(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                batch = self._next_batch()
                if not batch:
                    continue
                try:
                    await self._commit(batch)
                except (
                    Exception
                ) as error:  # every request that waits must get an answer, whatever failed
                    for waiting in (each for group in batch for each in group):
                        self._apart.pop(waiting.append.encounter_id, None)
                        if not waiting.done.done():
                            waiting.done.set_exception(error)
        finally:
            self._task = None

    def _next_batch(self) -> list[list[_Waiting]]:
        """The next appends, those of one encounter that follow one another together.

        An append that does not continue the one before it waits for the batch after; one of an
        encounter that is set apart waits with that.
        """
        groups: dict[UUID, list[_Waiting]] = {}
        left: deque[_Waiting] = deque()
        held: set[UUID] = set()
        for _ in range(min(BATCH, len(self._queue))):
            waiting = self._queue.popleft()
            encounter = waiting.append.encounter_id
            apart = self._apart.get(encounter)
            if apart is not None and apart.waiting:
                apart.waiting.append(waiting)
                continue
            group = groups.setdefault(encounter, [])
            if encounter in held or (group and not _continues(group[-1].append, waiting.append)):
                held.add(encounter)
                left.append(waiting)
            else:
                group.append(waiting)
        self._queue.extendleft(reversed(left))
        return list(groups.values())

    async def _commit(self, groups: list[list[_Waiting]]) -> None:
        self.tally.batches += 1
        self.tally.appends += sum(len(group) for group in groups)
        outcomes = await self._append(groups)
        stored = []
        held = []
        for group, outcome in zip(groups, outcomes, strict=True):
            if isinstance(outcome, Held):
                held.append(group)
                continue
            self._apart.pop(group[0].append.encounter_id, None)
            if isinstance(outcome, Appended):
                stored += [(waiting, outcome) for waiting in group]
            elif len(group) == 1 or _is_of_all(outcome):
                _tell(group, outcome)
            else:
                stored += await self._singly(group, held)
        self._acknowledge(stored)
        for group in held:
            self._set_apart(group)

    async def _append(self, groups: list[list[_Waiting]]) -> tuple[Outcome, ...]:
        """Append a batch, in a span of its own if any request in it is traced."""
        joined = [_joined(group) for group in groups]
        links = [Link(each.request) for group in groups for each in group if each.request]
        if not links:
            return await self._writer.append(joined)
        appends = sum(len(group) for group in groups)
        with _TRACER.start_as_current_span(
            "append batch",
            # It serves many requests and is part of none.
            context=Context(),
            links=links,
            attributes={"warlog.encounters": len(groups), "warlog.appends": appends},
        ):
            return await self._writer.append(joined)

    async def _singly(
        self, group: list[_Waiting], held: list[list[_Waiting]]
    ) -> list[tuple[_Waiting, Appended]]:
        """Append one by one, in order, up to the first that cannot be stored."""
        stored = []
        for index, waiting in enumerate(group):
            [outcome] = await self._writer.append([waiting.append])
            if isinstance(outcome, Held):
                held.append(group[index:])
                break
            if isinstance(outcome, Appended):
                stored.append((waiting, outcome))
                continue
            _tell(group[index : index + 1], outcome)
            _tell(group[index + 1 :], outcome if _is_of_all(outcome) else _behind(waiting.append))
            break
        return stored

    def _set_apart(self, group: list[_Waiting]) -> None:
        """Try these again later, or refuse all appends of their encounter if its time is over."""
        encounter = group[0].append.encounter_id
        now = asyncio.get_running_loop().time()
        apart = self._apart.get(encounter)
        if apart is None:
            apart = self._apart[encounter] = _Apart(until=now + self._writer.lock_seconds)
        apart.waiting.extend(group)
        if now < apart.until:
            pause = asyncio.create_task(self._try_again(apart))
            self._pauses.add(pause)
            pause.add_done_callback(self._pauses.discard)
            return
        del self._apart[encounter]
        busy = Failed(error=EncounterBusy(encounter=str(encounter), retry_after=1))
        _tell(apart.waiting, busy)

    async def _try_again(self, apart: _Apart) -> None:
        await asyncio.sleep(apart.pause)
        apart.pause = min(2 * apart.pause, LONGEST_PAUSE_SECONDS)
        # In front of what came for the same encounter since.
        self._queue.extendleft(reversed(apart.waiting))
        apart.waiting.clear()
        self._begin()

    def _acknowledge(self, stored: list[tuple[_Waiting, Appended]]) -> None:
        if not stored:
            return
        heads = [
            (str(waiting.append.encounter_id), last.seq, last.hash)
            for waiting, _ in stored
            for last in waiting.append.events[-1:]
        ]
        receipts = self._signer.sign_together(heads)
        for (waiting, outcome), receipt in zip(stored, receipts, strict=True):
            waiting.done.set_result(Committed(recorded_at=outcome.recorded_at, receipt=receipt))


@contextmanager
def once_stored() -> Iterator[None]:
    """A failure after the events were stored must not look as if they were not.

    Raises OutcomeUnknown instead of any Unavailable: asking again under the same key resolves it.
    """
    try:
        yield
    except Unavailable as error:
        raise OutcomeUnknown() from error


def _tell(group: Iterable[_Waiting], outcome: _NotStored) -> None:
    for waiting in group:
        waiting.done.set_result(outcome)


def _is_of_all(outcome: _NotStored) -> bool:
    """Whether the outcome is that of every append of a group, and not the fault of one."""
    if isinstance(outcome, Failed):
        return isinstance(outcome.error, Unavailable)
    return isinstance(outcome, Conflict | Missing)


def _behind(append: Append) -> Conflict:
    """The outcome of the appends behind one that was not stored."""
    return Conflict(head_seq=append.expected_seq, head_hash=append.expected_hash)


def _continues(before: Append, after: Append) -> bool:
    last = before.events[-1]
    return (after.expected_seq, after.expected_hash) == (last.seq, bytes.fromhex(last.hash))


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
        erases=tuple(seq for each in group for seq in each.append.erases),
    )
