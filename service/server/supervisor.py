"""Worker processes that serve on one port, and the process that supervises them.

How this works. The parent has the listening sockets and serves nothing. Each worker is a fresh
process (`worker`) that inherits them; whoever of the workers is free takes the next connection.
One that dies, however it dies, is started again: at once if it had served for a while, else after
a pause that grows. The others go on meanwhile, and connections that nobody has taken yet are taken
by them. Only when all workers end as soon as they have begun, again and again, is there nothing
to go on with, and the parent ends too.

Told to end, the parent closes the sockets, asks the workers to end, waits for them as long as their
requests have, and kills what is left then. Told again, it continues ending. A parent that is killed
takes its workers along: they notice it and end in order.
"""

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from types import FrameType
from typing import Final

import structlog

from service.api.metrics import Share
from service.console import err, tell_error
from service.exits import Exit
from service.server import worker_channel
from service.server.listening_sockets import tell_where
from service.server.worker_channel import Figures, FiguresRequest, Serving, WorkerAssignment
from service.settings import Settings

PROGRAM: Final = "service.server.worker"

STEADY_SECONDS: Final = 5.0
"""A worker that served for so long had not begun wrongly."""
MOST_SHORT_LIVES: Final = 3
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 5.0

FIGURES_SECONDS: Final = 1.0
"""How long a worker has to tell its figures."""
LAST_SECONDS: Final = 3.0
"""What a worker has beyond the time of its requests to close its connections and leave."""

_log = structlog.get_logger("warlog.workers")


