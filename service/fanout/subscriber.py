"""Hears from one server what is told about the encounters that are followed there.

How this works. One connection per server. A writer subscribes and unsubscribes, one command per
encounter (a cluster refuses channels of two slots in one command), and asks for a sign of life
when it was quiet for long; a reader takes what comes. Commands are answered in the order they were
sent, refusals too, which do not say what they refuse: hence the queue of what was asked. Only a
server that gives a slot away ends subscriptions unasked. Whatever ends the connection, the next
one begins with all subscriptions anew, and whoever follows is told that something may be missed.
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
"""Without a word for so long a server is asked whether it is there."""

ANSWER_SECONDS: Final = 1.0
AT_ONCE: Final = 64
"""Messages that are taken before others have their turn; encounters reported in one piece."""

_PING: Final = (b"PING",)
_VERBS: Final = {"subscribe": b"SSUBSCRIBE", "unsubscribe": b"SUNSUBSCRIBE"}
Verb = Literal["subscribe", "unsubscribe"]


class Listener:
    """The subscriptions at one server.

    `hear` is given channel and bytes of each message; `begun` the encounters that are listened to
    from now on; `lost` is called when the server does not serve what it was asked for.
    """

    def __init__(
        self,
        dial: Callable[[], RedisConnection],
        tally: FanoutTally,
        *,
        hear: Callable[[bytes, bytes], None],
        begun: Callable[[tuple[UUID, ...]], None],
        lost: Callable[[], None],
    ) -> None:
        self._dial = dial
        self._tally = tally
        self._hear = hear
        self._begun = begun
        self._lost = lost
        self._wanted: set[UUID] = set()
        self._asked: set[UUID] = set()
        self._confirmed: set[UUID] = set()
        self._changed: dict[UUID, None] = {}
        self._unanswered: deque[tuple[Verb, UUID]] = deque()
        self._fresh: list[UUID] = []
        self._bell = asyncio.Event()
        self._is_open = False
        self._is_quiet = False
        self.complaint = Complaint("listening")

    @property
    def is_deaf(self) -> bool:
        """Whether something that is wanted may not be heard."""
        return not self._is_open or not self._wanted <= self._confirmed

    @property
    def wanted(self) -> int:
        """How many encounters are to be listened to."""
        return len(self._wanted)

    def want(self, encounter: UUID) -> None:
        """Listen to this encounter from soon on."""
        self._wanted.add(encounter)
        self._change(encounter)

    def unwant(self, encounter: UUID) -> None:
        """Listen to it no longer."""
        self._wanted.discard(encounter)
        self._change(encounter)

    def want_just(self, encounters: set[UUID]) -> None:
        """Listen to these and no others."""
        for encounter in self._wanted - encounters:
            self.unwant(encounter)
        for encounter in encounters - self._wanted:
            self.want(encounter)
        self.ask_again()

    def ask_again(self) -> None:
        """Ask again for what was refused."""
        for encounter in self._wanted - self._asked:
            self._change(encounter)

    async def listen(self) -> None:
        """Listen until the connection is lost. Raises one of LOST, or a group of them."""
        wire = self._dial()
        try:
            await wire.open()
            self._tally.connected += 1
            self._begin()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._write(wire))
                await self._read(wire)
        finally:
            self._end()
            await wire.close()

    def _begin(self) -> None:
        self._is_open = True
        self._is_quiet = False
        self._changed = dict.fromkeys(self._wanted)
        self._bell.set()

    def _end(self) -> None:
        self._is_open = False
        self._asked.clear()
        self._confirmed.clear()
        self._unanswered.clear()
        self._fresh.clear()

    def _change(self, encounter: UUID) -> None:
        if self._is_open:
            self._changed[encounter] = None
            self._bell.set()

    async def _write(self, wire: RedisConnection) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            commands = self._commands()
            if self._is_quiet:
                commands.append(_PING)
            if commands:
                await wire.send(commands)
            self._report()

    def _commands(self) -> list[RedisCommand]:
        commands: list[RedisCommand] = []
        for encounter in self._changed:
            is_wanted = encounter in self._wanted
            if is_wanted == (encounter in self._asked):
                if encounter in self._confirmed:
                    # Left and followed again: what came in between was not passed on.
                    self._fresh.append(encounter)
                continue
            verb: Verb = "subscribe" if is_wanted else "unsubscribe"
            if is_wanted:
                self._asked.add(encounter)
            else:
                self._asked.discard(encounter)
                self._confirmed.discard(encounter)
            self._unanswered.append((verb, encounter))
            commands.append((_VERBS[verb], channel_of(encounter)))
        self._changed.clear()
        return commands

    async def _read(self, wire: RedisConnection) -> None:
        turn = 0
        while True:
            said = await wire.hear(ANSWER_SECONDS if self._is_quiet else QUIET_SECONDS)
            if said is None:
                if self._is_quiet:
                    raise TimeoutError("no sign of life")
                self._is_quiet = True
                self._bell.set()
                continue
            self._is_quiet = False
            self._take(said)
            turn += 1
            if turn % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _take(self, said: object) -> None:
        match said:
            case [b"smessage", bytes() as channel, bytes() as sealed]:
                self._hear(channel, sealed)
            case [b"ssubscribe", bytes() as channel, _]:
                self._subscribed(encounter_of(channel))
            case [b"sunsubscribe", bytes() as channel, _]:
                self._unsubscribed(encounter_of(channel))
            case ResponseError():
                self._refused(said)
            case _:
                return

    def _subscribed(self, encounter: UUID | None) -> None:
        if self._unanswered and self._unanswered[0] == ("subscribe", encounter):
            self._unanswered.popleft()
        if encounter is not None and encounter in self._wanted and encounter in self._asked:
            self._confirmed.add(encounter)
            self._fresh.append(encounter)
        self._report()

    def _unsubscribed(self, encounter: UUID | None) -> None:
        if self._unanswered and self._unanswered[0] == ("unsubscribe", encounter):
            self._unanswered.popleft()
            self._report()
        elif encounter is not None and encounter in self._asked:
            self._drop(encounter)

    def _refused(self, error: ResponseError) -> None:
        self.complaint.made(error)
        if not self._unanswered:
            return
        verb, encounter = self._unanswered.popleft()
        if verb == "subscribe":
            self._drop(encounter)
        self._report()

    def _drop(self, encounter: UUID) -> None:
        self._asked.discard(encounter)
        self._confirmed.discard(encounter)
        self._lost()

    def _report(self) -> None:
        """Tell what is listened to from now on: in one piece while more is to come."""
        if self._unanswered and len(self._fresh) < AT_ONCE:
            return
        if self._fresh:
            fresh = tuple(self._fresh)
            self._fresh.clear()
            self._begun(fresh)
        if not self._unanswered and not self.is_deaf:
            self.complaint.settled()
