"""Which server each session is on, and the end of all sessions on a server that fell silent.

How this works. A server that is stopped, or whose machine is gone, closes nothing: a statement
would wait for its answer until the driver's limit, twenty seconds and again for each session. So
the server of a session that is on loan for a second is probed, over a separate connection: a slow
statement, or a commit that waits for a standby, is waited for while its server answers. If nothing
answers, or another server than the one the session is on (an address may lead elsewhere by now),
every session on that server is ended at once, and the next ones are made where a server answers.
The outcome of a write that was under way is unknown then.

Two servers are distinguished by the time their postmasters started; a pooler in between passes that
on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

import asyncpg

from service.eventstore.hosts import Host

if TYPE_CHECKING:
    # Generic for the type checker only.
    _Connection = asyncpg.Connection[asyncpg.Record]
else:
    _Connection = asyncpg.Connection

SILENCE_SECONDS: Final = 1.0
"""So long a session is on loan before its server is asked, and so long again each time."""

PROBE_SECONDS: Final = 2.0
"""How long a server has to answer that."""

CHECK_SECONDS: Final = 0.25


class DatabaseServer:
    """One run of one server; `sessions` are those on it."""

    def __init__(self, host: Host | None, started: datetime) -> None:
        self.host = host
        self.started = started
        self.sessions: WeakSet[ServerSession] = WeakSet()


class ServerSession(_Connection):
    """A session that knows where it was made, and once it is in use its server.

    `is_pooled`: a pooler is in between, so that each transaction may be in another session there.
    """

    host: Host | None
    started: datetime
    is_pooled: bool
    server: DatabaseServer


Probe = Callable[[DatabaseServer], Awaitable[bool]]
"""Whether this server answers, and is the one that it was."""


Loan = tuple[DatabaseServer, float, Probe]
"""A session in use: on which server, since when by the loop's clock, and how to ask the server."""


class Servers:
    """The servers that the pools of one process have sessions on.

    `loans` are the sessions in use, in the order of their lending; whoever lends one calls `watch`
    unless that was done (`is_watching`).
    """

    def __init__(self) -> None:
        self._servers: dict[tuple[Host | None, datetime], DatabaseServer] = {}
        self._good: Host | None = None
        self._silent: set[Host | None] = set()
        self.loans: dict[object, Loan] = {}
        self._asked: dict[DatabaseServer, float] = {}
        self._probes: set[asyncio.Task[None]] = set()
        self.is_watching = False

    def in_order(self, hosts: Sequence[Host | None]) -> list[Host | None]:
        """Hosts, that of the last session first and those that were silent last."""
        return sorted(hosts, key=lambda host: (host in self._silent, host != self._good))

    def joined(self, session: ServerSession) -> None:
        """A session was made."""
        host, started = session.host, session.started
        server = self._servers.get((host, started))
        if server is None:
            self._servers = {at: each for at, each in self._servers.items() if each.sessions}
            server = self._servers[host, started] = DatabaseServer(host, started)
        session.server = server
        server.sessions.add(session)
        self._good = host
        self._silent.discard(host)

    def watch(self) -> None:
        """Ask servers now and then whether they are there, as long as sessions are on loan."""
        self.is_watching = True
        asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check)

    async def settle(self) -> None:
        """Wait until no server is being asked."""
        while self._probes:
            await asyncio.wait(self._probes)

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for server, since, probe in self.loans.values():
            if since > now - SILENCE_SECONDS:
                break
            if self._asked.get(server, 0.0) <= now - SILENCE_SECONDS:
                self._asked[server] = now + PROBE_SECONDS
                task = loop.create_task(self._ask(server, probe))
                self._probes.add(task)
                task.add_done_callback(self._probes.discard)
        self.is_watching = bool(self.loans)
        if self.is_watching:
            loop.call_later(CHECK_SECONDS, self._check)
        else:
            self._asked.clear()

    async def _ask(self, server: DatabaseServer, probe: Probe) -> None:
        is_there = await probe(server)
        self._asked[server] = asyncio.get_running_loop().time()
        if not is_there:
            self._end(server)

    def _end(self, server: DatabaseServer) -> None:
        """End every session on it."""
        self._silent.add(server.host)
        self._servers.pop((server.host, server.started), None)
        self._asked.pop(server, None)
        for session in tuple(server.sessions):
            session.terminate()
