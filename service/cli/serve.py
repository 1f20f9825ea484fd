"""`warlog serve`: run the service."""

import asyncio
import os
import signal
import socket
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from msgspec.structs import replace

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.api.edge import Edge
from service.api.rooms import ROOMS_KEY, rooms_of
from service.app import build, configure_logging, sources
from service.cli.console import err, out
from service.cli.database import bring_up_to_date, open_database
from service.cli.garbage import collect_seldom
from service.cli.listening import BoundedProtocol
from service.encounters.principal import SCOPES
from service.encounters.sources import new_id
from service.errors import DatabaseAway, NameTaken
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.settings import Settings, from_environment

GRACE_SECONDS = 10
FIRST_TENANT = "owner"
START_SECONDS = 30
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
) -> None:
    """Run the service until it is told to stop (Ctrl-C or SIGTERM).

    Works on WARLOG_DATABASE_URL, which must have been migrated; without it a private PostgreSQL is
    started in the data directory, migrated and stopped again at the end. On an empty database the
    key of its owner is made and shown, once, here and nowhere else.
    """
    settings = from_environment(os.environ)
    settings = replace(settings, host=host or settings.host)
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
        run(served)


def run(settings: Settings) -> None:
    """Serve until a signal ends it; requests under way are finished first."""
    # The server raises the signal that ended it once more at the end; by then there is nothing
    # left to do but to leave in order: the private database is to be stopped too.
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, _already_ending)
    server = Server(build(settings), settings)
    collect_seldom()
    server.run()


def _already_ending(_: int, __: FrameType | None) -> None:
    pass


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
                # Nothing here asks where a request came from.
                proxy_headers=False,
                lifespan="on",
                timeout_graceful_shutdown=GRACE_SECONDS,
                http=BoundedProtocol,
            )
        )
        self._edge = edge
        self._request_seconds = settings.limits.request_seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say where."""
        await super().startup(sockets)
        for server in self.servers:
            for bound in server.sockets:
                host, port, *_ = bound.getsockname()
                address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
                out.print(f"serving on {address}, documentation at {address}/docs")

    async def on_tick(self, counter: int) -> bool:
        """Once in a while see who keeps the service waiting."""
        if counter % TICKS_PER_CHECK == 0:
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedProtocol):
                    connection.check(now, self._request_seconds)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close down; long polls are answered with what there is."""
        if ROOMS_KEY in self._edge.application.state:
            rooms_of(self._edge.application).stopping.set()
        await super().shutdown(sockets)


async def first_key(database_url: str) -> str | None:
    """The key of the owner of an empty database, just made; None if there are keys already.

    Waits for a database that is not up yet. Raises DatabaseAway when that takes too long.
    """
    store = await EventStore.open(database_url, pool_size=1)
    try:
        for _ in range(START_SECONDS):
            try:
                return await _first_key(store)
            except DatabaseAway:
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
