"""Receives from one server the messages about the encounters that are followed there.

How this works. One connection per server. A writer subscribes and unsubscribes, one command per
encounter (a cluster refuses channels of two slots in one command), and pings when the server was
quiet for long; a reader takes what comes. Commands are answered in the order they were sent,
refusals too, which do not name what they refuse: hence the queue of unanswered commands. A server
ends a subscription by itself only when it gives a slot away. After a lost connection the next one
begins with all subscriptions again, and `on_begun` says which messages may have been missed.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Literal
from uuid import UUID

from redis.exceptions import ResponseError

from service.fanout.connection import RedisCommand, RedisConnection
from service.fanout.fanout import FanoutTally
from service.fanout.supervisor import Complaint
from service.fanout.topology import channel_of, encounter_of

QUIET_SECONDS: Final = 2.0
"""A server that sent nothing for so long is pinged."""

ANSWER_SECONDS: Final = 1.0
AT_ONCE: Final = 64
"""Messages that are read before other tasks have a turn; encounters reported in one call."""

_PING: Final = (b"PING",)
_VERBS: Final = {"subscribe": b"SSUBSCRIBE", "unsubscribe": b"SUNSUBSCRIBE"}
Verb = Literal["subscribe", "unsubscribe"]


class Subscriber:
    """The subscriptions at one server.

    `on_message` is called with channel and bytes of each message, `on_begun` with encounters whose
    subscription has begun, `on_lost` when the server refuses or ends a subscription.
    """

    def __init__(
        self,
        dial: Callable[[], RedisConnection],
        tally: FanoutTally,
        *,
        on_message: Callable[[bytes, bytes], None],
        on_begun: Callable[[tuple[UUID, ...]], None],
        on_lost: Callable[[], None],
    ) -> None:
        self._dial = dial
        self._tally = tally
        self._on_message = on_message
        self._on_begun = on_begun
        self._on_lost = on_lost
        self._wanted: set[UUID] = set()
        self._requested: set[UUID] = set()
        self._confirmed: set[UUID] = set()
        self._changed: dict[UUID, None] = {}
        self._unanswered: deque[tuple[Verb, UUID]] = deque()
        self._begun_now: list[UUID] = []
        self._bell = asyncio.Event()
        self._is_open = False
        self._is_quiet = False
        self.complaint = Complaint("listening")

    @property
    def is_deaf(self) -> bool:
        """Whether messages about a wanted encounter may be missed now."""
        return not self._is_open or not self._wanted <= self._confirmed

    @property
    def subscription_count(self) -> int:
        """How many encounters are wanted here."""
        return len(self._wanted)

    def subscribe(self, encounter: UUID) -> None:
        """Subscribe to this encounter soon."""
        self._wanted.add(encounter)
        self._change(encounter)

    def unsubscribe(self, encounter: UUID) -> None:
        """End the subscription to this encounter soon."""
        self._wanted.discard(encounter)
        self._change(encounter)

    def subscribe_only(self, encounters: set[UUID]) -> None:
        """Subscribe to these encounters and no others."""
        for encounter in self._wanted - encounters:
            self.unsubscribe(encounter)
        for encounter in encounters - self._wanted:
            self.subscribe(encounter)
        self.retry()

    def retry(self) -> None:
        """Subscribe again where the server refused."""
        for encounter in self._wanted - self._requested:
            self._change(encounter)

    async def run(self) -> None:
        """Subscribe and read until the connection is lost. Raises one of LOST, or a group."""
        connection = self._dial()
        try:
            await connection.open()
            self._tally.connected += 1
            self._begin()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._write(connection))
                await self._read(connection)
        finally:
            self._end()
            await connection.close()

    def _begin(self) -> None:
        self._is_open = True
        self._is_quiet = False
        self._changed = dict.fromkeys(self._wanted)
        self._bell.set()

    def _end(self) -> None:
        self._is_open = False
        self._requested.clear()
        self._confirmed.clear()
        self._unanswered.clear()
        self._begun_now.clear()

    def _change(self, encounter: UUID) -> None:
        if self._is_open:
            self._changed[encounter] = None
            self._bell.set()

    async def _write(self, connection: RedisConnection) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            commands = self._commands()
            if self._is_quiet:
                commands.append(_PING)
            if commands:
                await connection.send(commands)
            self._report()

    def _commands(self) -> list[RedisCommand]:
        commands: list[RedisCommand] = []
        for encounter in self._changed:
            is_wanted = encounter in self._wanted
            if is_wanted == (encounter in self._requested):
                if encounter in self._confirmed:
                    # Left and followed again: messages in between were not delivered.
                    self._begun_now.append(encounter)
                continue
            verb: Verb = "subscribe" if is_wanted else "unsubscribe"
            if is_wanted:
                self._requested.add(encounter)
            else:
                self._requested.discard(encounter)
                self._confirmed.discard(encounter)
            self._unanswered.append((verb, encounter))
            commands.append((_VERBS[verb], channel_of(encounter)))
        self._changed.clear()
        return commands

    async def _read(self, connection: RedisConnection) -> None:
        turn = 0
        while True:
            answer = await connection.receive(ANSWER_SECONDS if self._is_quiet else QUIET_SECONDS)
            if answer is None:
                if self._is_quiet:
                    raise TimeoutError("no sign of life")
                self._is_quiet = True
                self._bell.set()
                continue
            self._is_quiet = False
            self._take(answer)
            turn += 1
            if turn % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _take(self, answer: object) -> None:
        match answer:
            case [b"smessage", bytes() as channel, bytes() as sealed]:
                self._on_message(channel, sealed)
            case [b"ssubscribe", bytes() as channel, _]:
                self._subscribed(encounter_of(channel))
            case [b"sunsubscribe", bytes() as channel, _]:
                self._unsubscribed(encounter_of(channel))
            case ResponseError():
                self._refused(answer)
            case _:
                return

    def _subscribed(self, encounter: UUID | None) -> None:
        if self._unanswered and self._unanswered[0] == ("subscribe", encounter):
            self._unanswered.popleft()
        if encounter is not None and encounter in self._wanted and encounter in self._requested:
            self._confirmed.add(encounter)
            self._begun_now.append(encounter)
        self._report()

    def _unsubscribed(self, encounter: UUID | None) -> None:
        if self._unanswered and self._unanswered[0] == ("unsubscribe", encounter):
            self._unanswered.popleft()
            self._report()
        elif encounter is not None and encounter in self._requested:
            self._drop(encounter)

    def _refused(self, error: ResponseError) -> None:
        self.complaint.report(error)
        if not self._unanswered:
            return
        verb, encounter = self._unanswered.popleft()
        if verb == "subscribe":
            self._drop(encounter)
        self._report()

    def _drop(self, encounter: UUID) -> None:
        self._requested.discard(encounter)
        self._confirmed.discard(encounter)
        self._on_lost()

    def _report(self) -> None:
        """Call `on_begun` when all answers are in, or for `AT_ONCE` encounters at a time."""
        if self._unanswered and len(self._begun_now) < AT_ONCE:
            return
        if self._begun_now:
            begun = tuple(self._begun_now)
            self._begun_now.clear()
            self._on_begun(begun)
        if not self._unanswered and not self.is_deaf:
            self.complaint.settle()
