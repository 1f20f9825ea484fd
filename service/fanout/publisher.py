"""Publishes to one server what waits for it."""

from collections.abc import Callable
from typing import Final

from opentelemetry.context import Context
from opentelemetry.trace import get_tracer
from redis.exceptions import AskError, ClusterDownError, MovedError, ResponseError, TryAgainError

from service.fanout.connection import RedisCommand, RedisConnection
from service.fanout.fanout import FanoutTally
from service.fanout.message_mac import MessageSealer, TooLong
from service.fanout.outbox import Letter, Outbox
from service.fanout.supervisor import Complaint
from service.fanout.topology import channel_of

_TRACER: Final = get_tracer("warlog")

ELSEWHERE: Final = (AskError, ClusterDownError, MovedError, TryAgainError)
"""Answers of a server that does not, or not now, serve this channel."""


class Publisher:
    """Takes messages out of one outbox and publishes them, many at a time.

    `astray` is given what belongs to another server, or to none at this moment.
    """

    def __init__(
        self,
        dial: Callable[[], RedisConnection],
        outbox: Outbox,
        sealer: MessageSealer,
        tally: FanoutTally,
        astray: Callable[[list[Letter]], None],
    ) -> None:
        self._dial = dial
        self._outbox = outbox
        self._sealer = sealer
        self._tally = tally
        self._astray = astray
        self.complaint = Complaint("publishing")

    async def tell(self) -> None:
        """Publish until the connection is lost. Raises one of LOST."""
        wire = self._dial()
        try:
            await wire.open()
            self._tally.connected += 1
            while True:
                await self._tell_some(wire, await self._outbox.take())
        finally:
            await wire.close()

    async def _tell_some(self, wire: RedisConnection, letters: list[Letter]) -> None:
        commands, sent = self._commands(letters)
        if not commands:
            return
        try:
            with _TRACER.start_as_current_span(
                "publish", context=Context(), attributes={"warlog.messages": len(commands)}
            ):
                answers = await wire.ask(commands)
        except BaseException:
            # Published or not: twice does no harm.
            self._outbox.put_back(sent)
            raise
        self._judge(sent, answers)

    def _commands(self, letters: list[Letter]) -> tuple[list[RedisCommand], list[Letter]]:
        commands: list[RedisCommand] = []
        sent = []
        for letter in letters:
            try:
                sealed = self._sealer.sealed(letter.message)
            except TooLong:
                self._tally.dropped += 1
                continue
            commands.append((b"SPUBLISH", channel_of(letter.message.encounter), sealed))
            sent.append(letter)
        return commands, sent

    def _judge(self, sent: list[Letter], answers: list[object]) -> None:
        strays = []
        refused: ResponseError | None = None
        for letter, answer in zip(sent, answers, strict=True):
            if isinstance(answer, ELSEWHERE):
                strays.append(letter)
            elif isinstance(answer, ResponseError):
                refused = answer
                self._tally.dropped += 1
            else:
                self._tally.published += 1
        if strays:
            self._astray(strays)
        if refused is not None:
            self.complaint.made(refused)
        elif not strays:
            self.complaint.settled()