class Workers:
    """The processes that serve on `sockets`; each has `grace_seconds` to finish its requests."""

    def __init__(
        self, settings: Settings, sockets: Sequence[socket.socket], grace_seconds: float
    ) -> None:
        self._settings = settings
        self._sockets = sockets
        self._grace_seconds = grace_seconds
        self._numbers = range(1, settings.workers + 1)
        self._short_lives = dict.fromkeys(self._numbers, 0)
        self._workers: dict[int, _Worker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_told_to_end = False
        self._ending = asyncio.Event()
        self._has_said_where = False
        self._exit = Exit.OK

    def end(self, _: int = 0, __: FrameType | None = None) -> None:
        """Begin to end, as the handler of a signal; a second one changes nothing."""
        self._is_told_to_end = True
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._ending.set)

    def run(self) -> Exit:
        """Serve until a signal ends it; tell whether there was anything to serve with."""
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, self.end)
        if self._settings.redis_url is None:
            err.print(
                "WARLOG_REDIS_URL is not set: each process looks for what the others wrote"
                " once a second"
            )
        return asyncio.run(self._serve())

    async def _serve(self) -> Exit:
        self._loop = asyncio.get_running_loop()
        if self._is_told_to_end:
            self._ending.set()
        keepers = [asyncio.create_task(self._keep(number)) for number in self._numbers]
        await self._ending.wait()
        for each in self._sockets:
            each.close()
        for worker in self._workers.values():
            worker.send(signal.SIGTERM)
        _, late = await asyncio.wait(keepers, timeout=self._grace_seconds + LAST_SECONDS)
        if late:
            _log.warning("workers that do not end are killed", workers=len(late))
            for worker in self._workers.values():
                worker.send(signal.SIGKILL)
        await asyncio.gather(*keepers)
        return self._exit

    async def _keep(self, number: int) -> None:
        """Have this worker serve, again and again."""
        while not self._ending.is_set():
            try:
                served_seconds, code = await self._live(number)
            except OSError as error:
                served_seconds, code = 0.0, None
                _log.error("a worker cannot be started", worker=number, error=str(error))
            if self._ending.is_set():
                return
            _log.warning("a worker has ended", worker=number, code=code)
            if served_seconds >= STEADY_SECONDS:
                self._short_lives[number] = 0
                continue
            self._short_lives[number] += 1
            if min(self._short_lives.values()) >= MOST_SHORT_LIVES:
                self._give_up(code)
                return
            await self._pause(self._short_lives[number])

    def _give_up(self, code: int | None) -> None:
        how = "" if code is None else f" (the last with exit code {code})"
        tell_error(
            f"every worker ended as soon as it had begun, {MOST_SHORT_LIVES} times in a row{how};"
            " what they said stands above"
        )
        self._exit = Exit.UNAVAILABLE
        self._ending.set()

    async def _pause(self, short_lives: int) -> None:
        seconds = min(FIRST_PAUSE_SECONDS * 2 ** (short_lives - 1), LONGEST_PAUSE_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()

    async def _live(self, number: int) -> tuple[float, int]:
        """Start this worker and attend to it; how long it served, and its exit code."""
        worker = await self._started(number)
        self._workers[number] = worker
        if self._ending.is_set():
            worker.send(signal.SIGTERM)
        try:
            while (message := await worker_channel.read(worker.reader)) is not None:
                self._heard(worker, message)
        finally:
            served_seconds = worker.left()
            del self._workers[number]
        return served_seconds, await self._end_of(worker)

    async def _started(self, number: int) -> "_Worker":
        ours, theirs = socket.socketpair()
        with theirs:
            handed = [theirs.fileno(), *(each.fileno() for each in self._sockets)]
            try:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    # Modules that lie about where the service was started are not its own.
                    "-P",
                    "-m",
                    PROGRAM,
                    *map(str, handed),
                    pass_fds=handed,
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except BaseException:
                ours.close()
                raise
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        if self._settings.database_url is None:
            raise ValueError("no database is named")
        place = WorkerAssignment(
            number=number,
            database_url=self._settings.database_url,
            erase_url=self._settings.erase_url,
        )
        worker_channel.write(writer, place)
        return _Worker(process, reader, writer)

    async def _end_of(self, worker: "_Worker") -> int:
        """The exit code of a worker that talks to us no more; it has a while to leave."""
        try:
            async with asyncio.timeout(LAST_SECONDS):
                return await worker.process.wait()
        except TimeoutError:
            worker.send(signal.SIGKILL)
            return await worker.process.wait()

    def _heard(self, worker: "_Worker", message: worker_channel.WorkerMessage) -> None:
        match message:
            case Serving():
                worker.serving_since = asyncio.get_running_loop().time()
                if not self._has_said_where and not self._ending.is_set():
                    self._has_said_where = True
                    tell_where(self._sockets)
            case FiguresRequest():
                task = asyncio.create_task(self._send_figures(worker, message.question))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case Figures():
                worker.answered(message)
            case WorkerAssignment():
                pass

    async def _send_figures(self, asker: "_Worker", question: int) -> None:
        """Ask the other workers for their figures and send them to the asking worker."""
        others = [each for each in self._workers.values() if each is not asker and each.serves]
        questions = [each.ask() for each in others]
        if questions:
            await asyncio.wait(questions, timeout=FIGURES_SECONDS)
        shares = chain.from_iterable(each.result() for each in questions if each.done())
        worker_channel.write(asker.writer, Figures(question=question, shares=tuple(shares)))


class _Worker:
    """One worker as its parent sees it."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.process = process
        self.reader = reader
        self.writer = writer
        self.serving_since: float | None = None
        self._asked: dict[int, asyncio.Future[tuple[Share, ...]]] = {}
        self._questions = 0

    @property
    def serves(self) -> bool:
        return self.serving_since is not None

    def send(self, order: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(order)

    def ask(self) -> asyncio.Future[tuple[Share, ...]]:
        """The worker's figures when they arrive; none if it ends before."""
        self._questions += 1
        answer: asyncio.Future[tuple[Share, ...]] = asyncio.get_running_loop().create_future()
        self._asked[self._questions] = answer
        worker_channel.write(self.writer, FiguresRequest(question=self._questions))
        return answer

    def answered(self, figures: Figures) -> None:
        answer = self._asked.pop(figures.question, None)
        if answer is not None:
            answer.set_result(figures.shares)

    def left(self) -> float:
        """Note that the worker is gone; for how many seconds it served."""
        self.writer.close()
        for answer in self._asked.values():
            answer.set_result(())
        self._asked.clear()
        if self.serving_since is None:
            return 0.0
        return asyncio.get_running_loop().time() - self.serving_since
