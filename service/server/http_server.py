"""The HTTP server of a process: uvicorn with the service's own protocols and an orderly end."""

import asyncio
import os
import signal
import socket
import sys
from functools import partial
from types import FrameType

import uvicorn

from service.api.middleware import Middleware
from service.api.services import SERVICES_KEY
from service.server.first_bytes import FirstBytes
from service.server.garbage_collection import collect_seldom
from service.server.http_protocol import BoundedProtocol
from service.server.listening_sockets import BACKLOG, tell_where
from service.server.open_files import allow_open_files
from service.server.websocket_protocol import MOST_MESSAGE_BYTES, PING_SECONDS, SocketProtocol
from service.settings import Settings

GRACE_SECONDS = 10

LISTENERS = 8
"""For each address: so many connections are taken before what they ask is looked at."""

SWITCH_SECONDS = 0.001
"""How long the worker thread keeps the interpreter from the loop, which asks for it again after
every wait: at 5 ms, the interpreter's default, a request of five waits would take 25 ms more.
"""

TICKS_PER_CHECK = 10
"""The server ticks ten times a second."""


def run(server: "HttpServer", sockets: list[socket.socket] | None = None) -> None:
    """Serve until a signal ends it; requests under way are finished first."""
    # Also for a signal that comes before the server listens to it, or when it has left already:
    # the private database is to be stopped in order too.
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, server.handle_exit)
    collect_seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    allow_open_files(server.most_connections)
    server.run(sockets)


class HttpServer(uvicorn.Server):
    """A server that ends waiting requests and streams when it stops."""

    def __init__(self, edge: Middleware, settings: Settings) -> None:
        super().__init__(
            uvicorn.Config(
                edge,
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                server_header=False,
                # Where a request came from is asked only where guesses are counted.
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=list(settings.trusted_proxies),
                backlog=BACKLOG,
                lifespan="on",
                timeout_graceful_shutdown=GRACE_SECONDS,
                http=FirstBytes,
                ws=SocketProtocol,
                ws_max_size=MOST_MESSAGE_BYTES,
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=PING_SECONDS,
                ws_per_message_deflate=False,
            )
        )
        self._edge = edge
        self._request_seconds = settings.limits.request_seconds
        self.most_connections = settings.limits.streams_at_once + settings.limits.requests_at_once

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say where."""
        await super().startup(sockets)
        self.tell_where()
        await self._accept_more()

    def tell_where(self) -> None:
        """Say on the terminal where the service is to be found."""
        tell_where(bound for server in self.servers for bound in server.sockets)

    async def _accept_more(self) -> None:
        """Take several connections in a turn of the loop, which takes one for each listener."""
        loop = asyncio.get_running_loop()
        make = partial(FirstBytes, self.config, self.server_state, self.lifespan.state)
        for listening in [each for server in self.servers for each in server.sockets]:
            for _ in range(LISTENERS - 1):
                again = socket.socket(fileno=os.dup(listening.fileno()))
                server = await loop.create_server(make, sock=again, backlog=BACKLOG)
                self.servers.append(server)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second signal changes nothing, ending in order takes seconds at most."""
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Check every second which clients keep the service waiting."""
        if counter % TICKS_PER_CHECK == 0:
            self._edge.tell_refused_handshakes()
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedProtocol | FirstBytes):
                    connection.check(now, self._request_seconds)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close down; long polls are answered with what there is, streams say `bye`, jobs end."""
        if SERVICES_KEY in self._edge.application.state:
            services = self._edge.services
            services.stopping.set()
            services.jobs.stop()
            services.encounters.hub.stop()
        await super().shutdown(sockets)
