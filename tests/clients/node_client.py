"""The client in JavaScript, in a Node process that a test drives line by line."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from tests.clients.tools import HERE, NODE, PROJECT
from tests.patience import PATIENCE_SECONDS, until

LIBRARY: Final = PROJECT / "openapi" / "clients" / "javascript" / "source" / "index.js"
DRIVER: Final = HERE / "client_driver.mjs"
_LONGEST_LINE: Final = 64 << 20

Tree = dict[str, Any]


class Told(Exception):
    """What a call of the client threw; `error` has its fields."""

    def __init__(self, error: Tree) -> None:
        super().__init__(error)
        self.error = error


class Followed:
    """What a battle that is followed said."""

    def __init__(self) -> None:
        self.lines: list[Tree] = []
        self.ended: Tree | None = None

    @property
    def records(self) -> list[Tree]:
        """All records, those of the client's own status among them."""
        return [line["record"] for line in self.lines]

    def of(self, kind: str) -> list[Tree]:
        """The records of a type."""
        return [record for record in self.records if record["type"] == kind]

    @property
    def seqs(self) -> list[int]:
        """The events in the order they were shown."""
        return [record["seq"] for record in self.of("event")]

    @property
    def statuses(self) -> list[str]:
        """How the stream stood, in turn."""
        return [record["status"] for record in self.of("status")]

    async def begun(self) -> None:
        """Wait for the first record of the service."""
        await until(lambda: self.of("hello"))

    async def at(self, seq: int) -> None:
        """Wait until it is behind this event."""
        await until(
            lambda: any(_reaches(line, seq) for line in self.lines[-50:]),
            lambda: f"not at {seq}: {[_short(each) for each in self.records[-8:]]}",
        )

    async def over(self) -> Tree:
        """Wait until it ended; how."""
        await until(lambda: self.ended is not None)
        assert self.ended is not None
        return self.ended


class NodeClient:
    """One process; see `client_driver.mjs` for what may be done."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = itertools.count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._followed: dict[str, Followed] = {}
        self._reading = asyncio.ensure_future(self._read())

    async def do(self, on: str, order: str, *args: object) -> Any:
        """What a call gives back. Raises Told for what it throws."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.begin(on, order, *args)

    def begin(self, on: str, order: str, *args: object) -> "asyncio.Future[Any]":
        """A call that is under way."""
        number = next(self._ids)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": number, "on": on, "do": order, "args": args})
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        return future

    async def battle(self, name: str, url: str, token: str, encounter: str, **options: Any) -> None:
        """A service and a battle of it, both under one name."""
        service = {"url": url, "token": token, **options.pop("service", {})}
        await self.do(f"{name}/service", "open", service)
        await self.do(name, "battle", f"{name}/service", encounter, options)

    async def follow(self, name: str, **options: object) -> Followed:
        """Follow a battle from now on."""
        followed = self._followed[name] = Followed()
        await self.do(name, "follow", options)
        return followed

    async def close(self) -> None:
        """End the process; it has complained of nothing."""
        assert self._process.stdin is not None
        self._reading.cancel()
        self._process.kill()
        _, said = await self._process.communicate()
        assert said == b"", said.decode()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            self._hear(json.loads(line))

    def _hear(self, line: Tree) -> None:
        if "followed" in line:
            followed = self._followed[line["followed"]]
            if "ended" in line:
                followed.ended = line
            else:
                followed.lines.append(line)
            return
        future = self._waiting.pop(line["id"])
        if future.done():
            return
        if "error" in line:
            future.set_exception(Told(line["error"]))
        else:
            future.set_result(line["value"])


@asynccontextmanager
async def node_client() -> AsyncIterator[NodeClient]:
    """A process of the client."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        str(NODE),
        str(DRIVER),
        str(LIBRARY),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        limit=_LONGEST_LINE,
    )
    client = NodeClient(process)
    try:
        yield client
    finally:
        await client.close()


def _reaches(line: Tree, seq: int) -> bool:
    """Whether the client is at an event or behind it."""
    if line.get("seq", 0) >= seq:
        return True
    record = line["record"]
    return record["type"] == "event" and bool(record["seq"] >= seq)


def _short(record: Tree) -> Tree:
    names = ("type", "seq", "status", "reason", "after")
    return {name: record[name] for name in names if name in record}
