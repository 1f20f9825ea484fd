"""A stream to one client, and its place in the log of each encounter it is about.

How this works. A `ClientStream` has one sink and one `Follower` per encounter. A follower is
*live*: it is where its channel is, and every event is written to it as it comes; or
*behind*: it is at its own place and a separate task brings it up; or over. It is in its
channel as long as it is not over, so there is no moment at which it could miss an event.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from msgspec import UNSET

from service.encounters.principal import Principal
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By
from service.live.records import (
    ByeReason,
    Outgoing,
    Resync,
    ResyncReason,
    farewell,
    unplaced,
)
from service.live.sinks import Sink, Subscription

NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(slots=True)
class StreamTally:
    """Counts since the process began.

    `delivered` are events, each as often as it was written, `encoded` how often one was encoded for
    a view of live followers; `resyncs` are streams ended because they could not go on, `catch_ups`
    how often a follower was behind; `overflown` are messages that did not fit into the inbox and
    were left to the log.
    """

    delivered: int = 0
    encoded: int = 0
    resyncs: int = 0
    catch_ups: int = 0
    overflown: int = 0


class Follower:
    """One encounter on one stream.

    `by` is the caller's role there, known since seq `since`; `granted_at` is the event that stated
    it last, 0 for a key by itself. `viewer` is that of its group, None while it is not live. While
    it is behind, `seq` and `hash8` are its place, `present` and `timer_changes` what it was sent of
    presence and deadlines, and `is_greeted` whether its last hello still holds. `is_revoked`: it
    is over because the right to read is gone.
    """

    __slots__ = (
        "by",
        "encounter",
        "framing",
        "granted_at",
        "hash8",
        "is_greeted",
        "is_over",
        "is_revoked",
        "present",
        "seq",
        "since",
        "sink",
        "stream",
        "task",
        "timer_changes",
        "viewer",
        "who",
    )

    def __init__(
        self, stream: "ClientStream", encounter: UUID, by: By, place: tuple[int, str], since: int
    ) -> None:
        self.stream = stream
        self.sink = stream.sink
        self.framing = stream.sink.framing
        self.who = stream.who
        self.encounter = encounter
        self.by = by
        self.granted_at = 0
        self.seq, self.hash8 = place
        self.since = since
        self.present = NOBODY
        self.timer_changes = 0
        self.viewer: Viewer | None = None
        self.task: asyncio.Task[None] | None = None
        self.is_greeted = False
        self.is_over = False
        self.is_revoked = False

    @property
    def place(self) -> str:
        """The cursor of its place."""
        return f"{self.seq}-{self.hash8}"

    def write(self, out: Outgoing) -> None:
        """Write events to it while it is behind, and move its place behind them."""
        self.sink.write(out)
        self.seq, self.hash8 = out.seq, out.hash8


class ClientStream:
    """One line to one client, and what is followed on it.

    `leave` takes a follower that is over out of its channel, `over` is called when none is left.
    A stream ends in one of two ways, both here: its owner cancels the subscription, or a last
    record says why it ends and the sink is closed. `written_at` is when it began, or was sent the
    last comment, by the loop's time.
    """

    __slots__ = (
        "_leave",
        "_over",
        "_tally",
        "followers",
        "is_of_many",
        "sink",
        "subscription",
        "who",
        "written_at",
    )

    def __init__(
        self,
        who: Principal,
        sink: Sink,
        leave: Callable[[Follower], None],
        over: Callable[["ClientStream"], None],
        tally: StreamTally,
    ) -> None:
        self.who = who
        self.sink = sink
        self.followers: list[Follower] = []
        self.is_of_many = False
        self.written_at = asyncio.get_running_loop().time()
        self.subscription = Subscription(self._let_go)
        self._leave = leave
        self._over = over
        self._tally = tally

    def bye(self, reason: ByeReason) -> None:
        """End the stream with `bye`."""
        if self.followers:
            for follower in self.followers:
                follower.is_revoked = reason == "revoked"
            encounter = self.followers[0].encounter
            named = UNSET if self.is_of_many else str(encounter)
            self._end(unplaced(encounter, farewell(named, reason)))

    def too_slow(self) -> None:
        """End the stream with `resync`: the client does not read."""
        if self.followers:
            self._tally.resyncs += 1
            first = self.followers[0]
            body = Resync(encounter=str(first.encounter), reason="too_slow", after=first.place)
            if self.is_of_many:
                body = Resync(reason="too_slow")
            self._end(unplaced(first.encounter, body))

    def bye_from(self, follower: Follower, reason: ByeReason) -> None:
        """End one encounter on the stream with `bye`, and with the last one the stream."""
        follower.is_revoked = reason == "revoked"
        body = farewell(str(follower.encounter), reason)
        self._end_one(follower, unplaced(follower.encounter, body))

    def resync_from(self, follower: Follower, reason: ResyncReason) -> None:
        """The same with `resync`; its place is named, unless that lies on a lost history."""
        self._tally.resyncs += 1
        is_lost = reason == "history_diverged"
        after = UNSET if is_lost else follower.place
        body = Resync(encounter=str(follower.encounter), reason=reason, after=after)
        self._end_one(follower, unplaced(follower.encounter, body))

    def _end_one(self, follower: Follower, last: Outgoing) -> None:
        if self.followers == [follower]:
            self._end(last)
        elif not follower.is_over:
            self._drop(follower)
            self.sink.write(last)

    def _end(self, last: Outgoing) -> None:
        self._drop_all()
        self.sink.write(last)
        self.sink.close()
        self.subscription.end()
        self._over(self)

    def _let_go(self) -> None:
        self._drop_all()
        self._over(self)

    def _drop_all(self) -> None:
        for follower in tuple(self.followers):
            self._drop(follower)

    def _drop(self, follower: Follower) -> None:
        self.followers.remove(follower)
        follower.is_over = True
        task, follower.task = follower.task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        self._leave(follower)
