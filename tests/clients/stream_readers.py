"""Published clients of server-sent events, each with what it heard: of JavaScript and of Python.

How this works. Those of JavaScript share one Node process (`stream_clients.mjs`) and come back by
themselves. Those of Python read one stream; a loop opens the next one behind the last id that was
handed over, as their documents say. What is no JSON is not counted as heard.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from aiohttp import ClientError
from aiosseclient import aiosseclient
from httpx_sse import SSEError, aconnect_sse
from sseclient import SSEClient

from tests.clients.tools import HERE, NODE, node_modules
from tests.patience import PATIENCE_SECONDS

DRIVER: Final = HERE / "stream_clients.mjs"
_NAP_SECONDS: Final = 0.2
_LONGEST_LINE: Final = 1 << 24

Tree = dict[str, Any]


class Message(NamedTuple):
    """What a client handed over."""

    kind: str
    data: str
    id: str


class Heard:
    """What one client heard; `errors` are what went wrong, `is_closed`: it comes back no more."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.records: list[Tree] = []
        """In the order they came; a message without whole JSON is left out."""
        self.halves: list[Message] = []
        """What was handed over without whole JSON: empty messages and half records."""
        self.last_whole_id = ""
        self.errors: list[str] = []
        self.is_closed = False

    def hear(self, kind: str, data: str, id_: str | None) -> None:
        """Take note of a message."""
        message = Message(kind, data, id_ or "")
        self.messages.append(message)
        try:
            self.records.append(json.loads(data))
        except ValueError:
            self.halves.append(message)
        else:
            self.last_whole_id = message.id or self.last_whole_id

    @property
    def seqs(self) -> list[int]:
        """The events in the order they came."""
        return [each["seq"] for each in self.records if each["type"] == "event"]

    @property
    def hellos(self) -> int:
        """How often a stream was opened."""
        return sum(each["type"] == "hello" for each in self.records)

    @property
    def problems(self) -> list[Tree]:
        """The refusals that it was shown as records."""
        return [each for each in self.records if each["type"] == "problem"]


class NodeClients:
    """The clients of JavaScript, in one process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._heard: dict[str, Heard] = {}
        self._reading = asyncio.ensure_future(self._read())

    def begin(self, client: str, name: str, url: str) -> Heard:
        """Follow an address."""
        heard = self._heard[name] = Heard()
        self._say({"client": client, "name": name, "url": url})
        return heard

    def end(self, name: str) -> None:
        """Follow no more."""
        self._say({"name": name, "close": True})

    async def close(self) -> None:
        """End the process; it has complained of nothing."""
        self._reading.cancel()
        self._process.kill()
        _, said = await self._process.communicate()
        assert said == b"", said.decode()

    def _say(self, line: Tree) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while text := await self._process.stdout.readline():
            line = json.loads(text)
            heard = self._heard[line["name"]]
            if "error" in line:
                heard.errors.append(line["error"])
                heard.is_closed = line["closed"]
            else:
                heard.hear(line["kind"], line["data"], line["id"])


@asynccontextmanager
async def node_clients() -> AsyncIterator[NodeClients]:
    """A process of the clients of JavaScript."""
    pipe = asyncio.subprocess.PIPE
    modules = await asyncio.to_thread(node_modules)
    process = await asyncio.create_subprocess_exec(
        str(NODE),
        str(DRIVER),
        str(Path(modules)),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        limit=_LONGEST_LINE,
    )
    clients = NodeClients(process)
    try:
        yield clients
    finally:
        await clients.close()


async def httpx_sse_once(url: str, last: str, heard: Heard) -> None:
    """One stream with httpx-sse, whose default is to give up after 5 silent seconds."""
    headers = {"Last-Event-ID": last} if last else {}
    async with (
        httpx.AsyncClient(timeout=5.0) as client,
        aconnect_sse(client, "GET", url, headers=headers) as source,
    ):
        async for each in source.aiter_sse():
            heard.hear(each.event, each.data, each.id)


async def aiosseclient_once(url: str, last: str, heard: Heard) -> None:
    """One stream with aiosseclient."""
    async for each in aiosseclient(url, last_id=last or None):
        heard.hear(each.event, each.data, each.id)


async def sseclient_once(url: str, last: str, heard: Heard) -> None:
    """One stream with sseclient-py, in a thread, which ends with the stream or when cancelled."""
    loop = asyncio.get_running_loop()
    is_over = threading.Event()
    sockets: list[socket.socket] = []

    def read() -> None:
        headers = {"Last-Event-ID": last} if last else {}
        with (
            httpx.Client(timeout=PATIENCE_SECONDS) as client,
            client.stream("GET", url, headers=headers) as answer,
        ):
            sockets.append(answer.extensions["network_stream"].get_extra_info("socket"))
            if is_over.is_set():
                return
            with suppress(httpx.HTTPError):
                for each in SSEClient(answer.iter_bytes()).events():
                    loop.call_soon_threadsafe(heard.hear, each.event, each.data, each.id)

    reading = asyncio.ensure_future(asyncio.to_thread(read))
    try:
        await asyncio.shield(reading)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: what it waits for is ended.
        is_over.set()
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with suppress(httpx.HTTPError):
            await reading
        raise


Once = Callable[[str, str, Heard], Any]
PYTHON: Final[dict[str, Once]] = {
    "httpx-sse": httpx_sse_once,
    "aiosseclient": aiosseclient_once,
    "sseclient-py": sseclient_once,
}
JAVASCRIPT: Final = (
    "eventsource",
    "event-source-polyfill",
    "extended-eventsource",
    "fetch-event-source",
    "launchdarkly-eventsource",
)


async def follow(once: Once, url: str, heard: Heard) -> None:
    """Follow with a client of Python, again and again behind the last id of a whole record."""
    while True:
        try:
            await once(url, heard.last_whole_id, heard)
        except (httpx.HTTPError, ClientError, OSError, SSEError) as error:
            heard.errors.append(type(error).__name__)
        await asyncio.sleep(_NAP_SECONDS)
