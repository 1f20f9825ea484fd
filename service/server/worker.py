"""One of several processes that serve on one port: `python -m service.server.worker`.

How this works. The numbers of open sockets are its arguments: the one to its parent, then those it
listens on. What it must know of the database comes over the first, so that no password is in
its arguments; everything else is in the environment, as for the parent. It lives in a
separate session: a Ctrl-C reaches the parent alone, which ends its workers in order.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from service.api.metrics import Share
from service.api.request import services_of
from service.app import build
from service.server import worker_channel
from service.server.http_server import HttpServer, run
from service.server.log_lines import configure_logging
from service.server.worker_channel import Figures, FiguresRequest, Serving, WorkerAssignment
from service.settings import Settings, from_environment

OTHERS_SECONDS: Final = 2.0
"""How long the figures of the others are waited for; the parent waits less for each of them."""


class Parent:
    """The way to the process that looks after this one, and through it to the other workers."""

    def __init__(self, wire: socket.socket, number: int) -> None:
        self.number = number
        self._wire = wire
        self._writer: asyncio.StreamWriter | None = None
        self._asked: dict[int, asyncio.Future[tuple[Share, ...]]] = {}
        self._questions = 0

    async def attach(self) -> asyncio.StreamReader:
        """Take up the connection, to hear and to speak."""
        reader, self._writer = await asyncio.open_unix_connection(sock=self._wire)
        return reader

    def send(self, message: worker_channel.WorkerMessage) -> None:
        """Send a message to the parent, if there is one."""
        if self._writer is not None:
            worker_channel.write(self._writer, message)

    async def others(self) -> Sequence[Share]:
        """The figures of those among the other workers that answer."""
        self._questions += 1
        question = self._questions
        answer: asyncio.Future[tuple[Share, ...]] = asyncio.get_running_loop().create_future()
        self._asked[question] = answer
        self.send(FiguresRequest(question=question))
        try:
            async with asyncio.timeout(OTHERS_SECONDS):
                return await answer
        except TimeoutError:
            return ()
        finally:
            del self._asked[question]

    def answered(self, figures: Figures) -> None:
        """Take the figures that the parent was asked for."""
        answer = self._asked.get(figures.question)
        if answer is not None and not answer.done():
            answer.set_result(figures.shares)

    def leave(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()


class Worker(HttpServer):
    """The server as one of several: where it serves, the parent says."""

    def __init__(self, settings: Settings, parent: Parent) -> None:
        edge = build(settings, crew=parent)
        super().__init__(edge, settings)
        self._application = edge.application
        self._parent = parent
        self._hearing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and let the parent know."""
        self._hearing = asyncio.create_task(self._hear())
        await super().startup(sockets)
        self._parent.send(Serving())

    def tell_where(self) -> None:
        """Leave that to the parent."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close down, and leave the parent last."""
        await super().shutdown(sockets)
        if self._hearing is not None:
            self._hearing.cancel()
            with suppress(asyncio.CancelledError):
                await self._hearing
        self._parent.leave()

    async def _hear(self) -> None:
        """Do what the parent asks until it is gone; without it this process has to end."""
        reader = await self._parent.attach()
        while (message := await worker_channel.read(reader)) is not None:
            if isinstance(message, FiguresRequest):
                families = services_of(self._application).measures.families()
                own = Share(worker=self._parent.number, families=families)
                self._parent.send(Figures(question=message.question, shares=(own,)))
            elif isinstance(message, Figures):
                self._parent.answered(message)
        self.should_exit = True


def main(arguments: Sequence[str]) -> None:
    """Serve on sockets that are open already, until the parent says otherwise or is gone."""
    wire, *listening = (socket.socket(fileno=int(number)) for number in arguments)
    place = worker_channel.read_first(wire)
    if not isinstance(place, WorkerAssignment):
        sys.exit("the process that started this one is gone")
    settings = replace(
        from_environment(os.environ), database_url=place.database_url, erase_url=place.erase_url
    )
    configure_logging(settings.log_level)
    run(Worker(settings, Parent(wire, place.number)), listening)


if __name__ == "__main__":
    main(sys.argv[1:])
