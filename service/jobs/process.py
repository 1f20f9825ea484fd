"""The process of one job, as the process that started it sees it.

How this works. The child is a fresh interpreter in a separate group. `subprocess` starts it, in a
thread: it does so without copying the memory of the process that serves, which the event loop's own
way does, for a tenth of a second and more. Nothing is awaited under a time limit: whoever has a
reason to end the job (`end`) notes the reason and kills the group, and whoever reads its lines sees
their end, and raises the reason.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from math import ceil
from typing import BinaryIO, Final, cast

import structlog

from service.errors import JobFailed, JobTimedOut
from service.jobs.__main__ import OUT_OF_MEMORY
from service.jobs.client_wait import ClientWait

LINE_BYTES: Final = 1 << 20
"""No line of a job is longer."""

PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONPATH", "PYTHONHOME")
"""All that a job is shown of the environment: it holds addresses and keys."""

_TAIL_BYTES: Final = 4_096
_PIECE_BYTES: Final = 65_536
_LOOK_SECONDS: Final = 0.005
_SPARE_SECONDS: Final = 2
"""The parent ends a job first, if there is a parent."""

_WHEREABOUTS: Final = re.compile(r"job: (\w+(?: [\w.]+:[0-9]+)?)")

_log = structlog.get_logger("warlog.jobs")


class JobProcess:
    """A job under way, of at most so many seconds; `reason` is why it was ended, if it was.

    `hunger` is for its input to come, not for the job to take it; `unread` for its lines to be
    taken.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", job: str, seconds: float) -> None:
        self.reason: BaseException | None = None
        self.hunger = ClientWait()
        self.unread = ClientWait()
        self._job = job
        self._seconds = seconds
        self._process = process
        self._tail = b""
        self._tasks: list[asyncio.Task[None]] = []
        self._open: dict[object, asyncio.BaseTransport | None] = {
            process.stdin: None,
            process.stdout: None,
            process.stderr: None,
        }

    @classmethod
    async def start(cls, job: str, seconds: float, memory_bytes: int) -> "JobProcess":
        """Start one. Raises OSError if there can be no further process."""
        command = [
            sys.executable,
            # Neither modules that lie about nor compiled ones written: see `service.jobs`.
            *("-P", "-B", "-m", "service.jobs", job),
            *(str(ceil(seconds) + _SPARE_SECONDS), str(memory_bytes)),
        ]
        starting = asyncio.ensure_future(asyncio.to_thread(_started, command))
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(_kill_unwanted)
            raise
        return cls(process, job, seconds)

    async def lines(self, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        """Feed the job and yield what it says, without newlines.

        Raises JobTimedOut, JobFailed, the reason it was ended for, and what `pieces` raises.
        """
        out_of_time = JobTimedOut(seconds=ceil(self._seconds))
        timer = asyncio.get_running_loop().call_later(self._seconds, self.end, out_of_time)
        try:
            reader = await self._reader(self._process.stdout, LINE_BYTES)
            errors = await self._reader(self._process.stderr, _PIECE_BYTES)
            writer = await self._writer()
            feeding = asyncio.create_task(self._feed(writer, pieces))
            hearing = asyncio.create_task(self._keep_tail(errors))
            self._tasks = [feeding, hearing]
            while line := await self._line(reader):
                with self.unread.lasting():
                    yield line[:-1]
                self.unread.passed(len(line))
            await self.gone()
            await hearing
            self._require_success()
        finally:
            timer.cancel()
            self.end(None)

    def end(self, reason: BaseException | None) -> None:
        """Kill the job and whatever it started; the first reason counts."""
        if self._process.poll() is None:
            self.reason = self.reason or reason
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def bury(self) -> None:
        """End it, and return when nothing is left of it."""
        self.end(None)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for pipe, transport in self._open.items():
            if transport is None:
                cast("BinaryIO", pipe).close()
            else:
                transport.close()
        await self.gone()

    async def gone(self) -> None:
        """Return when the process has ended and been waited for."""
        while self._process.poll() is None:  # noqa: ASYNC110 - not every loop tells of its end
            await asyncio.sleep(_LOOK_SECONDS)

    async def _line(self, reader: asyncio.StreamReader) -> bytes:
        """The next line with its newline; none at the end."""
        try:
            return await reader.readuntil()
        except asyncio.IncompleteReadError as end:
            if end.partial:
                self.reason = self.reason or JobFailed(why="crashed")
        except asyncio.LimitOverrunError:
            self.end(JobFailed(why="line_too_long"))
        return b""

    async def _feed(self, writer: asyncio.StreamWriter, pieces: AsyncIterator[bytes]) -> None:
        """Hand the job its input as fast as it takes it; it need not take all."""
        try:
            async for piece in self._awaited(pieces):
                writer.write(piece)
                self.hunger.passed(len(piece))
                await writer.drain()
        except ConnectionError:
            return
        except Exception as error:
            self.end(error)
        finally:
            writer.close()

    async def _awaited(self, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The same pieces; how long they are waited for counts."""
        self.hunger.begin()
        try:
            async for piece in pieces:
                self.hunger.end()
                yield piece
                self.hunger.begin()
        finally:
            self.hunger.end()

    async def _keep_tail(self, errors: asyncio.StreamReader) -> None:
        while piece := await errors.read(_PIECE_BYTES):
            self._tail = (self._tail + piece)[-_TAIL_BYTES:]

    def _require_success(self) -> None:
        """Raises the reason for which the job was ended, JobTimedOut, JobFailed."""
        if self.reason is not None:
            raise self.reason
        code = self._process.returncode
        if code == 0:
            return
        if code == -signal.SIGXCPU:
            raise JobTimedOut(seconds=ceil(self._seconds))
        why = "memory" if code in {OUT_OF_MEMORY, -signal.SIGKILL} else "crashed"
        # Not what else it said, which may be of what it worked on.
        place = _WHEREABOUTS.search(self._tail.decode("utf-8", "replace"))
        error = None if place is None else place[1]
        _log.warning("a job failed", job=self._job, why=why, code=code, error=error)
        raise JobFailed(why=why)

    async def _reader(self, pipe: object, limit: int) -> asyncio.StreamReader:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        self._open[pipe] = transport
        return reader

    async def _writer(self) -> asyncio.StreamWriter:
        loop, pipe = asyncio.get_running_loop(), self._process.stdin
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), pipe
        )
        self._open[pipe] = transport
        return asyncio.StreamWriter(transport, protocol, None, loop)


def _started(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - a command of our own, no shell
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
    )


def _kill_unwanted(starting: "asyncio.Future[subprocess.Popen[bytes]]") -> None:
    """End a process that nobody waits for any more."""
    if starting.cancelled() or starting.exception() is not None:
        return
    process = starting.result()
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()
