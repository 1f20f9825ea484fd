"""`warlog serve`: run the service."""

import asyncio
import os
import signal
import socket
from typing import Annotated

import typer
from msgspec.structs import replace

from service.app import build
from service.cli.database import bring_up_to_date, open_database, require_allowed_build
from service.cli.first_key import provide_first_key
from service.exits import Exit
from service.server.http_server import GRACE_SECONDS, HttpServer, run
from service.server.listening_sockets import bound_or_told
from service.server.log_lines import configure_logging
from service.server.supervisor import Workers
from service.settings import MOST_WORKERS, Settings, from_environment


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
    """Run the service until it is asked to stop (Ctrl-C or SIGTERM).

    Works on WARLOG_DATABASE_URL, which must have been migrated; without it a private PostgreSQL is
    started in the data directory, migrated and stopped again at the end. On an empty database the
    key of its owner is made once. It is shown on the terminal; without a terminal it is written to
    the file WARLOG_FIRST_KEY_FILE, or to 'owner-key' in the data directory.

    With several processes one that dies is started again while the others go on. Exits with 3 if
    the service cannot be brought up, also where an upgrade to a later release is finished
    ('warlog migrate --finish').
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
        asyncio.run(provide_first_key(settings, addresses.serve))
        asyncio.run(require_allowed_build(addresses.serve))
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
