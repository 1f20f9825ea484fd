"""`warlog serve`: run the service."""

import asyncio
import os
import signal
import socket
from functools import partial
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from msgspec.structs import replace

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.api.middleware import Edge
from service.api.services import ROOMS_KEY, rooms_of
from service.app import build, configure_logging, sources
from service.cli.console import err, out
from service.cli.database import bring_up_to_date, open_database
from service.cli.exits import Exit
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.errors import DatabaseAway, NameTaken
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.server.first_bytes import FirstBytes
from service.server.garbage_collection import collect_seldom
from service.server.http_protocol import BoundedProtocol
from service.server.listening_sockets import BACKLOG, bound_or_told, tell_where
from service.server.open_files import allow_open_files
from service.server.supervisor import Workers
from service.server.websocket_protocol import MOST_MESSAGE_BYTES, PING_SECONDS, SocketProtocol
from service.settings import MOST_WORKERS, Settings, from_environment

GRACE_SECONDS = 10
FIRST_TENANT = "owner"
START_SECONDS = 30
KNOWN_TO_NOBODY = ("28", "3D")
"""How SQLSTATEs begin that say: no such user, no such database."""

LISTENERS = 8
"""For each address: so many connections are taken before what they ask is looked at."""

TICKS_PER_CHECK = 10
"""The server ticks ten times a second."""


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (WARLOG_HOST).")] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, help="Port to listen on (WARLOG_PORT); 0: any that is free."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_WORKERS, help="Processes that share the port (WARLOG_WORKERS)."
        ),
    ] = None,
) -> None:
    """Run the service until it is told to stop (Ctrl-C or SIGTERM).

    Works on WARLOG_DATABASE_URL, which must have been migrated; without it a private PostgreSQL is
    started in the data directory, migrated and stopped again at the end. On an empty database the
    key of its owner is made and shown, once, here and nowhere else.

    With several processes one that dies is started again while the others go on. Exits with 3 if
    the service cannot be brought up.
    """
    settings = from_environment(os.environ)
    settings = replace(settings, host=host or settings.host, workers=workers or settings.workers)
    if port is not None:
        settings = replace(settings, port=port)
    configure_logging(settings.log_level)
    with open_database(settings) as addresses:
        if addresses.is_embedded:
            asyncio.run(bring_up_to_date(addresses))
        served = replace(settings, database_url=addresses.serve, erase_url=addresses.erase)
        token = asyncio.run(first_key(addresses.serve))
        if token is not None:
            show_first_key(token)
        sockets = bound_or_told(served.host, served.port)
        if served.workers == 1:
            run(Server(build(served), served), sockets)
        else:
            run_several(served, sockets)
    # Told once more in the last moments, the process still leaves as it should.
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, signal.SIG_IGN)


def run(server: "Server", sockets: list[socket.socket] | None = None) -> None:
    """Serve until a signal ends it; requests under way are finished first."""
    # Also for a signal that comes before the server listens to it, or when it has left already:
    # the private database is to be stopped in order too.
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, server.handle_exit)
    collect_seldom()
    allow_open_files(server.most_connections)
    server.run(sockets)


def run_several(settings: Settings, sockets: list[socket.socket]) -> None:
    """Serve with several processes until a signal ends it, or until all of them keep dying."""
    code = Workers(settings, sockets, GRACE_SECONDS).run()
    if code is not Exit.OK:
        raise typer.Exit(code)


class Server(uvicorn.Server):
    """A server that tells waiting requests to end when it is told to stop itself."""

    def __init__(self, edge: Edge, settings: Settings) -> None:
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
        """Begin to end. Told again, go on ending in order: that takes seconds at most."""
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Once in a while see who keeps the service waiting."""
        if counter % TICKS_PER_CHECK == 0:
            self._edge.tell_refused_handshakes()
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedProtocol | FirstBytes):
                    connection.check(now, self._request_seconds)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close down; long polls are answered with what there is, streams are told goodbye."""
        if ROOMS_KEY in self._edge.application.state:
            rooms = rooms_of(self._edge.application)
            rooms.stopping.set()
            rooms.encounters.hub.stop()
        await super().shutdown(sockets)


async def first_key(database_url: str) -> str | None:
    """The key of the owner of an empty database, just made; None if there are keys already.

    Waits for a database that is not up yet. Raises DatabaseAway when that takes too long, and at
    once if the server is up and knows no such database or user.
    """
    store = await EventStore.open(database_url, pool_size=1)
    try:
        for _ in range(START_SECONDS):
            try:
                return await _first_key(store)
            except DatabaseAway as away:
                if str(away.params.get("sqlstate", "")).startswith(KNOWN_TO_NOBODY):
                    raise
                await asyncio.sleep(1)
        return await _first_key(store)
    finally:
        await store.close()


async def _first_key(store: EventStore) -> str | None:
    if await store.access.has_api_keys():
        return None
    try:
        tenant = await store.access.create_tenant(new_id(sources()), FIRST_TENANT)
    except NameTaken:
        # Another process does the same at this moment, or was ended between the two steps.
        err.print(f"there may be no key yet: warlog keys create NAME --tenant {FIRST_TENANT}")
        return None
    token = token_of(sources().random(SECRET_BYTES))
    await store.access.create_api_key(
        NewApiKey(
            id=new_id(sources()),
            tenant=tenant.id,
            name=FIRST_TENANT,
            secret_hash=hash_of(token),
            scopes=SCOPES,
        )
    )
    return token


def show_first_key(token: str) -> None:
    """Show the owner's key on the terminal; it is kept nowhere, and logs go elsewhere."""
    out.print("\nThis database is new. The key of its owner, shown only now:\n")
    out.print(f"    {token}\n")
    out.print("More keys are made with 'warlog keys create'.\n")
