"""Publishes the messages of one outbox to one server."""

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

    `astray` is called with letters that belong to another server, or to none at this moment.
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

    async def run(self) -> None:
        """Publish until the connection is lost. Raises one of LOST."""
        connection = self._dial()
        try:
            await connection.open()
            self._tally.connected += 1
            while True:
                await self._publish(connection, await self._outbox.take())
        finally:
            await connection.close()

    async def _publish(self, connection: RedisConnection, letters: list[Letter]) -> None:
        commands, sent = self._commands(letters)
        if not commands:
            return
        try:
            with _TRACER.start_as_current_span(
                "publish", context=Context(), attributes={"warlog.messages": len(commands)}
            ):
                answers = await connection.request(commands)
        except BaseException:
            # They may have been published: a message that comes twice does no harm.
            self._outbox.put_back(sent)
            raise
        self._take_answers(sent, answers)

    def _commands(self, letters: list[Letter]) -> tuple[list[RedisCommand], list[Letter]]:
        commands: list[RedisCommand] = []
        sent = []
        for letter in letters:
            try:
                sealed = self._sealer.seal(letter.message)
            except TooLong:
                self._tally.dropped += 1
                continue
            commands.append((b"SPUBLISH", channel_of(letter.message.encounter), sealed))
            sent.append(letter)
        return commands, sent

    def _take_answers(self, sent: list[Letter], answers: list[object]) -> None:
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
            self.complaint.report(refused)
        elif not strays:
            self.complaint.settle()
