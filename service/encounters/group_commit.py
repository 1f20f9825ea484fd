"""One durable commit for many encounters at a time: group commit without a timer.

How this works. A request hands its append over and waits. As long as the writer can take another
batch next to those on their way to the disk, what has gathered goes out at once; then it gathers
until one of them is done. Under load batches grow by themselves, without load nothing waits. An
encounter is in one batch at a time, what comes for it meanwhile waits for the next, and a batch
names each encounter once:
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
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanContext, get_current_span, get_tracer

from service.encounters.receipts import Signer
from service.encounters.responses import Receipt
from service.errors import EncounterBusy, OutcomeUnknown, Unavailable
from service.eventstore.connection import WriteLane
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
"""Appends that may be unanswered; more are refused at once."""

_TRACER: Final = get_tracer("warlog")

FIRST_PAUSE_SECONDS = 0.001
LONGEST_PAUSE_SECONDS = 0.016
"""Pauses between two tries of an encounter whose row is held: each twice the one before."""


class Committed(Appended, frozen=True, kw_only=True, tag="committed"):
    """Stored and durable, with the signed head behind it."""

    receipt: Receipt


CommitResult = Committed | Conflict | Duplicate | Missing | Failed
"""What becomes of an append in the end."""

Landed = Callable[[CommitResult | None], None]
"""Called with what became of an append; None where that is not known."""

_NotStored = Conflict | Duplicate | Missing | Failed


@dataclass(slots=True)
class BatchTally:
    """How many batches went out, with how many appends; those set apart count again each time."""

    batches: int = 0
    appends: int = 0


class Submitted:
    """An append that was handed over; whoever awaits it hears what became of it.

    Of those who wait each may be cancelled without the others. `request` is the span of the
    request that asked for it, if that is traced.
    """

    __slots__ = ("_error", "_landed", "_outcome", "_waiters", "append", "request")

    def __init__(self, append: Append, request: SpanContext | None, landed: Landed | None) -> None:
        self.append = append
        self.request = request
        self._landed = landed
        self._outcome: CommitResult | None = None
        self._error: Exception | None = None
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def is_settled(self) -> bool:
        """Whether it is known what became of it."""
        return self._outcome is not None or self._error is not None

    def settle(self, outcome: CommitResult) -> None:
        """Tell what became of it: `landed` first, then whoever waits."""
        self._outcome = outcome
        self._tell(outcome)

    def fail(self, error: Exception) -> None:
        """The same where it is not known, for an error of this process: raised to who waits."""
        self._error = error
        self._tell(None)

    def __await__(self) -> Generator[object, None, CommitResult]:
        if not self.is_settled:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            yield from waiter
        if self._outcome is None:
            raise self._error or RuntimeError("it was told before it was settled")
        return self._outcome

    def _tell(self, outcome: CommitResult | None) -> None:
        # What lands knows of this append in turn: it is let go of.
        landed, self._landed = self._landed, None
        if landed is not None:
            # An error in it must not keep anybody else from hearing of his own.
            asyncio.get_running_loop().call_soon(landed, outcome)
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)


@dataclass(slots=True)
class _Apart:
    """An encounter that another session holds: what waits for it, empty while it is tried.

    `until` is when to give up, by the loop's clock; `pause` the seconds before the next try.
    """

    until: float
    pause: float = FIRST_PAUSE_SECONDS
    waiting: deque[Submitted] = field(default_factory=deque)


class Committer:
    """Gathers appends and commits them in batches, in the order they came per encounter."""

    def __init__(self, writer: Writer, signer: Signer, backlog: int = BACKLOG) -> None:
        self._writer = writer
        self._backlog = backlog
        self._signer = signer
        self._queue: deque[Submitted] = deque()
        self._apart: dict[UUID, _Apart] = {}
        self._unsettled = 0
        # Of each encounter that is in a batch now: what waits for the next.
        self._behind: dict[UUID, deque[Submitted]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._pauses: set[asyncio.Task[None]] = set()
        self.tally = BatchTally()
        writer.probe.when_stuck(self._refuse_waiting)

    def submit(self, append: Append, landed: Landed | None = None) -> Submitted:
        """Hand an append over; `landed` hears what became of it before anybody who awaits it.

        Raises Unavailable("overloaded") when too many wait already: nothing was written.
        """
        if self._unsettled >= self._backlog:
            raise Unavailable("overloaded", retry_after=1)
        span = get_current_span()
        request = span.get_span_context() if span.is_recording() else None
        submitted = Submitted(append, request, landed)
        self._unsettled += 1
        self._queue.append(submitted)
        # Whoever has this encounter in a batch now takes it afterwards.
        if append.encounter_id not in self._behind:
            self._begin()
        return submitted

    async def settle(self) -> None:
        """Wait until nothing is on its way."""
        while self._tasks or self._pauses:
            await asyncio.wait(self._tasks | self._pauses)

    def _refuse_waiting(self) -> None:
        """Refuse the appends that were not sent yet: nothing is committed now."""
        refusal = self._writer.probe.refusal()
        paused = {each: apart for each, apart in self._apart.items() if apart.waiting}
        for encounter, apart in paused.items():
            del self._apart[encounter]
            self._tell(apart.waiting, Failed(error=refusal))
            apart.waiting.clear()
        for waiting in (*self._behind.values(), self._queue):
            self._tell(waiting, Failed(error=refusal))
            waiting.clear()

    def _begin(self) -> None:
        """See to it that somebody takes what waits, unless all batches are on their way."""
        if len(self._tasks) < self._writer.batches_at_once:
            task = asyncio.create_task(self._drain())
            self._tasks.add(task)

    async def _drain(self) -> None:
        """Commit batch after batch, until all that waits is somebody else's to take."""
        lane = self._writer.lane()
        try:
            while batch := self._next_batch():
                await self._commit_or_fail(batch, lane)
        finally:
            # At once: nobody would take what is handed over before a callback ran.
            self._tasks -= {asyncio.current_task()}
            await lane.give_back()

    async def _commit_or_fail(self, batch: list[list[Submitted]], lane: WriteLane) -> None:
        try:
            await self._commit(batch, lane)
        except Exception as error:  # every request that waits must get an answer, whatever failed
            for waiting in (each for group in batch for each in group):
                self._apart.pop(waiting.append.encounter_id, None)
                if not waiting.is_settled:
                    self._unsettled -= 1
                    waiting.fail(error)
        finally:
            for group in batch:
                behind = self._behind.pop(group[0].append.encounter_id)
                self._queue.extendleft(reversed(behind))

    def _next_batch(self) -> list[list[Submitted]]:
        """The next appends, those of one encounter that follow one another together.

        From here on what comes for one of these encounters waits behind the batch, as does what
        does not continue the one before it; one of an encounter that is set apart waits with that.
        """
        groups: dict[UUID, list[Submitted]] = {}
        taken = 0
        while self._queue and taken < BATCH:
            waiting = self._queue.popleft()
            encounter = waiting.append.encounter_id
            apart, behind = self._apart.get(encounter), self._behind.get(encounter)
            group = groups.get(encounter)
            if apart is not None and apart.waiting:
                apart.waiting.append(waiting)
            elif behind is None:
                self._behind[encounter] = deque()
                groups[encounter] = [waiting]
                taken += 1
            elif group and not behind and _continues(group[-1].append, waiting.append):
                group.append(waiting)
                taken += 1
            else:
                behind.append(waiting)
        return list(groups.values())

    async def _commit(self, groups: list[list[Submitted]], lane: WriteLane) -> None:
        self.tally.batches += 1
        self.tally.appends += sum(len(group) for group in groups)
        outcomes = await self._append(groups, lane)
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
                self._tell(group, outcome)
            else:
                stored += await self._singly(group, held, lane)
        self._acknowledge(stored)
        for group in held:
            self._set_apart(group)

    async def _append(self, groups: list[list[Submitted]], lane: WriteLane) -> tuple[Outcome, ...]:
        """Append a batch, in a separate span if any request in it is traced."""
        joined = [_joined(group) for group in groups]
        links = [Link(each.request) for group in groups for each in group if each.request]
        if not links:
            return await self._writer.append(joined, lane)
        appends = sum(len(group) for group in groups)
        with _TRACER.start_as_current_span(
            "append batch",
            # It serves many requests and is part of none.
            context=Context(),
            links=links,
            attributes={"warlog.encounters": len(groups), "warlog.appends": appends},
        ):
            return await self._writer.append(joined, lane)

    async def _singly(
        self, group: list[Submitted], held: list[list[Submitted]], lane: WriteLane
    ) -> list[tuple[Submitted, Appended]]:
        """Append one by one, in order, up to the first that cannot be stored."""
        stored = []
        for index, waiting in enumerate(group):
            [outcome] = await self._writer.append([waiting.append], lane)
            if isinstance(outcome, Held):
                held.append(group[index:])
                break
            if isinstance(outcome, Appended):
                stored.append((waiting, outcome))
                continue
            self._tell(group[index : index + 1], outcome)
            self._tell(
                group[index + 1 :], outcome if _is_of_all(outcome) else _behind(waiting.append)
            )
            break
        return stored

    def _set_apart(self, group: list[Submitted]) -> None:
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
        self._tell(apart.waiting, busy)

    async def _try_again(self, apart: _Apart) -> None:
        await asyncio.sleep(apart.pause)
        apart.pause = min(2 * apart.pause, LONGEST_PAUSE_SECONDS)
        # In front of what came for the same encounter since.
        self._queue.extendleft(reversed(apart.waiting))
        apart.waiting.clear()
        self._begin()

    def _acknowledge(self, stored: list[tuple[Submitted, Appended]]) -> None:
        if not stored:
            return
        heads = [
            (str(waiting.append.encounter_id), last.seq, last.hash)
            for waiting, _ in stored
            for last in waiting.append.events[-1:]
        ]
        receipts = self._signer.sign_together(heads)
        self._unsettled -= len(stored)
        for (waiting, outcome), receipt in zip(stored, receipts, strict=True):
            waiting.settle(Committed(recorded_at=outcome.recorded_at, receipt=receipt))

    def _tell(self, group: Collection[Submitted], outcome: _NotStored) -> None:
        self._unsettled -= len(group)
        for waiting in group:
            waiting.settle(outcome)


@contextmanager
def once_stored() -> Iterator[None]:
    """A failure after the events were stored must not look as if they were not.

    Raises OutcomeUnknown instead of any Unavailable: asking again under the same key resolves it.
    """
    try:
        yield
    except Unavailable as error:
        raise OutcomeUnknown() from error


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


def _joined(group: list[Submitted]) -> Append:
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
