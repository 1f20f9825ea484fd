"""`warlog serve`: run the service."""

import asyncio
import os
import signal
import socket
from typing import Annotated

import typer
from msgspec.structs import replace

from service.api.authentication import SECRET_BYTES, hash_of, token_of
from service.app import build, system_sources
from service.cli.database import bring_up_to_date, open_database
from service.console import err, out
from service.encounters.clock_and_ids import new_id
from service.encounters.principal import SCOPES
from service.errors import DatabaseAway, NameTaken
from service.eventstore.records import NewApiKey
from service.eventstore.store import EventStore
from service.exits import Exit
from service.server.http_server import GRACE_SECONDS, HttpServer, run
from service.server.listening_sockets import bound_or_told
from service.server.log_lines import configure_logging
from service.server.supervisor import Workers
from service.settings import MOST_WORKERS, Settings, from_environment

FIRST_TENANT = "owner"
START_SECONDS = 30
KNOWN_TO_NOBODY = ("28", "3D")
"""How SQLSTATEs begin that say: no such user, no such database."""


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
            run(HttpServer(build(served), served), sockets)
        else:
            run_several(served, sockets)
    # Told once more in the last moments, the process still leaves as it should.
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, signal.SIG_IGN)


def run_several(settings: Settings, sockets: list[socket.socket]) -> None:
    """Serve with several processes until a signal ends it, or until all of them keep dying."""
    code = Workers(settings, sockets, GRACE_SECONDS).run()
    if code is not Exit.OK:
        raise typer.Exit(code)


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
        tenant = await store.access.create_tenant(new_id(system_sources()), FIRST_TENANT)
    except NameTaken:
        # Another process does the same at this moment, or was ended between the two steps.
        err.print(f"there may be no key yet: warlog keys create NAME --tenant {FIRST_TENANT}")
        return None
    token = token_of(system_sources().random(SECRET_BYTES))
    await store.access.create_api_key(
        NewApiKey(
            id=new_id(system_sources()),
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
